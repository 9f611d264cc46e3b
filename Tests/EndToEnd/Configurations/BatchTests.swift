import Foundation
import TestSupport
import Testing

@Suite("Batches of configuration writes", .blocking)
struct BatchTests {
    private static let target = "/v2/configurations/batch"

    private static func create(_ preset: Preset, _ more: String = "") -> String {
        #"{"operation":"create","configuration":\#(preset.json)\#(more)}"#
    }

    private static func replace(_ preset: Preset, _ more: String = "") -> String {
        #"{"operation":"replace","id":"\#(preset.id.lowercased())","configuration":\#(preset.json)\#(more)}"#
    }

    private static func delete(_ id: String, _ more: String = "") -> String {
        #"{"operation":"delete","id":"\#(id)"\#(more)}"#
    }

    private static func body(_ operations: [String], isAtomic: Bool = false) -> String {
        #"{\#(isAtomic ? #""atomic":true,"# : "")"operations":[ \#(operations.joined(separator: " , ")) ]}"#
    }

    private static func send(_ device: Device, _ operations: [String]) throws -> HTTPAnswer {
        try device.send("POST", target, body: body(operations))
    }

    /// The status and problem code of each result.
    private static func verdicts(_ answer: HTTPAnswer) -> [String] {
        (answer.json["results"] as? [[String: Any]] ?? []).map { result in
            let type = (result["problem"] as? [String: Any])?["type"] as? String
            let code = type?.split(separator: "/").last.map { " \($0)" } ?? ""
            return "\(result["status"] as? Int ?? 0)\(code)"
        }
    }

    private static func result(_ answer: HTTPAnswer, _ index: Int) throws -> [String: Any] {
        try #require((answer.json["results"] as? [[String: Any]])?[index])
    }

