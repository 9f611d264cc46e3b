import HTTP

/// The names of an operation's query parameters, and those of all operations. A parameter of another operation is a
/// mistake, and so is one that is nearly an own one: ignored, it would change the answer silently. Others are ignored,
/// so that a newer client works with this server.
struct QueryNames: Sendable {
    let own: [String]
    private let all: Set<String>

    init(own: [String], all: Set<String>) {
        self.own = own
        self.all = all
    }

    /// Throws a problem for the first mistake.
    func check(_ query: QueryParameters) throws(Problem) {
        for item in query.items where !own.contains(item.name) {
            if let near = EditDistance.nearest(to: item.name, among: own, most: Self.lettersMax) {
                throw refusal(item.name, ": write \(near)")
            }
            if all.contains(item.name) { throw refusal(item.name, ", which has \(listing)") }
        }
    }

    private var listing: String { own.isEmpty ? "none" : own.joined(separator: ", ") }

    private func refusal(_ name: String, _ remedy: String) -> Problem {
        Problem(parameter: name, "is no parameter of this operation\(remedy)", keyword: "additionalProperties")
    }

    /// The number of wrong letters in a known name. Two in `to` or `tag` would refuse nearly every short name.
    private static func lettersMax(_ known: String) -> Int { known.utf8.count > 3 ? 2 : 1 }
}
