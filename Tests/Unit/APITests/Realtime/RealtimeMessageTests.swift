import NeuroViewsJSON
import Testing

@testable import API
@testable import CloudSync

@Suite("Messages of sockets")
struct RealtimeMessageTests {
    private static let stream = "7F1D0C9A-2F57-4F7E-9B6A-3C2F1E0D4B5A"

    private static func read(_ text: String) throws -> RealtimeMessage {
        try RealtimeRules(message: Schemas()["realtime-message.json"]).message(Array(text.utf8))
    }

    private static func event(_ text: String) throws -> (RealtimeEvent.Kind, data: String) {
        guard case .event(let event) = try read(text).content else { throw Problem(.internalError) }
        return (event.kind, String(decoding: event.data, as: UTF8.self))
    }

    /// The pointers and keywords of the violations.
    private static func violations(_ text: String) -> [String] {
        do {
            _ = try read(text)
            return []
        } catch RealtimeFault.invalid(let violations, _) {
            return violations.map { "\($0.pointer) \($0.keyword)" }
        } catch { return ["\(error)"] }
    }

    @Test("The data of a message are kept byte for byte")
    func bytes() throws {
        let data = #"{ "session_id" : "\#(Self.stream)","metrics":{"bitrate":1.50e3, "x":[]} ,"more":"\u00e9" }"#
        let (kind, kept) = try Self.event(#"{"data":\#(data),"type":"streaming_metrics","other":1}"#)
        #expect(kind == .streamingMetrics(sessionID: Self.stream.lowercased()))
        #expect(kept == data)
    }

    @Test(
        "Keys and tokens of destinations are removed at any depth, in both spellings",
        arguments: ["stream_key", "streamKey", "auth_token", "authToken", #"stream\u005fkey"#]
    )
    func secrets(name: String) throws {
        let destination = #"{"name":"Stage","\#(name)":"secret","configuration":{"a":[{"\#(name)":"secret"}]}}"#
        let data = #"{"session_id":"\#(Self.stream)","destinations":[\#(destination)]}"#
        let (_, kept) = try Self.event(#"{"type":"streaming_started","data":\#(data)}"#)
        #expect(
            kept
                == #"{"session_id":"\#(Self.stream)","destinations":[{"name":"Stage","configuration":{"a":[{}]}}]}"#
        )
    }

    @Test("A stream without secrets is kept byte for byte")
    func noSecrets() throws {
        let data = #"{"session_id":"\#(Self.stream)", "destinations":[ {"protocol":"RTMPS"} ]}"#
        #expect(try Self.event(#"{"type":"streaming_started","data":\#(data)}"#).data == data)
    }

    @Test("A status of any value is taken, and of an object the names of its commands")
    func status() throws {
        let long = (0..<65).map { "\($0)" }
        let other = [
            "null", "1", #""busy""#, "[]", "{}", #"{"state":1}"#, #"{"state":{"is":"idle"},"accepts":"all"}"#,
            #"{"accepts":{"zoom":true}}"#, #"{"accepts":["zoom",1]}"#, #"{"accepts":[{"name":"zoom"}]}"#,
        ]
        var rows: [(String, [String]?)] = other.map { ($0, nil) }
        rows += [
            (#"{"state":"idle","accepts":["a","b"]}"#, ["a", "b"]), (#"{"accepts":[]}"#, []),
            (#"{"accepts":\#(long)}"#, Array(long.prefix(64))),
        ]
        for (value, accepts) in rows {
            let (kind, data) = try Self.event(
                #"{"type":"device_status","data":{"device_id":"phone","status":\#(value)}}"#
            )
            #expect(kind == .deviceStatus(deviceID: "phone", accepts: accepts), "\(value)")
            // Another server reads the same in the device's row.
            var states = DeviceStates()
            _ = states.take(RealtimeEvent(kind, data: Array(data.utf8)), of: "phone", nowMs: 0)
            #expect(DeviceStates(rowText: states.rowText) == states, "\(value)")
        }
    }

    @Test("A command has its id in lower case, and 10 seconds unless it names others")
    func command() throws {
        let text =
            #"{"type":"remote_command","id":"\#(Self.stream)","to":"phone","data":{"command":"zoom","parameters":[2]}}"#
        guard case .command(let command) = try Self.read(text).content else { throw Problem(.internalError) }
        #expect(command.id == Self.stream.lowercased())
        #expect(command.to == "phone" && command.timeoutMs == 10_000 && command.name == "zoom")
        #expect(String(decoding: command.data, as: UTF8.self) == #"{"command":"zoom","parameters":[2]}"#)
        guard case .command(let other) = try Self.read(#"{"type":"remote_command","data":{"command":{"a":1}}}"#).content
        else { throw Problem(.internalError) }
        #expect(UUIDText.isValid(other.id) && other.to == nil && other.name == nil)
    }

    @Test("A retry of a command has the same digest, whatever its spelling and its timeout")
    func digest() throws {
        func digest(_ text: String) throws -> [UInt8] {
            guard case .command(let command) = try Self.read(text).content else { throw Problem(.internalError) }
            return command.digest
        }
        let first = try digest(
            #"{"type":"remote_command","to":"a","data":{"command":"zoom","parameters":{"x":1,"y":2}}}"#
        )
        let again = try digest(
            #"{"type":"remote_command","to":"a","timeout_ms":500,"data":{"parameters":{"y":2.0, "x":1},"command":"zoom"}}"#
        )
        #expect(first == again)
        for other in [
            #"{"type":"remote_command","to":"b","data":{"command":"zoom","parameters":{"x":1,"y":2}}}"#,
            #"{"type":"remote_command","to":"a","data":{"command":"zoom","parameters":{"x":1,"y":3}}}"#,
            #"{"type":"remote_command","to":"a","data":{"command":"focus","parameters":{"x":1,"y":2}}}"#,
        ] { #expect(try digest(other) != first) }
        let body = #"{"command":"zoom","parameters":{"x":1,"y":2},"to":"a"}"#
        let sent = try RemoteCommand(body: Array(body.utf8), JSONParser.parse(Array(body.utf8), policy: .requestBody))
        #expect(sent.digest == first)
        #expect(String(decoding: sent.data, as: UTF8.self) == #"{"command":"zoom","parameters":{"x":1,"y":2}}"#)
    }

    @Test("The result and the error of an outcome are kept byte for byte")
    func result() throws {
        let text =
            #"{"type":"command_result","data":{"reply_to":"\#(Self.stream)","status":"failed","error": {"a": 1.0} ,"x":1}}"#
        guard case .result(let result) = try Self.read(text).content else { throw Problem(.internalError) }
        #expect(result.replyTo == Self.stream.lowercased() && result.status == "failed")
        #expect(result.details.map { String(decoding: $0, as: UTF8.self) } == #"{"error":{"a": 1.0}}"#)
        var writer = JSONWriter()
        writer.beginObject()
        CommandOutcome(id: "1", status: "failed", details: result.details).write(to: &writer, id: "reply_to")
        writer.endObject()
        #expect(
            String(decoding: writer.bytes, as: UTF8.self) == #"{"reply_to":"1","status":"failed","error":{"a": 1.0}}"#
        )
    }

    @Test(
        "A message that breaks a rule is refused with a pointer to it",
        arguments: [
            (#"[]"#, " type"),
            (#"{}"#, "/type required"),
            (#"{"type":"hello","data":{}}"#, "/type enum"),
            (#"{"type":"account_changed","data":{}}"#, "/type enum"),
            (#"{"type":"streaming_stopped"}"#, "/data required"),
            (#"{"type":"streaming_stopped","data":{"session_id":"1"}}"#, "/data/session_id format"),
            (#"{"type":"device_status","data":{"device_id":"a\u0007","status":1}}"#, "/data/device_id format"),
            (#"{"type":"remote_command","data":{"command":""}}"#, "/data/command minLength"),
            (#"{"type":"remote_command","timeout_ms":499,"data":{"command":"a"}}"#, "/timeout_ms minimum"),
            (#"{"type":"remote_command","timeout_ms":30001,"data":{"command":"a"}}"#, "/timeout_ms maximum"),
            (#"{"type":"remote_command","id":"a","data":{"command":"a"}}"#, "/id format"),
        ]
    )
    func refused(text: String, violation: String) {
        #expect(Self.violations(text) == [violation])
    }

    @Test("A command's name has at most 64 bytes, command and parameters together 4 KiB")
    func sizes() {
        func command(_ name: String, _ parameters: Int = 0) -> String {
            let text = String(repeating: "x", count: parameters)
            return #"{"type":"remote_command","data":{"command":"\#(name)","parameters":"\#(text)"}}"#
        }
        #expect(Self.violations(command(String(repeating: "é", count: 32))) == [])
        #expect(Self.violations(command(String(repeating: "é", count: 33))) == ["/data/command maxLength"])
        // The quotes count, too.
        #expect(Self.violations(command("a", 4096 - 5)) == [])
        #expect(Self.violations(command("a", 4096 - 4)) == ["/data/parameters maxLength"])
    }

    @Test("A text that is not JSON in UTF-8 is no message, and a refusal names the id that it has")
    func faults() {
        for text in [[], Array("{".utf8), Array(#"{"a":1,"a":2}"#.utf8), [0x22, 0xFF, 0x22]] as [[UInt8]] {
            #expect(throws: RealtimeFault.self) {
                try RealtimeRules(message: Schemas()["realtime-message.json"]).message(text)
            }
        }
        do {
            _ = try Self.read(#"{"type":"remote_command","id":"\#(Self.stream)","data":1}"#)
            Issue.record("it was taken")
        } catch RealtimeFault.invalid(_, let reply) {
            #expect(reply == Self.stream.lowercased())
        } catch { Issue.record(error) }
    }
}