    @Test("Every operation of a batch is answered like a request of its own, in order")
    func results() throws {
        let device = try Shared.newDevice()
        let (old, gone, new) = (Preset(), Preset(), Preset())
        for preset in [old, gone] { #expect(try device.post(preset.json).status == 201) }
        let unknown = Preset()
        let answer = try Self.send(
            device,
            [
                Self.create(new), Self.replace(old.edited("Next", minute: 4)), Self.replace(unknown),
                Self.delete(gone.id.lowercased()),
            ]
        )
        #expect(answer.status == 200)
        #expect(answer.string("outcome") == "partial")
        #expect(Self.verdicts(answer) == ["201", "200", "404 not-found", "200"])
        let absent = try Self.result(answer, 2)["problem"] as? [String: Any]
        #expect((absent?["detail"] as? String)?.contains("operation create") == true)
        let created = try Self.result(answer, 0)
        #expect(created["id"] as? String == new.id)
        let tag = try device.tag(1, of: new.id)
        #expect(created["version"] as? String == tag)
        #expect(created["etag"] as? String == "\"\(tag)\"")
        #expect(try device.get(new.id).text == new.json)
        #expect(try Self.result(answer, 3)["id"] as? String == gone.id, "as its first POST spelled it")
        let delta = try device.pull()
        #expect(delta.rawElements("configurations") == [new.json, old.edited("Next", minute: 4).json])
        #expect(delta.json["deleted"] as? [String] == [gone.id])
        // The answer was lost, so the client sends the batch's operations again.
        let again = try Self.send(device, [Self.create(new), Self.delete(gone.id)])
        #expect(again.string("outcome") == "done")
        #expect(try Self.result(again, 0)["changed_at"] as? String == created["changed_at"] as? String)
    }

    @Test("A conflict in a batch returns the current document, and the conditions work like the headers")
    func conflicts() throws {
        let device = try Shared.newDevice()
        let (a, b, c) = (Preset(), Preset(), Preset())
        for preset in [a, b, c] { #expect(try device.post(preset.json).status == 201) }
        let answer = try Self.send(
            device,
            [
                Self.create(a.edited("Other", minute: 3)),
                Self.replace(b.edited("X", minute: 3), #","if_match":"7-000000000000""#),
                Self.delete(c.id, #","if_match":"*","if_none_match":"\#(device.tag(1, of: c.id))""#),
            ]
        )
        #expect(
            Self.verdicts(answer) == ["409 configuration-exists", "412 version-mismatch", "412 version-mismatch"]
        )
        let problem = try #require(try Self.result(answer, 0)["problem"] as? [String: Any])
        #expect((problem["current"] as? [String: Any])?["name"] as? String == a.name)
        #expect(try problem["version"] as? String == device.tag(1, of: a.id))
        #expect(problem["instance"] as? String == answer.field("x-request-id"))
        let done = try Self.send(
            device,
            [
                Self.delete(c.id, #","if_match":"\#(device.tag(1, of: c.id))""#),
                Self.replace(b.edited("Y", minute: 4), #","if_match":"*""#),
            ]
        )
        #expect(done.string("outcome") == "done")
        // As in header fields, a number without quotes names no version.
        let bare = try Self.send(device, [Self.replace(b.edited("Z", minute: 5), #","if_match":"2""#)])
        #expect(Self.verdicts(bare) == ["412 version-mismatch"])
    }

    @Test("All violations of a batch are listed with pointers to the operations, and nothing is written")
    func invalid() throws {
        let device = try Shared.newDevice()
        let (a, b) = (Preset(), Preset())
        let long = Preset(String(repeating: "x", count: 101))
        let cases: [(operations: [String], pointers: [String])] = [
            ([], ["/operations"]), ((0...500).map { _ in Self.delete(UUID().uuidString) }, ["/operations"]),
            ([Self.create(a), Self.create(long)], ["/operations/1/configuration/name"]),
            ([Self.create(a), Self.replace(b), Self.delete(a.id.lowercased())], ["/operations/2"]),
            ([Self.create(a, #","id":"\#(b.id)""#)], ["/operations/0/id"]),
            ([#"{"operation":"merge","id":"x"}"#], ["/operations/0/operation"]),
            ([#"{"operation":"create","id":"x"}"#], ["/operations/0/id", "/operations/0/configuration"]),
            ([#"{"operation":"delete"}"#], ["/operations/0/id"]),
            ([#"{"operation":"create"}"#], ["/operations/0/configuration"]),
            (["7", "null"], ["/operations/0", "/operations/1"]),
            ([Self.delete(a.id, #","if_match":7"#)], ["/operations/0/if_match"]),
            ([Self.delete(a.id, #","if_none_match":[]"#)], ["/operations/0/if_none_match"]),
        ]
        for (operations, pointers) in cases {
            let answer = try Self.send(device, operations)
            Problems.check(answer, "422 invalid-document")
            let errors = (answer.json["errors"] as? [[String: Any]] ?? []).compactMap { $0["pointer"] as? String }
            #expect(Set(errors) == Set(pointers), "\(operations.first ?? "")")
        }
        for body in [#"{"atomic":1,"operations":[\#(Self.delete(a.id))]}"#, #"{"operations":{}}"#, "{}"] {
            Problems.check(try device.send("POST", Self.target, body: body), "422 invalid-document")
        }
        #expect(try device.pull().rawElements("configurations") == [])
    }

    @Test("A batch takes 500 full documents, and its body has a limit of its own", .inFull)
    func size() throws {
        let device = try Device.new(Shared.observedServer.get().client)
        let more = #","notes":"\#(String(repeating: "n", count: 7000))""#
        let presets = (0..<500).map { Preset("Preset \($0)", more: more) }
        let answer = try Self.send(device, presets.map { Self.create($0) })
        #expect(answer.string("outcome") == "done", "\(answer.text.prefix(300))")
        let kept = try device.pull().rawElements("configurations")
        #expect(kept == presets.map(\.json))
        let tooLarge = String(repeating: " ", count: (4 << 20) + 1)
        Problems.check(try device.send("POST", Self.target, body: tooLarge), "413 body-too-large")
    }

    @Test("A signed atomic batch with a refusal writes nothing and is accepted once; it needs a token")
    func replay() throws {
        let device = try Shared.signer()
        let operations = [Self.create(Preset()), Self.delete(UUID().uuidString)]
        let body = Self.body(operations, isAtomic: true)
        let fields = try device.signature("POST", device.client.origin + Self.target, body: body)
        let refused = try device.send("POST", Self.target, fields, body: body)
        #expect(refused.status == 200)
        #expect(refused.string("outcome") == "refused")
        #expect(Self.verdicts(refused) == ["424 batch-refused", "404 not-found"])
        #expect(try device.send("POST", Self.target, fields, body: body).verdict == "401 nonce-used")
        #expect(try device.send("POST", Self.target, body: body).verdict == "401 signature-missing")
        Problems.check(try device.client.send("POST", Self.target, body: body), "401 token-missing")
    }
}
