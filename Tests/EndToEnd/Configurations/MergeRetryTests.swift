import Foundation
import TestSupport
import Testing

@Suite("A merge or a patch again, after a lost answer, changes nothing and is answered as the first time", .blocking)
struct MergeRetryTests {
    private let device: Device
    private let other: Device
    private let base = Preset(more: #","x":1,"y":1,"z":1"#)

    init() throws {
        device = try Shared.newDevice()
        other = try Shared.session(of: device, on: "tablet")
        _ = try device.post(base.json)
    }

    private func edit(_ minute: Int, _ more: String) -> Preset {
        var edit = base.edited(base.name, minute: minute)
        edit.more = more
        return edit
    }

    /// A write by another device.
    private func put(_ preset: Preset, _ version: Int) throws -> HTTPAnswer {
        try other.put(preset.id, preset.json, other.ifMatch(version, of: preset.id))
    }

    private func merge(_ preset: Preset, _ version: Int) throws -> HTTPAnswer {
        try device.put(preset.id, preset.json, device.ifMatch(version, of: preset.id) + [("Prefer", "merge")])
    }

    /// The state that other devices see.
    private func state() throws -> [UInt8] { try device.pull().body }

    private func expectSame(
        _ first: HTTPAnswer,
        _ send: () throws -> HTTPAnswer,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        #expect(first.status == 200, "\(first.text)", sourceLocation: location)
        let before = try state()
        for _ in 0..<2 {
            let again = try send()
            #expect(again.verdict == first.verdict, sourceLocation: location)
            #expect(again.text == first.text, sourceLocation: location)
            for name in ["etag", "preference-applied"] {
                #expect(again.field(name) == first.field(name), sourceLocation: location)
            }
        }
        #expect(try state() == before, sourceLocation: location)
    }

    @Test(
        "A merge, straight away and after others have written on",
        arguments: [
            // Minute and members of `mine`, and the outcome of the merge.
            (5, #","x":2,"y":1,"z":1"#, "different fields"), (5, #","x":1,"y":3,"z":1"#, "mine lost"),
            (50, #","x":1,"y":3,"z":1"#, "mine won"), (50, #","x":2,"y":3,"z":1"#, "mine won and has more"),
            (5, #","x":2,"y":3,"z":1"#, "mine lost and has more"), (10, #","x":1,"y":2,"z":1"#, "the same change"),
            (10, #","x":1,"y":3,"z":1"#, "at the same time"), (10, #","x":1,"z":1"#, "removed at the same time"),
        ]
    )
    func merge(minute: Int, more: String, name: String) throws {
        #expect(try put(edit(10, #","x":1,"y":2,"z":1"#), 1).status == 200)
        let mine = edit(minute, more)
        let first = try merge(mine, 1)
        try expectSame(first) { try merge(mine, 1) }
        // The other device undoes all edits. After a second merge, the edits of `mine` would be the only ones.
        let undone = edit(1, #","x":1,"y":1,"z":4"#)
        #expect(try other.put(base.id, undone.json, device.get(base.id).ifMatch).status == 200)
        try expectSame(first) { try merge(mine, 1) }
        #expect(try other.delete(base.id).status == 200)
        try expectSame(first) { try merge(mine, 1) }
    }

    @Test("A PUT that was stored as it is, and is repeated as a merge: the original answer, not a merge")
    func storedBefore() throws {
        let mine = edit(5, #","x":2,"y":1,"z":1"#)
        let first = try merge(mine, 1)
        #expect(first.field("preference-applied") == nil)
        #expect(try put(edit(10, #","x":1,"y":2,"z":1"#), 2).status == 200)
        try expectSame(first) { try merge(mine, 1) }
    }

    @Test("A merge of the outcome of a merge, by the next device in line, has nothing to do with the first")
    func chain() throws {
        #expect(try put(edit(10, #","x":1,"y":2,"z":1"#), 1).status == 200)
        let first = try merge(edit(11, #","x":2,"y":1,"z":1"#), 1)
        let second = try merge(edit(12, #","x":1,"y":1,"z":2"#), 1)
        #expect(first.version == 3)
        #expect(second.version == 4)
        #expect(try device.get(base.id).json["x"] as? Int == 2)
        #expect(try device.get(base.id).json["y"] as? Int == 2)
        #expect(try device.get(base.id).json["z"] as? Int == 2)
        try expectSame(first) { try merge(edit(11, #","x":2,"y":1,"z":1"#), 1) }
    }

    @Test(
        "A patch, straight away and after others have written on",
        arguments: [
            // A patch and its condition.
            (#"{"x":2}"#, "\"1\""), (#"{"x":2,"modified_at":"2025-06-02T00:00:00Z"}"#, "\"1\""),
            (#"{"x":2,"modified_at":"2025-06-02T00:00:00Z"}"#, ""),
            (#"{"x":null,"modified_at":"2025-06-02T00:00:00Z"}"#, "*"), (#"{"x":null}"#, "\"1\""),
            (#"{"modified_at":"2099-06-02T00:00:00Z"}"#, ""),
        ]
    )
    func patch(patch: String, ifMatch: String) throws {
        let fields = ifMatch.isEmpty ? [] : try device.tagged([("If-Match", ifMatch)], of: base.id)
        let first = try device.patch(base.id, patch, fields)
        #expect(first.version == 2)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
        #expect(try put(edit(3000, #","x":1,"y":1,"z":4"#), 2).status == 200)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
        #expect(try other.delete(base.id).status == 200)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
    }

    @Test("A patch with If-Match that changed nothing: it changes nothing either after others have written on")
    func emptyPatch() throws {
        #expect(try put(edit(10, #","x":2,"y":1,"z":1"#), 1).status == 200)
        let patch = #"{"x":2,"modified_at":"2025-06-01T00:10:00Z"}"#
        let fields = try device.ifMatch(2, of: base.id)
        let first = try device.patch(base.id, patch, fields)
        #expect(first.version == 2)
        #expect(try put(edit(20, #","x":1,"y":1,"z":1"#), 2).status == 200)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
    }

    @Test("A patch without a condition is known again as long as the device has not written the item since")
    func plainPatch() throws {
        let first = try device.patch(base.id, #"{"x":2}"#)
        try expectSame(first) { try device.patch(base.id, #"{"x":2}"#) }
        #expect(try device.patch(base.id, #"{"y":7}"#).status == 200)
        let again = try device.patch(base.id, #"{"x":2}"#)
        #expect(again.version == 3)
        // The device has set another value, so this patch may be a new edit.
        #expect(try device.patch(base.id, #"{"x":1}"#).status == 200)
        #expect(try device.patch(base.id, #"{"x":2}"#).version == 5)
    }

    @Test("A signed merge or patch is taken once, whatever became of it; a retry is signed anew")
    func signed() throws {
        var signing = device
        signing.signatureVersion = 2
        #expect(try put(edit(10, #","x":1,"y":2,"z":1"#), 1).status == 200)
        let body = #"{"configuration":\#(edit(5, #","x":2,"y":3,"z":1"#).json)}"#
        let target = "/v2/configurations/\(base.id)"
        let unknown = "/v2/configurations/\(UUID().uuidString)"
        let base1 = try device.ifMatch(1, of: base.id)
        let prefer = base1 + [("Prefer", "merge")]
        let patch = [("Content-Type", "application/merge-patch+json")]
        let requests: [(String, String, String, APIClient.Fields, String)] = [
            ("PUT", target, body, prefer, "200"), ("PUT", target, body, prefer, "200"),
            ("PATCH", target, #"{"x":7}"#, patch, "200"), ("PATCH", target, #"{"x":7}"#, patch, "200"),
            ("PATCH", target, #"{"x":8,"modified_at":"2026-01-01T00:00:00Z"}"#, patch, "200"),
            ("PATCH", target, #"{"x":9}"#, patch + base1, "412 version-mismatch"),
            ("PATCH", target, #"{"frame_rate":0}"#, patch, "422 invalid-document"),
            ("PATCH", unknown, #"{"x":7}"#, patch, "404 not-found"),
        ]
        for (method, target, body, fields, verdict) in requests {
            let signature = try device.signature(method, device.client.origin + target, body: body)
            #expect(try device.send(method, target, fields + signature, body: body).verdict == verdict)
            let before = try state()
            #expect(try device.send(method, target, fields + signature, body: body).verdict == "401 nonce-used")
            #expect(try state() == before)
            #expect(try signing.send(method, target, fields, body: body).verdict == verdict)
        }
    }
}
