import Foundation
import TestSupport
import Testing

/// Where the history can't tell a retry from another restore, the key does.
@Suite("A restore with an Idempotency-Key")
struct VersionRestoreKeyTests {
    private static func field() -> APIClient.Fields { [("Idempotency-Key", UUID().uuidString)] }

    private static func essence(_ answer: HTTPAnswer) -> [String] {
        [answer.verdict, answer.field("etag") ?? "-"]
            + (answer.problem.isEmpty ? [answer.text] : [answer.raw("current") ?? "-", answer.raw("version") ?? "-"])
    }

    @Test("The first answer again: restored, current already, refused; also after the same device has written on")
    func repeated() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let (id, unknown) = (presets[0].id, UUID().uuidString)
        let keys = (0..<4).map { _ in Self.field() }
        func all() throws -> [[String]] {
            [
                Self.essence(try phone.restore(3, of: id, keys[0])),
                Self.essence(try phone.restore(1, of: id, keys[1])),
                Self.essence(try phone.restore(2, of: id, keys[2] + [("If-Match", "\"3\"")])),
                Self.essence(try phone.restore(1, of: unknown, keys[3])),
            ]
        }
        let first = try all()
        #expect(first.map { $0[0] } == ["200", "200", "412 version-mismatch", "404 not-found"])
        #expect(first.map { $0[1] } == ["\"3\"", "\"4\"", "\"4\"", "-"])
        let edited = presets[0].edited("Later", minute: 30)
        #expect(try phone.put(id, edited.json, [("If-Match", "\"4\"")]).status == 200)
        let before = try phone.pull().body
        for _ in 0..<2 { #expect(try all() == first) }
        #expect(try phone.pull().body == before)
        // Under another name it is another request.
        #expect(try phone.restore(1, of: id, Self.field()).int("version") == 6)
    }

    @Test("With another version, item or condition the key is refused, and nothing is restored")
    func reused() throws {
        let phone = try Shared.newDevice()
        let presets = try HistoryTests.preset(versions: 3, by: phone)
        let other = try HistoryTests.preset(versions: 2, by: phone)[0].id
        let (id, key) = (presets[0].id, Self.field())
        #expect(try phone.restore(1, of: id, key).int("version") == 4)
        for answer in [
            try phone.restore(2, of: id, key), try phone.restore(1, of: other, key),
            try phone.restore(1, of: id, key + [("If-Match", "*")]), try phone.post(Preset().json, key),
        ] {
            Problems.check(answer, "422 idempotency-key-reused")
        }
        #expect(try phone.get(id).text == presets[0].json)
        #expect(try phone.get(other).field("etag") == "\"2\"")
        // And the other way round.
        let (preset, taken) = (Preset(), Self.field())
        #expect(try phone.post(preset.json, taken).status == 201)
        Problems.check(try phone.restore(2, of: id, taken), "422 idempotency-key-reused")
        Problems.check(try phone.restore(2, of: id, [("Idempotency-Key", "a b")]), "400 invalid-header")
        #expect(try phone.get(id).field("etag") == "\"4\"")
    }

    @Test("A signed one is taken once, however it is answered; with the key, signed anew, it is answered again")
    func signed() throws {
        var device = try Shared.signer()
        device.signatureVersion = 2
        let presets = try HistoryTests.preset(versions: 2, by: device)
        let target = "/v2/configurations/\(presets[0].id)/restore"
        for (version, verdict) in [(1, "200"), (9, "404 not-found")] {
            let (body, key) = (#"{"version":\#(version)}"#, Self.field())
            let url = device.client.origin + target
            var plain = device
            plain.signatureVersion = nil
            for _ in 0..<2 {
                let fields = try device.signature("POST", url, body: body) + key
                #expect(try plain.send("POST", target, fields, body: body).verdict == verdict)
                #expect(try plain.send("POST", target, fields, body: body).verdict == "401 nonce-used")
            }
            #expect(try device.get(presets[0].id).field("etag") == "\"3\"")
        }
    }
}
