import NeuroViewsJSON
import NeuroViewsRules

/// The tables `request` and `request_part`: the one write that has no answer yet.
extension Store {
    /// Reads the request; nil if there is none.
    func request() throws(ClientError) -> PendingRequest? {
        try look { () throws(ClientError) in
            let ids = try rows("SELECT item FROM request_part ORDER BY place") { $0.text(0) }
            return try row("SELECT method, path, fields, body, failures FROM request") { row throws(ClientError) in
                PendingRequest(
                    method: row.text(0) ?? "",
                    path: row.text(1) ?? "",
                    fields: try Self.fields(row.text(2)),
                    body: try unseal(row.blob(3), "request", "1", "body") ?? [],
                    ids: ids,
                    failures: row.integer(4) ?? 0
                )
            }
        }
    }

    /// Stores a request with the items that it takes along.
    func begin(_ made: PendingRequest.Made) throws(ClientError) {
        try step { () throws(ClientError) in
            // One after the other: this is the order of the parts.
            for item in made.items { try save(item) }
            try run(
                "INSERT INTO request (id, method, path, fields, body, failures) VALUES (1, ?1, ?2, ?3, ?4, ?5)",
                .text(made.request.method),
                .text(made.request.path),
                .text(Self.text(made.request.fields)),
                try seal(made.request.body, "request", "1", "body"),
                .integer(made.request.failures)
            )
        }
    }

    /// The items of the request.
    func requestItems() throws(ClientError) -> [String: Item] {
        try look { () throws(ClientError) in
            var items: [String: Item] = [:]
            let ids = try rows("SELECT item FROM request_part") { $0.text(0) }
            for id in ids { items[id] = try item(id) }
            return items
        }
    }

    /// Counts a try whose result is unknown.
    func noteFailure() throws(ClientError) { try run("UPDATE request SET failures = failures + 1") }

    /// Ends the request: stores its items as the answer left them. A pull that began before is void, for it does not have
    /// the answer's copies.
    func end(_ items: [String: Item]) throws(ClientError) {
        try step { () throws(ClientError) in
            for item in items.values { try save(item) }
            try run("DELETE FROM request_part")
            try run("DELETE FROM request")
            try run("UPDATE account SET stage = 0")
        }
    }

    private static func text(_ fields: [HeaderField]) -> String {
        let pairs = fields.map { JSON.array([.string($0.name), .string($0.value)]) }
        return String(decoding: JSON.array(pairs).serialized(), as: UTF8.self)
    }

    /// Reads what `text` made. Without one of its fields, such as If-Match, the request would be another one.
    private static func fields(_ text: String?) throws(ClientError) -> [HeaderField] {
        let pairs = (try? JSONParser.parse(Array((text ?? "").utf8), policy: .rfc8259))?.array
        var fields: [HeaderField] = []
        for pair in pairs ?? [] {
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string, let value = pair[1].string else {
                break
            }
            fields.append(HeaderField(name, value))
        }
        guard let pairs, fields.count == pairs.count else { throw .store(.unreadable("request.fields are none")) }
        return fields
    }
}
