import Foundation
import TestSupport
import Testing

@Suite("Malformed bodies", .blocking)
struct BadBodyTests {
    @Test("Every operation with a body refuses malformed JSON", arguments: try withBody())
    func text(operation: Operation) throws {
        try Fault.check(Fault.unreadable(by: operation), operation, by: FilledAccount.shared())
    }

    @Test("Every operation with a body refuses JSON that breaks its schema", arguments: try withBody())
    func document(operation: Operation) throws {
        let faults = try Fault.ofDocument(#require(operation.body))
        #expect(faults.count >= 5)
        try Fault.check(faults, operation, by: FilledAccount.shared())
    }

    @Test("Every operation with a body refuses another media type", arguments: try withBody())
    func mediaType(operation: Operation) throws {
        try Fault.check(Fault.ofMediaType(#require(operation.body)), operation, by: FilledAccount.shared())
    }

    @Test(
        "Every operation with a body refuses too long, cut off and ambiguously framed bodies",
        arguments: try withBody()
    )
    func framing(operation: Operation) throws {
        try Fault.check(Fault.ofLength + Fault.ofFraming, operation, by: FilledAccount.shared())
    }

    private static func withBody() throws -> [Operation] { try Operation.all().filter { $0.body != nil } }

    @Test(
        "Operations without a body tolerate one",
        arguments: try Operation.all().filter { $0.body == nil && $0.bytesType == nil && $0.method != "HEAD" }
    )
    func ignored(operation: Operation) throws {
        // Some requests succeed, and then the thing that they name is gone. So each operation has an account of its
        // own.
        let account = try FilledAccount()
        for fault in Fault.ofText + Fault.ofLength + Fault.ofFraming {
            let connection = try HTTPConnection(port: account.device.client.port)
            var draft = fault.draft(operation, by: account)
            draft.set("Content-Type", "application/json")
            try? connection.send(draft.bytes)
            if fault.endsSending { connection.endSending() }
            let answer = try #require(try connection.receive())
            #expect(answer.status < 500 || answer.verdict == "501 coding-not-implemented", "\(fault.name)")
            #expect(operation.declares(answer.verdict), "\(fault.name): \(answer.verdict)")
            if answer.field("connection") == "close" || fault.endsSending {
                #expect(try connection.isClosed(), "\(fault.name)")
            } else {
                try connection.send(APIClient.request("GET", "/healthz", host: "127.0.0.1"))
                #expect(try connection.receive()?.text.contains("\"ok\"") == true, "\(fault.name)")
            }
        }
    }

    @Test("JSON is accepted with any spelling of its media type")
    func mediaTypes() throws {
        let device = try Shared.device()
        for type in [
            "application/json", "Application/JSON", "application/json; charset=utf-8", "application/json;charset=UTF-8",
        ] {
            #expect(try device.post(Preset().json, [("Content-Type", type)]).status == 201)
        }
    }

    @Test(
        "Every JSON body is accepted without Content-Type and with URLSession's own",
        arguments: try withBody().filter { $0.body?.mediaType == "application/json" }
    )
    func unnamedType(operation: Operation) throws {
        for types in [[], ["application/x-www-form-urlencoded"]] {
            var draft = try RequestDraft(operation, by: FilledAccount.shared())
            draft.fields.removeAll { $0.0 == "Content-Type" }
            draft.fields += types.map { ("Content-Type", $0) }
            draft.body = Array("{".utf8)
            Problems.check(try draft.send(Shared.client()), "400 invalid-json")
        }
    }

    @Test("Numbers of any spelling and size are compared exactly and quickly")
    func numbers() throws {
        let device = try Shared.device()
        func verdict(_ frameRate: String, _ more: String = "") throws -> String {
            let preset = Preset(more: more)
            let json = preset.json.replacing(#""frame_rate":60"#, with: #""frame_rate":\#(frameRate)"#)
            let answer = try device.post(json)
            if answer.status == 201 { #expect(try device.get(preset.id).text == json) }
            return answer.verdict
        }
        for good in ["6e1", "60.0", "600e-1", "0.24E+3", "1.00000000000000000000000000000"] {
            #expect(try verdict(good) == "201", "\(good)")
        }
        for bad in [
            "1e999999999", "1e-999999999", "-1e999999999", "240.00000000000000000000000001", "1e99999999999999999999",
        ] {
            #expect(try verdict(bad).hasPrefix("4"), "\(bad)")
        }
        let begin = ContinuousClock.now
        for huge in ["1e999999999", "-1e-999999999", String(repeating: "9", count: 100_000)] {
            let verdict = try verdict("60", #","x":\#(huge)"#)
            #expect(verdict == "201" || verdict == "400 invalid-json", "\(huge.prefix(20)) \(verdict)")
        }
        #expect(ContinuousClock.now - begin < .seconds(2))
    }

    @Test("A document of exactly the greatest size and depth is accepted, also in a batch, and no larger one")
    func atTheBounds() throws {
        let device = try Shared.device()
        var preset = Preset()
        let levels = String(repeating: "[", count: 62) + String(repeating: "]", count: 62)
        preset.more = #","x":\#(levels)"#
        #expect(try device.post(preset.json).status == 201)
        preset = Preset()
        let size = preset.json.utf8.count
        preset.more = #","x":"\#(String(repeating: "y", count: (1 << 20) - size - 7))""#
        #expect(preset.json.utf8.count == 1 << 20)
        #expect(try device.post(preset.json).status == 201)
        #expect(try device.get(preset.id).text == preset.json)
        #expect(try device.delete(preset.id).status == 200)
        // A batch accepts a document of the same size, and a PUT can then send the document.
        preset = Preset(id: UUID().uuidString, more: preset.more)
        func batch(_ document: String) throws -> HTTPAnswer {
            let operation = #"{"operation":"create","configuration":\#(document)}"#
            return try device.send("POST", "/v2/configurations/batch", body: #"{"operations":[\#(operation)]}"#)
        }
        #expect(try batch(preset.json).text.contains(#""status":201"#))
        #expect(try device.put(preset.id, preset.json, device.ifMatch(1, of: preset.id)).status == 200)
        #expect(try device.delete(preset.id).status == 200)
        preset = Preset(id: UUID().uuidString, more: preset.more.dropLast() + #"y""#)
        #expect(try batch(preset.json).text.contains(#""quota":"document_bytes""#))
    }
}
