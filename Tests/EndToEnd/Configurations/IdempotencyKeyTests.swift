import Foundation
import TestSupport
import Testing

@Suite("Idempotency-Key", .blocking)
struct IdempotencyKeyTests {
    private static func field(_ key: String = UUID().uuidString) -> APIClient.Fields { [("Idempotency-Key", key)] }

    /// The parts of an answer that a repeated answer must have, too.
    private static func essence(_ answer: HTTPAnswer) -> [String] {
        [answer.verdict, answer.field("etag") ?? "-", answer.field("location") ?? "-", answer.text]
    }

    private static func batch(_ device: Device, _ key: APIClient.Fields, _ operations: String...) throws -> HTTPAnswer {
        let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        return try device.send("POST", "/v2/configurations/batch", key, body: body)
    }

    @Test("A repeated POST or batch with a key returns its first answer, also after other writes")
    func repeated() throws {
        let device = try Shared.newDevice()
        let preset = Preset()
        let (creation, deletion) = (Self.field(), Self.field())
        func all() throws -> [[String]] {
            [
                Self.essence(try device.post(preset.json, creation)),
                Self.essence(try Self.batch(device, deletion, #"{"operation":"delete","id":"\#(preset.id)"}"#)),
            ]
        }
        let first = try all()
        #expect(first.map { $0[0] } == ["201", "200"])
        let back = preset.edited("Back", minute: 3)
        #expect(try device.put(preset.id, back.json, device.ifMatch(2, of: preset.id)).status == 200)
        #expect(try all() == first)
        #expect(try device.get(preset.id).text == back.json)
    }

    @Test("A key that is used with another body, path or condition is refused")
    func reused() throws {
        let device = try Shared.newDevice()
        let key = Self.field()
        let preset = Preset()
        #expect(try device.post(preset.json, key).status == 201)
        Problems.check(try device.post(Preset().json, key), "422 idempotency-key-reused")
        Problems.check(try device.post(preset.json, key + [("If-None-Match", "*")]), "422 idempotency-key-reused")
        let body = #"{"configuration":\#(preset.json),"operations":[{"operation":"delete","id":"\#(preset.id)"}]}"#
        Problems.check(
            try device.send("POST", "/v2/configurations/batch", key, body: body),
            "422 idempotency-key-reused"
        )
        #expect(try device.get(preset.id).status == 200)
    }

    @Test(
        "A malformed Idempotency-Key is refused before the write",
        arguments: ["", " ", "a b", "\u{e9}", String(repeating: "k", count: 256)]
    )
    func malformed(key: String) throws {
        let device = try Shared.newDevice()
        Problems.check(try device.post(Preset().json, Self.field(key)), "400 invalid-header")
        Problems.check(try device.post(Preset().json, Self.field("a") + Self.field("a")), "400 invalid-header")
        #expect(try device.pull().rawElements("configurations") == [])
        #expect(try device.post(Preset().json, Self.field(String(repeating: "~", count: 255))).status == 201)
    }

    @Test("A key of a refused request stays free, and a signed repetition needs a new signature")
    func notKept() throws {
        let device = try Shared.newDevice()
        let key = Self.field()
        let preset = Preset()
        #expect(try device.post("{}", key).verdict == "422 invalid-document")
        var stranger = device
        stranger.token = "x"
        #expect(try stranger.post(preset.json, key).status == 401)
        #expect(try device.post(preset.json, key).status == 201)

        let signer = try Shared.signer()
        let body = #"{"configuration":\#(Preset().json)}"#
        func send(_ signed: APIClient.Fields) throws -> String {
            try signer.send("POST", "/v2/configurations", signed + key, body: body).verdict
        }
        let signed = try signer.signature("POST", signer.client.origin + "/v2/configurations", body: body)
        #expect(try send(signed) == "201")
        #expect(try send(signed) == "401 nonce-used")
        let anew = try signer.signature("POST", signer.client.origin + "/v2/configurations", body: body)
        #expect(try send(anew) == "201")
    }
}
