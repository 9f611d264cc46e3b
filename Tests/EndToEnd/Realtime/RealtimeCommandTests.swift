import Foundation
import TestSupport
import Testing

@Suite("Commands to other devices", .blocking)
struct RealtimeCommandTests {
    /// A second server on the shared server's database.
    private static let second = Result {
        let first = try Shared.server.get()
        let places = ["--database-url", first.connectionString, "--secret-file", first.data + "/secret.key"]
        return try ServerProcess(places + ["--signatures", "optional", "--media-jobs", "0"])
    }

    /// A watch, and a device that carries out commands on a thread of its own.
    private static func watch() throws -> Device { try Shared.session(of: Shared.newDevice(), on: "watch") }

    private static func send(_ body: String, by watch: Device) throws -> HTTPAnswer {
        try watch.send("POST", "/v2/realtime/commands", body: body)
    }

    /// Sends a command while a camera answers it by `answer`, which gets the message. Returns the watch's answer.
    private static func exchange(
        _ body: String,
        _ watch: Device,
        _ camera: WebSocketClient,
        answer: ([String: Any]) throws -> String?
    ) throws -> HTTPAnswer {
        let connection = try HTTPConnection(port: watch.client.port)
        let fields = [("Authorization", "Bearer \(watch.token)")]
        try connection.send(
            APIClient.request("POST", "/v2/realtime/commands", host: watch.client.host, fields, body: Array(body.utf8))
        )
        let message = try #require(try camera.message("remote_command"))
        if let text = try answer(message) { try camera.send(text) }
        return try #require(try connection.receive())
    }

    private static func done(_ message: [String: Any], _ more: String = "") -> String {
        #"{"type":"command_result","data":{"reply_to":"\#(message["id"] ?? "")","status":"done"\#(more)}}"#
    }

