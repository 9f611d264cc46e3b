import FoundationEssentials
import NeuroViewsClient

/// Finds an item by what a person writes: its id, the first characters of the id, or its name. A device chooses its id, so two may
/// differ in capitals alone; of others, capitals do not count.
enum Naming {
    private static let prefixMin = 4

    /// Returns the only item that fits. Throws 64 for several, and 66 for none.
    static func find<ID>(
        _ word: String,
        among items: [(id: ID, text: String, name: String)],
        kind: String,
        list: String
    ) throws(Failure) -> ID {
        if let item = items.first(where: { $0.text == word }) { return item.id }
        let equal = items.filter { $0.text.lowercased() == word.lowercased() }
        if let item = equal.first, equal.count == 1 { return item.id }
        let found = items.filter { $0.name == word || fits(word, $0.text) }
        if found.count > 1 {
            let ids = found.prefix(5).map(\.text).joined(separator: ", ")
            throw .usage("\"\(word)\" fits \(found.count) of the \(kind)s (\(ids)): write more of the id.")
        }
        guard let item = found.first else {
            throw Failure("There is no \(kind) \"\(word)\": neuroviews \(list) lists them.", .noInput)
        }
        return item.id
    }

    /// The shortest beginnings, of 8 characters or more, that tell the ids apart.
    static func short(_ ids: [String]) -> [String: String] {
        var short: [String: String] = [:]
        let sorted = ids.sorted()
        for (index, id) in sorted.enumerated() {
            let neighbours = [index - 1, index + 1].filter(sorted.indices.contains).map { sorted[$0] }
            let shared = neighbours.map { zip(id, $0).prefix { $0 == $1 }.count }.max() ?? 0
            short[id] = String(id.prefix(max(8, shared + 1)))
        }
        return short
    }

    private static func fits(_ word: String, _ id: String) -> Bool {
        word.count >= prefixMin && id.lowercased().hasPrefix(word.lowercased())
    }
}

extension UUID {
    /// The id as the interface writes it.
    var text: String { uuidString.lowercased() }
}

extension Date {
    /// The moment in UTC, as the interface writes it.
    var text: String { formatted(.iso8601) }
}

extension CommandCall {
    /// The configuration that a word names. A whole id passes in any case: its item may be deleted.
    func configuration(_ word: String, of device: NeuroViews) async throws(Failure) -> UUID {
        if let id = UUID(uuidString: word) { return id }
        let shown = try await asking { () async throws(ClientError) in try await device.configurations() }
        return try Naming.find(
            word,
            among: shown.map { ($0.id, $0.id.text, $0.configuration.name) },
            kind: "configuration",
            list: "list"
        )
    }
}
