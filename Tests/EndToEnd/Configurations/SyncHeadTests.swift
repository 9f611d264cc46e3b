import TestSupport
import Testing

@Suite("Sync-Head and the parameter seen", .blocking)
struct SyncHeadTests {
    private static let server = Result {
        try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--items-max", "2",
            "--cors-origins", "https://app.example.org",
        ])
    }

    @Test("Every answer to a write has the Sync-Head of its transaction")
    func writes() throws {
        let device = try Device.new(Self.server.get().client)
        let (preset, second) = (Preset(), Preset())
        let (edited, id) = (preset.edited("Edited", minute: 5), preset.id)
        let batch = #"{"operations":[{"operation":"delete","id":"\#(Preset().id)"}]}"#
        let writes: [(verdict: String, write: () throws -> HTTPAnswer)] = [
            ("201", { try device.post(preset.json) }), ("201", { try device.post(preset.json) }),
            ("409 configuration-exists", { try device.post(edited.json) }),
            ("200", { try device.put(id, edited.json) }), ("404 not-found", { try device.put(second.id, second.json) }),
            ("412 version-mismatch", { try device.put(id, preset.json, [("If-Match", "\"x\"")]) }),
            (
                "412 version-mismatch",
                { try device.put(id, preset.json, [("If-Match", "\"x\""), ("Prefer", "merge")]) }
            ),
            ("200", { try device.patch(id, #"{"name":"Patched"}"#) }), ("200", { try device.patch(id, "{}") }),
            ("404 not-found", { try device.patch(second.id, "{}") }),
            ("200", { try device.restore(1, of: id) }), ("404 not-found", { try device.restore(9, of: id) }),
            ("200", { try device.send("POST", "/v2/configurations/batch", body: batch) }),
            ("201", { try device.post(second.json) }), ("403 quota-exceeded", { try device.post(Preset().json) }),
            ("200", { try device.delete(id) }), ("404 not-found", { try device.delete(Preset().id) }),
        ]
        for (number, (verdict, write)) in writes.enumerated() {
            let answer = try write()
            #expect(answer.verdict == verdict, "\(number)")
            #expect(try answer.field("sync-head") == device.pull().string("sync_token"), "\(number): \(verdict)")
        }
    }

    @Test("Reads and writes of unsynced resources have no Sync-Head; pages of other origins can read it")
    func reads() throws {
        let (device, preset) = (try Device.new(Self.server.get().client), Preset())
        let fields = [("Origin", "https://app.example.org")]
        let exposed = try device.post(preset.json, fields).field("access-control-expose-headers") ?? ""
        #expect(exposed.split(separator: ", ").contains("Sync-Head"))
        let item = "/v2/configurations/\(preset.id)"
        for target in [
            "/v2/configurations", item, item + "/versions", item + "/versions/1", item + "/conflicts", "/v2/conflicts",
            "/v2/devices",
        ] {
            for method in ["GET", "HEAD"] {
                let answer = try device.send(method, target)
                #expect(answer.status == 200 && answer.field("sync-head") == nil, "\(method) \(target)")
            }
        }
        #expect(try device.send("PUT", "/v2/devices/phone", body: #"{"name":"x"}"#).field("sync-head") == nil)
    }

    /// A device with two items, the head of each write, and a token from before the writes.
    private func written() throws -> (device: Device, token: String, heads: [String]) {
        let device = try Shared.newDevice()
        let token = try device.pull().string("sync_token")
        let heads = try (0..<2).map { _ in try device.post(Preset().json).field("sync-head") ?? "" }
        return (device, token, heads)
    }

    @Test("A pull with up to 32 heads of this history in seen gets the delta without a reset")
    func seen() throws {
        let (device, token, heads) = try written()
        let many = (0..<32).map { heads[$0 % 2] }.joined(separator: ",")
        for seen in [heads[0], heads[1], heads.joined(separator: ","), many, ""] {
            let answer = try device.pull("sync_token=\(token)&seen=\(seen)")
            #expect(answer.json["reset"] as? Bool == false)
            #expect(answer.versionNumbers.count == 2)
        }
        Problems.check(try device.pull("sync_token=\(token)&seen=\(many),\(heads[0])"), "400 invalid-parameter")
    }

    @Test("A pull with a head of another history in seen gets the full set with one reset")
    func lost() throws {
        let (device, token, heads) = try written()
        let lost = try #require(try Shared.newDevice().post(Preset().json).field("sync-head"))
        for cursor in ["", "sync_token=\(token)&", "sync_token=\(heads[1])&", "last_sync=2026-01-01T00:00:00Z&"] {
            let first = try device.pull("\(cursor)limit=1&seen=\(heads[0]),\(lost)")
            #expect(first.json["reset"] as? Bool == true && first.versionNumbers.count == 1, "\(cursor)")
            // The client replaces its data after the last page. The pages after the first do not report the reset
            // again.
            let last = try device.pull("sync_token=\(first.string("sync_token"))&limit=1&seen=\(lost)")
            #expect(last.json["reset"] as? Bool == false && last.versionNumbers.count == 1)
            #expect(last.json["has_more"] as? Bool == false && last.string("sync_token") == heads[1])
        }
    }

    @Test("A pull with another value of seen never gets 304")
    func notModified() throws {
        let (device, token, heads) = try written()
        let query = "sync_token=\(token)&seen=\(heads[0])"
        let known = [("If-None-Match", try #require(try device.pull(query).field("etag")))]
        #expect(try device.pull(query, known).status == 304)
        #expect(try device.pull("sync_token=\(token)", known).status == 200)
        #expect(try device.pull("sync_token=\(token)&seen=x", known).json["reset"] as? Bool == true)
    }
}
