import Foundation
import TestSupport
import Testing

@Suite("The first sync of a second device", .blocking)
struct FirstSyncTests {
    private static let unknownMembers =
        #","focus_settings":{ "mode" : "continuous", "distance":1.50 },"white_balance_settings":{"kelvin":5600.0,"é":"☀️"}"#

    @Test("Presets reach a second device byte for byte, and its changes return, by token and by time")
    func roundTrip() throws {
        let a = try Device.new(Shared.client())
        let b = try a.other()
        let presets = [
            Preset("Sunset", kind: "landscape", more: Self.unknownMembers), Preset("Night walk", kind: "night"),
            Preset("Wedding", kind: "portrait", more: #","exposure_settings":{"mode":"manual","iso":400}"#),
        ]
        for preset in presets {
            let answer = try a.post(preset.json)
            #expect(answer.status == 201)
            #expect(answer.string("id") == preset.id)
        }
        let known = try a.pull()

        let pulled = try b.pull("device_id=tablet")
        #expect(pulled.rawElements("configurations") == presets.map(\.json))
        #expect(pulled.rawElements("deleted") == [])

        let changed = presets[0].edited("Sunrise", minute: 5)
        #expect(try b.put(changed.id, changed.json, b.ifMatch(1, of: changed.id)).status == 200)
        #expect(try b.delete(presets[1].id).status == 200)

        let byToken = try a.pull("sync_token=\(known.string("sync_token"))")
        #expect(byToken.rawElements("configurations") == [changed.json])
        #expect(byToken.rawElements("deleted") == ["\"\(presets[1].id)\""])
        #expect(byToken.json["reset"] as? Bool == false)
        #expect(try a.pull("sync_token=\(byToken.string("sync_token"))").rawElements("versions") == [])

        // A pull by time repeats the third preset because of the overlap. Repeats are harmless, gaps are not.
        let byTime = try a.pull("last_sync=\(known.string("server_time"))")
        #expect(byTime.rawElements("configurations") == [presets[2].json, changed.json])
        #expect(byTime.rawElements("deleted") == ["\"\(presets[1].id)\""])
    }

    @Test("A pull by time without overlap returns exactly the changes since then")
    func withoutOverlap() throws {
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--sync-overlap-s", "0",
        ])
        defer { _ = try? server.stop() }
        let a = try Device.new(server.client)
        let (old, new) = (Preset("Old"), Preset("New"))
        #expect(try a.post(old.json).status == 201)
        // The test moves the old change back by an hour, so it need not wait for the next second.
        try server.sql("UPDATE sync_heads SET changed_at = changed_at - interval '1 hour'")
        try server.sql("UPDATE configurations SET changed_at = changed_at - interval '1 hour'")
        #expect(try a.post(new.json).status == 201)
        let time = try a.pull().string("server_time")
        #expect(try a.pull("last_sync=\(time)").rawElements("configurations") == [new.json])
    }
}
