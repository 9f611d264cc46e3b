import Foundation
import TestSupport
import Testing

@Suite("Restores of a version", .blocking)
struct VersionRestoreTests {
    private func check(_ answer: HTTPAnswer, version: Int, at location: SourceLocation = #_sourceLocation) {
        #expect(answer.status == 200, "\(answer.text)", sourceLocation: location)
        #expect(answer.version == version && answer.json["version"] != nil, sourceLocation: location)
        #expect(answer.string("updated_at").hasSuffix("Z"), sourceLocation: location)
    }

    @Test("A restored document is a new version for all devices, byte for byte")
    func restored() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let id = presets[0].id
        let token = try tablet.pull("limit=1000").string("sync_token")
        let answer = try phone.restore(1, of: id.lowercased())
        check(answer, version: 4)
        #expect(try phone.get(id).text == presets[0].json)
        #expect(try phone.get(id).version == 4)
        #expect(try tablet.pull("sync_token=\(token)").rawElements("configurations").contains(presets[0].json))
        #expect(try phone.version(3, of: id).text == presets[2].json)
        let edited: [String] = try phone.versions(id).members("edited_at", of: "versions")
        #expect(edited.first == answer.string("updated_at"))
    }

    @Test("A restore undeletes an item on all devices")
    func deleted() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 2, by: phone)
        let id = presets[0].id
        #expect(try tablet.delete(id).status == 200)
        check(try phone.restore(2, of: id), version: 4)
        #expect(try tablet.get(id).text == presets[1].json)
        #expect(try tablet.pull().rawElements("configurations").contains(presets[1].json))
        #expect(try tablet.pull().rawElements("deleted").contains("\"\(id)\"") == false)
    }

    @Test("A restore of the current document changes nothing and returns the current version")
    func current() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 2, by: phone)
        let before = try phone.pull()
        for fields: APIClient.Fields in [[], [("If-Match", "\"2\"")], [("If-Match", "*")]] {
            check(try phone.restore(2, of: presets[0].id, phone.tagged(fields, of: presets[0].id)), version: 2)
        }
        #expect(try phone.pull().body == before.body)
    }

    @Test("A restore with a failed If-Match or If-None-Match gets 412 with the current document")
    func ifMatch() throws {
        let phone = try Shared.device()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let id = presets[0].id
        for tag in ["\"1\"", "\"2\"", "W/\"2\"", "\"x\""] {
            let answer = try phone.restore(1, of: id, phone.tagged([("If-Match", tag)], of: id))
            Problems.check(answer, "412 version-mismatch")
            #expect(answer.raw("current") == presets[2].json)
            #expect(answer.version == 3)
        }
        Problems.check(try phone.restore(1, of: id, [("If-None-Match", "*")]), "412 version-mismatch")
        func named(_ fields: (String, String)...) throws -> APIClient.Fields { try phone.tagged(fields, of: id) }
        Problems.check(try phone.restore(1, of: id, named(("If-None-Match", "\"3\""))), "412 version-mismatch")
        check(try phone.restore(1, of: id, named(("If-Match", "\"3\""), ("If-None-Match", "\"2\""))), version: 4)
        check(try phone.restore(2, of: id, [("If-Match", "*")]), version: 5)
        #expect(try phone.delete(id).status == 200)
        for tag in ["*", "\"5\""] {
            let answer = try phone.restore(1, of: id, named(("If-Match", tag)))
            Problems.check(answer, "412 version-mismatch")
            #expect(answer.raw("current") == "null")
        }
        Problems.check(try phone.restore(1, of: id, named(("If-None-Match", "\"6\""))), "412 version-mismatch")
        check(try phone.restore(1, of: id, named(("If-Match", "\"6\""), ("If-None-Match", "*"))), version: 7)
    }

    @Test("A version without a document can't be restored: unknown, deleted or pruned")
    func refused() throws {
        let phone = try Shared.device()
        let presets = try HistoryTests.preset(versions: 2, by: phone)
        let id = presets[0].id
        #expect(try phone.delete(id).status == 200)
        try HistoryTests.prune(1, of: id)
        Problems.check(try phone.restore(1, of: id), "410 version-pruned")
        Problems.check(try phone.restore(3, of: id), "410 version-is-deletion")
        Problems.check(try phone.restore(4, of: id), "404 not-found")
        Problems.check(try phone.restore(1, of: Preset().id), "404 not-found")
        for tag in ["2", "2-000000000000", "0-000000000000", "x", "2147483648-000000000000"] {
            let answer = try phone.restore(tag: tag, of: id)
            Problems.check(answer, "404 not-found")
            #expect(answer.string("detail").contains("the form 2-60303ae22b99"), "\(tag)")
        }
        for body in [#"{"version":2}"#, #"{"version":null}"#, "{}"] {
            let answer = try phone.send("POST", "/v2/configurations/\(id)/restore", body: body)
            Problems.check(answer, "422 invalid-document")
        }
        check(try phone.restore(2, of: id), version: 4)
    }

    @Test("A restore is an edit of now: earlier edits are refused and kept, later ones win")
    func editTime() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 2, by: phone)
        let id = presets[0].id
        check(try phone.restore(1, of: id), version: 3)
        // The edit is later than the restored document and earlier than the restore.
        let between = presets[0].edited("Offline", minute: 9)
        let late = try tablet.put(id, between.json)
        Problems.check(late, "409 edited-later")
        #expect(late.raw("current") == presets[0].json)
        #expect(try phone.conflicts(id).raw("conflicts")?.contains(between.json) == true)
        var after = presets[0].edited("Afterwards", minute: 0)
        after.modifiedAt = "2099-01-01T00:00:00Z"
        #expect(try tablet.put(id, after.json).status == 200)
        #expect(try phone.get(id).text == after.json)
    }

    @Test("A signed restore is accepted once, with any outcome")
    func signed() throws {
        let device = try Shared.signer()
        func send(_ method: String, _ target: String, _ body: String, _ fields: APIClient.Fields? = nil) throws
            -> HTTPAnswer
        {
            let signed = try device.signature(method, device.client.origin + target, body: body)
            return try device.send(method, target, fields ?? signed, body: body)
        }
        let preset = Preset()
        let target = "/v2/configurations/\(preset.id)"
        #expect(try send("POST", "/v2/configurations", #"{"configuration":\#(preset.json)}"#).status == 201)
        let edit = #"{"configuration":\#(preset.edited("Other", minute: 5).json)}"#
        #expect(try send("PUT", target, edit).status == 200)
        var reader = device
        reader.signatureVersion = 1
        let verdicts: [(Int, String)] = [(1, "200"), (1, "200"), (9, "404 not-found")]
        for (version, verdict) in verdicts {
            let body = #"{"version":"\#(try reader.tag(version, of: preset.id))"}"#
            let fields = try device.signature("POST", device.client.origin + target + "/restore", body: body)
            #expect(try send("POST", target + "/restore", body, fields).verdict == verdict)
            #expect(try send("POST", target + "/restore", body, fields).verdict == "401 nonce-used")
        }
        let versions = try device.signature("GET", device.client.origin + target + "/versions")
        #expect(try device.send("GET", target + "/versions", versions).objects("versions").count == 3)
    }
}

