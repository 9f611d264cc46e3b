import Foundation
import TestSupport
import Testing

@Suite("Connections for large and small reads", .blocking)
struct ReadLaneTests {
    private static func count(_ account: LargeAccount, _ pool: String) throws -> Double {
        try account.metrics.value("neuroviews_database_round_trip_seconds_count", ["pool": pool]) ?? -1
    }

    @Test("Reads that grow with an account use connections of their own, and polls and single items do not")
    func lanes() throws {
        let (account, preset) = (try LargeAccount(), Preset())
        try account.fill(items: 600, documentBytes: 150)
        #expect(try account.device.post(preset.json).status == 201)
        let whole = try account.device.pull("limit=1000")
        let token = try #require(whole.json["sync_token"] as? String)
        let tag = try #require(whole.field("etag"))
        let item = "/v2/configurations/\(preset.id)"
        let table: [(path: String, fields: APIClient.Fields, isLarge: Bool)] = [
            ("/v2/configurations", [], true),
            ("/v2/configurations?limit=1000&sync_token=\(token)", [], true),
            ("/v2/configurations?sync_token=\(token)", [], false),
            ("/v2/configurations?limit=1000", [("If-None-Match", tag)], false),
            (item, [], false),
            ("\(item)/versions/1", [], false),
            ("\(item)/versions", [], true),
            ("\(item)/conflicts", [], true),
            ("/v2/conflicts", [], true),
            ("/v2/recordings", [], true),
            ("/v2/analytics/usage?start_date=2026-01-01&end_date=2026-01-31", [], true),
        ]
        for (path, fields, isLarge) in table {
            let before = (large: try Self.count(account, "large_read"), small: try Self.count(account, "read"))
            let status = try account.device.send("GET", path, fields).status
            #expect([200, 304].contains(status), "\(path): \(status)")
            #expect((try Self.count(account, "large_read") > before.large) == isLarge, "\(path)")
            #expect((try Self.count(account, "read") > before.small) == !isLarge, "\(path)")
        }
    }
}
