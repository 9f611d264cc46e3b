import CloudSync
import NeuroViewsCrypto
import NeuroViewsJSON

/// A delta with all its items; items missing from the first result are read in pages.
struct PulledDelta: Sendable {
    struct Item: Sendable, Equatable {
        let id: String
        let version: VersionTag?
        /// Nil for a tombstone.
        let document: String?
    }

    let delta: Delta
    var documents: [String] = []
    var deleted: [String] = []
    var versions: [(id: String, version: VersionTag?)] = []
    /// The number of pages read.
    var pages = 0

    /// The items in order. The documents have the order of the undeleted items.
    var items: [Item] {
        var rest = documents[...]
        let gone = Set(deleted)
        return versions.map { id, version in
            Item(id: id, version: version, document: gone.contains(id) ? nil : rest.popFirst())
        }
    }
}

extension PulledDelta {
    /// The client's state hash of a full set, to compare with `delta.stateHash`.
    func computedHash() throws -> String {
        var hash = [UInt8](repeating: 0, count: 32)
        for text in documents {
            guard var object = try JSONParser.parse(Array(text.utf8), policy: .requestBody).object,
                let id = object["id"]?.string?.lowercased()
            else { continue }
            object.set("id", to: .string(id))
            let digest = SHA256.hash(JSONValue.object(object).canonical())
            for (index, byte) in SHA256.hash(Array(id.utf8) + digest).enumerated() { hash[index] ^= byte }
        }
        return Hex.encode(hash)
    }
}

extension ConfigurationService {
    /// Pulls everything after a cursor, like a client. `between` runs before each page.
    func pullAll(
        _ request: DeltaRequest,
        for caller: Caller,
        between: () async throws -> Void = {}
    ) async throws -> PulledDelta? {
        guard let delta = try await delta(request, for: caller) else { return nil }
        var pulled = PulledDelta(delta: delta)
        let atHand = (0..<delta.count).map { delta[$0] }
        pulled.documents = atHand[..<delta.documentCount].compactMap(\.text)
        if delta.isListed {
            pulled.deleted = atHand.filter(\.isDeleted).map(\.id)
            pulled.versions = atHand.map { ($0.id, $0.version) }
        }
        if delta.isWhole { return pulled }
        try await readPages(.documents, &pulled, caller, between) { $0.documents.append($1.text ?? "") }
        if delta.isListed { return pulled }
        try await readPages(.deleted, &pulled, caller, between) { $0.deleted.append($1.id) }
        try await readPages(.versions, &pulled, caller, between) { $0.versions.append(($1.id, $1.version)) }
        return pulled
    }

    private func readPages(
        _ kind: DeltaPages.Kind,
        _ pulled: inout PulledDelta,
        _ caller: Caller,
        _ between: () async throws -> Void,
        _ add: (inout PulledDelta, DeltaItem) -> Void
    ) async throws {
        var pages = try pages(kind, of: pulled.delta, for: caller)
        try await between()
        while let page = try await pages.next() {
            pulled.pages += 1
            for index in 0..<page.count { add(&pulled, page[index]) }
            try await between()
        }
    }
}

extension DeltaItem {
    var id: String { text(appendID) }
    var version: VersionTag? { VersionTag(text(appendTag)) }
    /// Nil for a tombstone, or if the result does not contain the document.
    var document: [UInt8]? { documentBytes == 0 ? nil : Array(text(appendDocument).utf8) }

    fileprivate var text: String? { document.map { String(decoding: $0, as: UTF8.self) } }

    private func text(_ append: (inout [UInt8]) -> Void) -> String {
        var bytes: [UInt8] = []
        append(&bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension World {
    /// A service like the first server's, with other limits.
    func server(_ limits: DeltaLimits) -> ConfigurationService {
        ConfigurationService(
            database: databases[0],
            devices: DeviceService(database: databases[0], now: { 0 }),
            work: Self.work,
            overlapSeconds: 0,
            deltaLimits: limits
        )
    }

    /// Inserts `items` items into an account, in the state after normal writes. Every `deletedEvery`th item is a
    /// tombstone, and every second id is in upper case.
    func fill(_ userID: String, items: Int, deletedEvery: Int = 7) async throws {
        try await sql(
            """
            WITH item AS (
                SELECT n, md5('\(userID)' || n)::uuid AS id, n % \(deletedEvery) = 0 AS gone,
                    timestamptz '2026-01-01T00:00:00Z' + n * interval '1 ms' AS time
                FROM generate_series(1, \(items)) n
            ), spelled AS (
                SELECT *, CASE WHEN n % 2 = 0 THEN upper(id::text) ELSE id::text END AS spelled_id FROM item
            ), stored AS (
                INSERT INTO configurations
                SELECT '\(userID)', id, spelled_id,
                    CASE WHEN NOT gone THEN '{"id":"' || spelled_id || '","x":"' || repeat('x', n % 300) || '"}' END,
                    CASE WHEN NOT gone THEN sha256(id::text::bytea) END, 1 + n % 3, n, uuid_send(id), time, time, gone
                FROM spelled RETURNING *
            ), history AS (
                INSERT INTO configuration_versions
                SELECT user_id, id, version, seq, chain, document, digest, '', changed_at, edited_at, '-', true, deleted
                FROM stored
            )
            UPDATE sync_heads h SET seq = s.seq, chain = s.chain, item_id = s.id, item_version = s.version,
                changed_at = s.changed_at
            FROM stored s WHERE h.user_id = '\(userID)' AND s.seq = \(items)
            """
        )
    }
}
