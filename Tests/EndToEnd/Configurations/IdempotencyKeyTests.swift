import Foundation
import TestSupport
import Testing

@Suite("Idempotency-Key", .blocking)
struct IdempotencyKeyTests {
    private static func field(_ key: String = UUID().uuidString) -> APIClient.Fields { [("Idempotency-Key", key)] }

    /// The parts of an answer that a repeated answer must have, too.
    private static func essence(_ answer: HTTPAnswer) -> [String] {
        [answer.verdict, answer.field("etag") ?? "-", answer.field("location") ?? "-"]
            + (answer.problem.isEmpty ? [answer.text] : [answer.raw("current") ?? "-", answer.raw("version") ?? "-"])
    }

    private static func batch(_ device: Device, _ key: APIClient.Fields, _ operations: String...) throws -> HTTPAnswer {
        let body = #"{"operations":[\#(operations.joined(separator: ","))]}"#
        return try device.send("POST", "/v2/configurations/batch", key, body: body)
    }

    @Test(
        "What a POST with a key has written is answered as the first time, alone and in a batch, after any other writes"
    )
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

    @Test("What was refused is judged anew, and the key stays free as long as nothing was written")
    func refused() throws {
        let (device, preset, key) = (try Shared.newDevice(), Preset(), Self.field())
        #expect(try device.post(preset.json).status == 201)
        let other = preset.edited("Other", minute: 2)
        #expect(try device.post(other.json, key).verdict == "409 configuration-exists")
        let second = preset.edited("Second", minute: 1)
        #expect(try device.put(preset.id, second.json).status == 200)
        #expect(try device.post(other.json, key).raw("current") == second.json)
        #expect(try device.post(Preset().json, key).status == 201)
        Problems.check(try device.post(other.json, key), "422 idempotency-key-reused")
    }

    @Test("Of a batch with a key, what was written is answered as the first time, and the rest is judged anew")
    func partialBatch() throws {
        let (device, a, b, key) = (try Shared.newDevice(), Preset(), Preset(), Self.field())
        let edited = b.edited("Edited", minute: 5)
        func send() throws -> [[String: Any]] {
            try Self.batch(
                device,
                key,
                #"{"operation":"create","configuration":\#(a.json)}"#,
                #"{"operation":"replace","configuration":\#(edited.json)}"#
            ).objects("results")
        }
        let first = try send()
        #expect(first.map { $0["status"] as? Int } == [201, 404])
        #expect(try device.delete(a.id).status == 200)
        #expect(try device.post(b.json).status == 201)
        let second = try send()
        #expect(second.map { $0["status"] as? Int } == [201, 200])
        #expect(second[0]["version"] as? String == first[0]["version"] as? String)
        #expect(try device.put(b.id, b.edited("Later", minute: 9).json).status == 200)
        let third = try send()
        #expect(third.map { $0["version"] as? String } == second.map { $0["version"] as? String })
        #expect(try device.pull().rawElements("configurations") == [b.edited("Later", minute: 9).json])
    }

    @Test("With another body, path or condition it is refused")
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
        // Keys belong to an account, so another account can use the same key.
        #expect(try Shared.newDevice().post(Preset().json, key).status == 201)
    }

    @Test(
        "A malformed key is refused before anything happens",
        arguments: ["", " ", "a b", "\u{e9}", String(repeating: "k", count: 256)]
    )
    func malformed(key: String) throws {
        let device = try Shared.newDevice()
        Problems.check(try device.post(Preset().json, Self.field(key)), "400 invalid-header")
        Problems.check(try device.post(Preset().json, Self.field("a") + Self.field("a")), "400 invalid-header")
        #expect(try device.pull().rawElements("configurations") == [])
        #expect(try device.post(Preset().json, Self.field(String(repeating: "~", count: 255))).status == 201)
    }

    @Test("What was refused before the write is asked anew, and what is signed must be signed anew")
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

    @Test("A restarted server still knows the key")
    func restart() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        var device = try Device.new(server.client)
        let preset = Preset()
        let key = Self.field()
        let first = try device.post(preset.json, key)
        #expect(try device.put(preset.id, preset.edited("B", minute: 2).json).status == 200)
        #expect(try server.stop() == 0)
        try server.start()
        device.client = server.client
        let again = try device.post(preset.json, key)
        #expect(again.status == 201)
        #expect(again.text == first.text)
        #expect(try device.post(Preset().json, key).verdict == "422 idempotency-key-reused")
    }
}
