import TestSupport

/// A client's expected state of an item on the server.
struct Belief: Sendable, Equatable {
    /// The number of different acknowledged writes. It equals the version if each was done exactly once.
    var version: Int
    /// Nil for a tombstone.
    var document: String?
}

/// Creates, changes and deletes its own items, one write after the other.
struct LoadWriter {
    private let client: LoadClient
    private let observations: Observations
    private let name: String
    private(set) var items: [String: Belief] = [:]
    private var edits = 0

    init(_ client: LoadClient, _ observations: Observations, name: String) {
        self.client = client
        self.observations = observations
        self.name = name
    }

    mutating func run() throws {
        while !observations.isStopping { try writeOneItem() }
    }

    /// Creates an item and changes it twice, once with If-Match. Deletes every third item.
    private mutating func writeOneItem() throws {
        var preset = edited(Preset())
        try write("POST", "/v2/configurations", preset)
        let path = "/v2/configurations/\(preset.id)"
        preset = edited(preset)
        let second = try write("PUT", path, preset)
        preset = edited(preset)
        try write("PUT", path, preset, second.ifMatch)
        if items.count % 3 == 0 { try delete(preset.id, path) }
    }

    private mutating func edited(_ preset: Preset) -> Preset {
        edits += 1
        return preset.edited("\(name), edit \(edits)", minute: edits % 40_000)
    }

    @discardableResult
    private mutating func write(
        _ method: String,
        _ path: String,
        _ preset: Preset,
        _ fields: APIClient.Fields = []
    ) throws -> HTTPAnswer {
        let answer = try client.send(method, path, fields, body: #"{"configuration":\#(preset.json)}"#)
        try note(preset.id, preset.json, answer)
        return answer
    }

    private mutating func delete(_ id: String, _ path: String) throws {
        try note(id, nil, client.send("DELETE", path))
    }

    private mutating func note(_ id: String, _ document: String?, _ answer: HTTPAnswer) throws {
        let version = (items[id]?.version ?? 0) + 1
        guard (200..<300).contains(answer.status), answer.version == version else {
            throw Program.Failure("\(name): version \(version) of \(id): \(answer.verdict) \(answer.text)")
        }
        items[id] = Belief(version: version, document: document)
        observations.noteAcknowledged()
    }
}
