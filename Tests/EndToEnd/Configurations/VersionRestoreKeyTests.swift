import Foundation
import TestSupport
import Testing

/// The key distinguishes a retry from another restore in cases that the history can't decide.
@Suite("Restores with an Idempotency-Key", .blocking)
struct VersionRestoreKeyTests {
    private static func field() -> APIClient.Fields { [("Idempotency-Key", UUID().uuidString)] }

    @Test("A repeated restore with a key returns its first answer, also after later writes of the device")
    func repeated() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let (id, key) = (presets[0].id, Self.field())
        let first = try phone.restore(1, of: id, key)
        #expect(first.version == 4)
        let edited = presets[0].edited("Later", minute: 30)
        #expect(try phone.put(id, edited.json, first.ifMatch).status == 200)
        let before = try phone.pull().body
        for _ in 0..<2 {
            let again = try phone.restore(1, of: id, key)
            #expect(again.body == first.body && again.tag == first.tag)
        }
        #expect(try phone.pull().body == before)
        // With another key it is another request.
        #expect(try phone.restore(1, of: id, Self.field()).version == 6)
    }

    @Test("A repeated restore that wrote nothing is evaluated anew")
    func nothingWritten() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let (id, current, refused) = (presets[0].id, Self.field(), Self.field())
        let named = try phone.ifMatch(1, of: id)
        #expect(try phone.restore(3, of: id, current).version == 3)
        #expect(try phone.restore(2, of: id, refused + named).verdict == "412 version-mismatch")
        #expect(try phone.put(id, presets[0].edited("Later", minute: 30).json).version == 4)
        let again = try phone.restore(2, of: id, refused + named)
        #expect(again.verdict == "412 version-mismatch" && again.version == 4)
        for _ in 0..<2 { #expect(try phone.restore(3, of: id, current).version == 5) }
        // A refused restore leaves its key unused.
        #expect(try phone.restore(1, of: id, refused).version == 6)
    }

    @Test("A key that is used with another version, item or condition restores nothing and is refused")
    func reused() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let other = try HistoryTests.preset(versions: 2, by: phone)[0].id
        let (id, key) = (presets[0].id, Self.field())
        #expect(try phone.restore(1, of: id, key).version == 4)
        for answer in [
            try phone.restore(2, of: id, key), try phone.restore(1, of: other, key),
            try phone.restore(1, of: id, key + [("If-Match", "*")]), try phone.post(Preset().json, key),
        ] {
            Problems.check(answer, "422 idempotency-key-reused")
        }
        #expect(try phone.get(id).text == presets[0].json)
        #expect(try phone.get(other).version == 2)
        // The reverse case: a restore with the key of a POST.
        let (preset, taken) = (Preset(), Self.field())
        #expect(try phone.post(preset.json, taken).status == 201)
        Problems.check(try phone.restore(2, of: id, taken), "422 idempotency-key-reused")
        Problems.check(try phone.restore(2, of: id, [("Idempotency-Key", "a b")]), "400 invalid-header")
        #expect(try phone.get(id).version == 4)
    }

    @Test("A signed restore is accepted once; signed anew with the same key, it returns its first answer")
    func signed() throws {
        var device = try Shared.signer()
        device.signatureVersion = 1
        let presets = try HistoryTests.preset(versions: 2, by: device)
        let target = "/v2/configurations/\(presets[0].id)/restore"
        for (version, verdict) in [(1, "200"), (9, "404 not-found")] {
            let (body, key) = (#"{"version":"\#(try device.tag(version, of: presets[0].id))"}"#, Self.field())
            let url = device.client.origin + target
            var plain = device
            plain.signatureVersion = nil
            for _ in 0..<2 {
                let fields = try device.signature("POST", url, body: body) + key
                #expect(try plain.send("POST", target, fields, body: body).verdict == verdict)
                #expect(try plain.send("POST", target, fields, body: body).verdict == "401 nonce-used")
            }
            #expect(try device.get(presets[0].id).version == 3)
        }
    }
}
