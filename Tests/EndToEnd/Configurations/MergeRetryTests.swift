import Foundation
import TestSupport
import Testing

@Suite("Retries of merges and patches", .blocking)
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

    @Test("A retried merge returns its first answer, also after other devices have written")
    func merge() throws {
        #expect(try put(edit(10, #","x":1,"y":2,"z":1"#), 1).status == 200)
        // `x` is merged, `y` loses.
        let mine = edit(5, #","x":2,"y":3,"z":1"#)
        let first = try merge(mine, 1)
        try expectSame(first) { try merge(mine, 1) }
        // The other device undoes all edits. After a second merge, the edits of `mine` would be the only ones.
        let undone = edit(1, #","x":1,"y":1,"z":4"#)
        #expect(try other.put(base.id, undone.json, device.get(base.id).ifMatch).status == 200)
        try expectSame(first) { try merge(mine, 1) }
    }

    @Test("A retried patch returns its first answer, also after other devices have written")
    func patch() throws {
        let patch = #"{"x":2,"modified_at":"2025-06-02T00:00:00Z"}"#
        let fields = try device.ifMatch(1, of: base.id)
        let first = try device.patch(base.id, patch, fields)
        #expect(first.version == 2)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
        #expect(try put(edit(3000, #","x":1,"y":1,"z":4"#), 2).status == 200)
        try expectSame(first) { try device.patch(base.id, patch, fields) }
    }

    @Test("A signed merge or patch is accepted once with any outcome, and a retry needs a new signature")
    func signed() throws {
        var signing = device
        signing.signatureVersion = 1
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