/// A client that got no answer sends the same restore again, regardless of later changes.
@Suite("Retries of a restore", .blocking)
struct VersionRestoreRetryTests {
    @Test(
        "A retried restore returns its first answer after other writes, and changes nothing",
        arguments: [[("If-Match", "\"2\"")], [], [("If-Match", "*")]] as [APIClient.Fields]
    )
    func retry(fields: APIClient.Fields) throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 2, by: tablet)
        let id = presets[0].id
        let fields = try phone.tagged(fields, of: id)
        let first = try phone.restore(1, of: id, fields)
        let theirs = presets[0].edited("Theirs", minute: 30)
        #expect(try tablet.put(id, theirs.json, tablet.ifMatch(3, of: id)).status == 200)
        // The retry also works if the named version was emptied meanwhile.
        for isPruned in [false, true] {
            if isPruned { try HistoryTests.prune(1, of: id) }
            let again = try phone.restore(1, of: id, fields)
            #expect(again.body == first.body)
            #expect(again.version == 3)
        }
        #expect(try phone.get(id).text == theirs.json)
        #expect(try tablet.delete(id).status == 200)
        #expect(try phone.restore(1, of: id, fields).body == first.body)
        #expect(try phone.get(id).status == 404)
    }

    @Test("A restore with a new If-Match, by another device or after a new write of the item is no retry")
    func noRetry() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 2, by: phone)
        let id = presets[0].id
        func edit(_ device: Device, _ minute: Int) throws {
            let version = try phone.get(id).field("etag") ?? ""
            let edited = presets[0].edited("Edit \(minute)", minute: minute)
            #expect(try device.put(id, edited.json, [("If-Match", version)]).status == 200)
        }
        #expect(try phone.restore(1, of: id).version == 3)
        try edit(tablet, 10)
        #expect(try tablet.restore(1, of: id).version == 5)
        try edit(tablet, 11)
        #expect(try phone.restore(1, of: id, phone.ifMatch(6, of: id)).version == 7)
        try edit(phone, 12)
        #expect(try phone.restore(1, of: id).version == 9)
        #expect(try phone.get(id).text == presets[0].json)
    }

    @Test("A device's first restore of its own old document is no retry")
    func ownDocument() throws {
        let (phone, tablet) = (try Shared.device(), try Shared.tablet())
        let presets = try HistoryTests.preset(versions: 1, by: phone)
        let id = presets[0].id
        #expect(try tablet.put(id, presets[0].edited("Theirs", minute: 5).json).status == 200)
        #expect(try phone.restore(1, of: id).version == 3)
    }

    @Test("A session without a device can retry its restore until it writes the item")
    func nameless() throws {
        let device = try Shared.newDevice()
        let tablet = try Shared.session(of: device, on: "tablet")
        try Shared.server.get().sql("UPDATE sessions SET device_id = NULL WHERE id = '\(device.sessionID)'")
        let presets = try HistoryTests.preset(versions: 2, by: device)
        let id = presets[0].id
        let first = try device.restore(1, of: id)
        #expect(first.version == 3)
        let edited = presets[0].edited("Later", minute: 9)
        #expect(try tablet.put(id, edited.json, first.ifMatch).status == 200)
        #expect(try device.restore(1, of: id).body == first.body)
        #expect(try device.get(id).text == edited.json)
        #expect(try device.restore(1, of: id, device.ifMatch(4, of: id)).version == 5)
        #expect(try device.put(id, edited.json, device.ifMatch(5, of: id)).version == 6)
        #expect(try device.restore(1, of: id).version == 7)
    }
}
