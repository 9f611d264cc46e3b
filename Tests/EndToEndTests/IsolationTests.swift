import Foundation
import TestSupport
import Testing

@Suite("Another user's data")
struct IsolationTests {
    @Test("Every endpoint as user B with every identifier of user A: 404; a POST makes an item of B's own")
    func identifiers() throws {
        let a = try Shared.newDevice()
        let b = try Shared.newDevice()
        let (live, gone) = (Preset("Live"), Preset("Gone"))
        for preset in [live, gone] { #expect(try a.post(preset.json).status == 201) }
        #expect(try a.put(live.id, live.edited("Edited", minute: 5).json).status == 200)
        #expect(try a.delete(gone.id).status == 200)
        let before = try a.pull()
        let rows = try rows(of: a)

        for preset in [live, gone] {
            for id in [preset.id, preset.id.lowercased()] {
                Problems.check(try b.get(id), "404 not-found")
                Problems.check(try b.get(id, [("If-None-Match", "*")]), "404 not-found")
                for fields: APIClient.Fields in [[], [("If-Match", "\"2\"")], [("If-Match", "*")]] {
                    Problems.check(try b.put(id, preset.json, fields), "404 not-found")
                    Problems.check(try b.delete(id, fields), "404 not-found")
                    Problems.check(try b.restore(1, of: id, fields), "404 not-found")
                }
            }
        }
        try checkHistory(b, live.id, gone.id)
        #expect(try b.pull().rawElements("versions") == [])

        for preset in [live, gone] {
            let own = Preset("B's own", id: preset.id)
            let answer = try b.post(own.json)
            #expect(answer.status == 201)
            #expect(answer.field("etag") == "\"1\"")
            #expect(try b.get(preset.id).text == own.json)
            #expect(try b.put(preset.id, own.edited("Edited", minute: 7).json).status == 200)
            #expect(try b.delete(preset.id).status == 200)
        }
        #expect(try a.pull().body == before.body)
        #expect(try self.rows(of: a) == rows)
    }

    /// Of an item of A, which has versions, conflicts and a deletion.
    private func checkHistory(_ b: Device, _ ids: String...) throws {
        for id in ids {
            Problems.check(try b.versions(id), "404 not-found")
            for version in 1...2 { Problems.check(try b.version(version, of: id), "404 not-found") }
            Problems.check(try b.conflicts(id), "404 not-found")
        }
    }

    @Test("A's cursor, entity tag and device id tell B nothing")
    func cursors() throws {
        let a = try Shared.newDevice()
        let b = try Shared.newDevice()
        #expect(try a.post(Preset().json).status == 201)
        let own = Preset("B's own")
        #expect(try b.post(own.json).status == 201)
        let first = try a.pull()
        let answer = try b.pull(
            "sync_token=\(first.string("sync_token"))&device_id=phone",
            [("If-None-Match", first.field("etag") ?? "")]
        )
        #expect(answer.status == 200)
        #expect(answer.json["reset"] as? Bool == true)
        #expect(answer.rawElements("configurations") == [own.json])
        #expect(try b.pull("", [("If-None-Match", first.field("etag") ?? "")]).status == 200)
    }

    @Test("B's logout ends no session of A, and A's signature is none of B's")
    func sessions() throws {
        let a = try Shared.newDevice()
        let b = try Shared.newDevice()
        let body = #"{"configuration":\#(Preset().json)}"#
        let fields = try a.signature("POST", b.client.origin + "/v2/configurations", body: body)
        let answer = try b.send("POST", "/v2/configurations", fields, body: body)
        Problems.check(answer, "401 signature-invalid")
        #expect(try b.send("POST", "/v2/auth/logout").status == 204)
        #expect(try a.pull().status == 200)
    }

    /// Everything that is stored of a user.
    private func rows(of device: Device) throws -> [String] {
        try ["sync_heads", "configurations", "configuration_versions", "configuration_conflicts"].flatMap { table in
            try Shared.server.get().sql("SELECT t FROM \(table) t WHERE user_id = '\(device.userID)' ORDER BY t::text")
        }
    }
}