    /// Waits until the camera is in the state that the watch's server sees.
    private static func awaitDevice(_ name: String, _ watch: Device) throws {
        try Deadline.wait("the device \(name)", seconds: 30) {
            try watch.send("GET", "/v2/realtime/state").text.contains(#""device_id":"\#(name)""#)
        }
    }

    private static func camera(_ watch: Device, _ name: String = "camera", at server: ServerProcess? = nil) throws
        -> WebSocketClient
    {
        var camera = try Shared.session(of: watch, on: name)
        if let server { camera.client = server.client }
        let socket = try camera.socket()
        try socket.send(#"{"type":"device_status","data":{"device_id":"\#(name)","status":{"accepts":["zoom"]}}}"#)
        try awaitDevice(name, watch)
        return socket
    }

    @Test("A watch without a WebSocket gets the camera's result byte for byte")
    func done() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        let answer = try Self.exchange(#"{"command":"zoom","parameters":{ "factor":2.50 }}"#, watch, camera) {
            message in
            #expect(message["from"] as? String == "watch")
            let left = try #require(message["timeout_ms"] as? Int)
            #expect((1...10_000).contains(left))
            let data = try #require(message["data"] as? [String: Any])
            #expect(data["command"] as? String == "zoom")
            return Self.done(message, #","result":{ "factor":2.50 }"#)
        }
        #expect(answer.status == 200)
        #expect(answer.string("status") == "done")
        #expect(answer.raw("result") == #"{ "factor":2.50 }"#)
    }

    @Test("A command reaches a device at another server, and its sender gets the outcome")
    func servers() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch, at: Self.second.get())
        let answer = try Self.exchange(#"{"command":"zoom"}"#, watch, camera) { Self.done($0) }
        #expect(answer.string("status") == "done")
    }

    @Test("The same id again gets the first outcome, is not delivered again, and is refused with other content")
    func again() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        let id = UUID().uuidString
        let body = #"{"command":"zoom","parameters":1,"id":"\#(id)"}"#
        let first = try Self.exchange(body, watch, camera) { Self.done($0, #","result":7"#) }
        #expect(first.string("id") == id.lowercased())
        for _ in 0..<2 {
            let again = try Self.send(body, by: watch)
            #expect(again.string("status") == "done" && again.raw("result") == "7")
        }
        let other = try Self.send(#"{"command":"zoom","parameters":2,"id":"\#(id)"}"#, by: watch)
        Problems.check(other, "422 idempotency-key-reused")
        // Only the next command is delivered.
        let next = try Self.exchange(#"{"command":"zoom","parameters":"next"}"#, watch, camera) { message in
            #expect((message["data"] as? [String: Any])?["parameters"] as? String == "next")
            return Self.done(message)
        }
        #expect(next.string("status") == "done")
    }

    @Test("A command to a device that is away is unreachable at once, and is not delivered when it comes back")
    func unreachable() throws {
        let watch = try Self.watch()
        #expect(try Self.send(#"{"command":"zoom"}"#, by: watch).string("status") == "unreachable")
        #expect(try Self.send(#"{"command":"zoom","to":"camera"}"#, by: watch).string("status") == "unreachable")
        let camera = try Self.camera(watch)
        let answer = try Self.exchange(#"{"command":"zoom","parameters":"new"}"#, watch, camera) { message in
            #expect((message["data"] as? [String: Any])?["parameters"] as? String == "new")
            return Self.done(message)
        }
        #expect(answer.string("status") == "done")
    }

    @Test("A command that several devices accept gets 409 with their names, and goes to the named one")
    func ambiguous() throws {
        let watch = try Self.watch()
        let (camera, tablet) = (try Self.camera(watch), try Self.camera(watch, "tablet"))
        let answer = try Self.send(#"{"command":"zoom"}"#, by: watch)
        Problems.check(answer, "409 ambiguous-target")
        #expect(answer.json["devices"] as? [String] == ["camera", "tablet"])
        let named = try Self.exchange(#"{"command":"zoom","to":"tablet"}"#, watch, tablet) { Self.done($0) }
        #expect(named.string("status") == "done")
        camera.drop()
    }

    @Test("A command without an answer ends as timeout, and a later result changes nothing")
    func timeout() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        let id = UUID().uuidString.lowercased()
        let body = #"{"command":"zoom","timeout_ms":500,"id":"\#(id)"}"#
        #expect(try Self.exchange(body, watch, camera) { _ in nil }.string("status") == "timeout")
        try camera.send(Self.done(["id": id]))
        try camera.send(opcode: 9, [])
        while let frame = try camera.receive(), frame.opcode != 10 {}
        #expect(try Self.send(body, by: watch).string("status") == "timeout")
    }

    @Test("A camera that knows only the specification gets the command, which ends as delivered")
    func delivered() throws {
        let watch = try Self.watch()
        let camera = try Shared.session(of: watch, on: "camera").socket(protocols: nil)
        try camera.send(
            opcode: 2,
            Array(#"{"type":"device_status","data":{"device_id":"camera","status":"idle"}}"#.utf8)
        )
        try Self.awaitDevice("camera", watch)
        let answer = try Self.exchange(#"{"command":{"zoom":2}}"#, watch, camera) { message in
            let command = (message["data"] as? [String: Any])?["command"] as? [String: Int]
            #expect(command == ["zoom": 2])
            return nil
        }
        #expect(answer.string("status") == "delivered")
    }

    @Test("A socket's own command gets its outcome as command_result")
    func socket() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        let socket = try watch.socket()
        let id = UUID().uuidString.lowercased()
        try socket.send(#"{"type":"remote_command","id":"\#(id)","data":{"command":"zoom"}}"#)
        let message = try #require(try camera.message("remote_command"))
        try camera.send(Self.done(message, #","result":1"#))
        let data = try #require(try socket.message("command_result")?["data"] as? [String: Any])
        #expect(data["reply_to"] as? String == id)
        #expect(data["status"] as? String == "done" && data["result"] as? Int == 1)
    }

    @Test("The report of a device that did not get the command is ignored")
    func stranger() throws {
        let watch = try Self.watch()
        let (camera, tablet) = (try Self.camera(watch), try Self.camera(watch, "tablet"))
        let answer = try Self.exchange(#"{"command":"zoom","to":"camera"}"#, watch, camera) { message in
            try tablet.send(Self.done(message, #","result":"forged""#))
            try tablet.send(opcode: 9, [])
            while let frame = try tablet.receive(), frame.opcode != 10 {}
            return Self.done(message, #","result":"own""#)
        }
        #expect(answer.raw("result") == #""own""#)
    }

    /// Begins to send a command, to be received later.
    private static func begin(_ body: String, _ watch: Device) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: watch.client.port)
        let fields = [("Authorization", "Bearer \(watch.token)")]
        let bytes = Array(body.utf8)
        try connection.send(
            APIClient.request("POST", "/v2/realtime/commands", host: watch.client.host, fields, body: bytes)
        )
        return connection
    }

    @Test("One id sent to two servers at once is delivered once, and both get its outcome")
    func race() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        var other = watch
        other.client = try Self.second.get().client
        try Self.awaitDevice("camera", other)
        var ids: [String] = []
        for _ in 0..<10 {
            let id = UUID().uuidString.lowercased()
            let body = #"{"command":"zoom","to":"camera","id":"\#(id)"}"#
            let senders = try [watch, other].map { try Self.begin(body, $0) }
            let message = try #require(try camera.message("remote_command"))
            ids.append(message["id"] as? String ?? "")
            try camera.send(Self.done(message, #","result":"\#(id)""#))
            for sender in senders { #expect(try sender.receive()?.raw("result") == "\"\(id)\"") }
        }
        // A second delivery would have come before the next id.
        #expect(Set(ids).count == 10)
    }

    @Test("The seventeenth open command of an account gets 429, and one that has ended makes room")
    func tooMany() throws {
        let watch = try Self.watch()
        let camera = try Self.camera(watch)
        let socket = try watch.socket()
        for _ in 0..<16 { try socket.send(#"{"type":"remote_command","data":{"command":"zoom"}}"#) }
        var last: [String: Any] = [:]
        for _ in 0..<16 { last = try #require(try camera.message("remote_command")) }
        Problems.check(try Self.send(#"{"command":"zoom"}"#, by: watch), "429 rate-limited")
        try camera.send(Self.done(last))
        #expect(try socket.message("command_result") != nil)
        let answer = try Self.exchange(#"{"command":"zoom","parameters":1}"#, watch, camera) { Self.done($0) }
        #expect(answer.string("status") == "done")
    }
}
