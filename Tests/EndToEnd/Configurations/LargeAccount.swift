import Foundation
import TestSupport

/// A server of its own with one account of many items. The test writes the items directly into the database.
struct LargeAccount: Sendable {
    let server: ServerProcess
    let device: Device

    init() throws {
        server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        device = try Device.new(server.client)
    }

    /// Replaces the account's items. Every tenth new item is a tombstone, and every second id is in upper case.
    func fill(items: Int, documentBytes: Int) throws {
        let user = "'\(device.userID)'"
        try server.sql(
            """
            DELETE FROM configuration_versions WHERE user_id = \(user);
            DELETE FROM configurations WHERE user_id = \(user);
            WITH item AS (
                SELECT n, n % 10 = 0 AS gone, timestamptz '2026-01-01T00:00:00Z' + n * interval '1 ms' AS time,
                    CASE WHEN n % 2 = 0 THEN upper(md5(n::text)::uuid::text) ELSE md5(n::text)::uuid::text END AS id
                FROM generate_series(1, \(items)) n
            )
            INSERT INTO configurations
            SELECT \(user), id::uuid, id, CASE WHEN NOT gone THEN rpad('{"id":"' || id || '","name":"', \(documentBytes) - 2,
                    'x' || n) || '"}' END, CASE WHEN NOT gone THEN sha256(id::bytea) END, 1 + n % 12, n,
                substr(sha256(n::text::bytea), 1, 16), time, time, gone
            FROM item;
            INSERT INTO configuration_versions
                (user_id, id, version, seq, chain, digest, sent_digest, changed_at, edited_at, author, by_device, deleted)
            SELECT user_id, id, version, seq, chain, digest, '', changed_at, edited_at, 'phone', true, deleted
            FROM configurations WHERE user_id = \(user);
            UPDATE sync_heads h SET seq = \(items), (chain, item_id, item_version) = (
                    SELECT coalesce(c.chain, h.genesis), c.id, c.version FROM (VALUES (h.user_id)) u(id)
                    LEFT JOIN configurations c ON c.user_id = u.id AND c.seq = \(items)),
                changed_at = timestamptz '2026-01-01T00:00:00Z' + \(items) * interval '1 ms',
                state_hash = (
                    SELECT substr(bit_send(coalesce(
                        bit_xor(('x' || encode(sha256(id::text::bytea || digest), 'hex'))::bit(256)),
                        repeat('0', 256)::bit(256))), 5)
                    FROM configurations c WHERE c.user_id = h.user_id AND NOT deleted)
            WHERE user_id = \(user)
            """
        )
    }

    /// The expected text of a full answer, made by PostgreSQL.
    func expectedText() throws -> String {
        try server.sql(
            """
            SELECT '{"configurations":[' || coalesce(string_agg(document, ',' ORDER BY c.seq), '') || '],"deleted":['
                || coalesce(string_agg('"' || spelled_id || '"', ',' ORDER BY c.seq) FILTER (WHERE deleted), '')
                || '],"versions":{'
                || coalesce(string_agg(
                    '"' || spelled_id || '":"' || version || '-' || encode(substr(c.chain, 1, 6), 'hex') || '"', ','
                    ORDER BY c.seq), '')
                || '},"sync_token":"' || h.seq || '.' || encode(h.chain, 'hex') || '.0.'
                || coalesce(h.item_id || '.' || h.item_version, '.') || '","server_time":"'
                || to_char(h.changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') || '","state_hash":"'
                || encode(h.state_hash, 'hex') || '","reset":false}'
            FROM sync_heads h LEFT JOIN configurations c USING (user_id)
            WHERE user_id = '\(device.userID)' AND collection = 'configurations'
            GROUP BY h.seq, h.chain, h.item_id, h.item_version, h.changed_at, h.state_hash
            """
        ).joined()
    }

    var metrics: Exposition {
        get throws { try Exposition(server.adminClient.send("GET", "/metrics").text) }
    }

    /// The database connections that are busy with reads now.
    var busyReads: Double {
        get throws {
            let metrics = try metrics
            return ["read", "large_read"].reduce(0) { sum, pool in
                sum + (metrics.value("neuroviews_database_connections", ["pool": pool, "state": "busy"]) ?? -1)
            }
        }
    }

    /// The part of `buffers_max_bytes` that bodies and large answers use.
    var reservedBytes: Int {
        get throws {
            let samples = try metrics.samples.filter { $0.name == "neuroviews_http_reserved_bytes" }
            return Int(samples.reduce(0) { $0 + $1.value })
        }
    }

    /// The open connections of clients.
    var openConnections: Double {
        get throws {
            let samples = try metrics.samples.filter { sample in
                sample.name == "neuroviews_http_connections" && sample.labels["listener"] != "admin"
            }
            return samples.reduce(0) { $0 + $1.value }
        }
    }

    /// Requests all items. The test controls how fast the connection reads.
    func beginPull(_ version: String = "1.1", path: String = "/v2/configurations", query: String = "") throws
        -> LargePull
    {
        let socket = try RawSocket(port: server.client.port, limitMs: Patience.ms(60000), receiveBufferBytes: 65536)
        try socket.send(
            "GET \(path)\(query) HTTP/\(version)\r\nHost: a\r\nAuthorization: Bearer \(device.token)\r\n\r\n"
        )
        return LargePull(socket)
    }
}

/// A large answer in transit. Only its last bytes are kept.
final class LargePull {
    let socket: RawSocket
    private(set) var bytes = 0
    private(set) var hasEnded = false
    private var tail: [UInt8] = []

    init(_ socket: RawSocket) { self.socket = socket }

    /// True if the last chunk has arrived.
    var isWhole: Bool { tail.suffix(7) == Array("\r\n0\r\n\r\n".utf8) }

    /// Reads until `count` bytes have arrived, or until the end of the answer or the connection.
    func read(to count: Int = .max) {
        while bytes < count, !isWhole, !hasEnded {
            let piece = (try? socket.receive(maxBytes: 65536)) ?? []
            hasEnded = piece.isEmpty
            bytes += piece.count
            tail = (tail + piece.suffix(7)).suffix(7)
        }
    }
}
