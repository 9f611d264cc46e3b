import Foundation
import TestSupport
import Testing

@Suite("Messages between devices", .blocking)
struct RealtimeMessageTests {
    private static let stream = "7f1d0c9a-2f57-4f7e-9b6a-3c2f1e0d4b5a"

    /// A camera and a phone of a new account.
    private static func pair() throws -> (camera: Device, phone: Device) {
        let phone = try Shared.newDevice()
        return (try Shared.session(of: phone, on: "camera"), phone)
    }

    /// The next text frame with this type, as it was sent.
    private static func text(_ type: String, from socket: WebSocketClient) throws -> String {
        while let frame = try socket.receive() {
            if frame.opcode == 1, frame.text.hasPrefix(#"{"type":"\#(type)""#) { return frame.text }
        }
        throw Program.Failure("the connection ended before a \(type)")
    }

    @Test("A socket begins with the heads, and hears of each write of another device")
    func notices() throws {
        let (camera, phone) = try Self.pair()
        let socket = try camera.socket()
        let first = try #require(try socket.message("account_changed")?["data"] as? [String: String])
        #expect(try camera.pull().string("sync_token") == first["configurations"])
        for _ in 0..<3 {
            let head = try #require(try phone.post(Preset().json).field("sync-head"))
            let notice = try socket.message("account_changed") {
                ($0["data"] as? [String: String])?["configurations"] == head
            }
            #expect(notice != nil)
        }
    }

    @Test("A message reaches the account's other sockets with its sender and the same data")
    func relay() throws {
        let (camera, phone) = try Self.pair()
        let (own, other) = (try camera.socket(), try phone.socket())
        let stranger = try Shared.newDevice().socket()
        let data = #"{"device_id":"camera", "status":{"zoom":1.50,"state":"idle"}}"#
        try own.send(#"{"type":"device_status","data":\#(data),"from":"phone"}"#)
        #expect(
            try Self.text("device_status", from: other) == #"{"type":"device_status","from":"camera","data":\#(data)}"#
        )
        // It is written before anything that the stranger or the sender would get.
        #expect(try phone.post(Preset().json).status == 201)
        for socket in [own, stranger] {
            #expect(try socket.message("account_changed") != nil)
            try socket.send(opcode: 9, [])
            while let frame = try socket.receive(), frame.opcode != 10 { #expect(!frame.text.contains("zoom")) }
        }
    }

    @Test("Stream keys and tokens reach no other device, and are not in the state")
    func secrets() throws {
        let (camera, phone) = try Self.pair()
        let (own, other) = (try camera.socket(), try phone.socket())
        let destination =
            #"{"name":"Stage","protocol":"RTMPS","url":"rtmps://a","stream_key":"hidden","authToken":"hidden"}"#
        try own.send(
            #"{"type":"streaming_started","data":{"session_id":"\#(Self.stream)","destinations":[\#(destination)]}}"#
        )
        let text = try Self.text("streaming_started", from: other)
        #expect(text.contains("rtmps://a") && !text.contains("hidden"))
        let state = try phone.send("GET", "/v2/realtime/state")
        #expect(state.text.contains("rtmps://a") && !state.text.contains("hidden"))
    }

    @Test("A device that connects later gets the present states, and offline when a device has gone")
    func snapshot() throws {
        let (camera, phone) = try Self.pair()
        let own = try camera.socket()
        try own.send(#"{"type":"device_status","data":{"device_id":"camera","status":{"state":"busy"}}}"#)
        try own.send(#"{"type":"device_status","data":{"device_id":"camera","status":{"state":"idle"}}}"#)
        let other = try phone.socket()
        func isState(_ state: String) -> ([String: Any]) -> Bool {
            { (($0["data"] as? [String: Any])?["status"] as? [String: String])?["state"] == state }
        }
        #expect(try other.message("device_status", where: isState("idle")) != nil)
        own.drop()
        #expect(try other.message("device_status", where: isState("offline")) != nil)
    }

    @Test("A client that knows only the specification gets its five types in text, and sends binary frames")
    func specification() throws {
        let (camera, phone) = try Self.pair()
        let (own, other) = (try camera.openSocket(protocols: nil), try phone.openSocket(protocols: nil))
        #expect(try phone.post(Preset().json).status == 201)
        try own.send(opcode: 2, Array(#"{"type":"nonsense","data":{}}"#.utf8))
        let data = #"{"device_id":"camera","status":{"state":1,"accepts":{"zoom":true}}}"#
        try own.send(opcode: 2, Array(#"{"type":"device_status","data":\#(data)}"#.utf8))
        let frame = try #require(try other.receive())
        #expect(frame.opcode == 1)
        #expect(frame.text == #"{"type":"device_status","from":"camera","data":\#(data)}"#)
    }

    @Test("A wrong message gets an error with the message's id and pointers, and 20 in a row close with 1008")
    func wrong() throws {
        let socket = try Shared.newDevice().socket()
        let id = "0d9f4a52-5c55-4b0e-8d0f-6f8f0f6a1c11"
        // A newer client may have types that the server does not know.
        for _ in 0..<25 { try socket.send(#"{"type":"later","data":{}}"#) }
        for _ in 0..<25 { #expect(try socket.message("error") != nil) }
        for _ in 0..<20 { try socket.send(#"{"type":"remote_command","id":"\#(id)","data":{}}"#) }
        let error = try #require(try socket.message("error")?["data"] as? [String: Any])
        #expect(error["reply_to"] as? String == id)
        let problem = try #require(error["problem"] as? [String: Any])
        #expect((problem["type"] as? String)?.hasSuffix("/problems/invalid-document") == true)
        #expect((problem["errors"] as? [[String: String]])?.first?["pointer"] == "/data/command")
        #expect(try socket.closeFrame()?.closeCode == 1008)
    }

    @Test("A status under the name of another device is refused")
    func otherDevice() throws {
        let socket = try Shared.newDevice().socket()
        try socket.send(#"{"type":"device_status","data":{"device_id":"tablet","status":1}}"#)
        let problem = (try socket.message("error")?["data"] as? [String: Any])?["problem"] as? [String: Any]
        #expect((problem?["errors"] as? [[String: String]])?.first?["pointer"] == "/data/device_id")
    }

    @Test("Messages beyond the rate are dropped with an error, and the next second's are taken")
    func rate() throws {
        let (camera, phone) = try Self.pair()
        let own = try camera.socket()
        for number in 0..<100 {
            try own.send(#"{"type":"device_status","data":{"device_id":"camera","status":\#(number)}}"#)
        }
        let error = try #require(try own.message("error")?["data"] as? [String: Any])
        #expect(((error["problem"] as? [String: Any])?["type"] as? String)?.hasSuffix("/rate-limited") == true)
        // The credit grows with time.
        try Deadline.wait("a message that is taken", seconds: 30) {
            try own.send(#"{"type":"device_status","data":{"device_id":"camera","status":"last"}}"#)
            return try phone.send("GET", "/v2/realtime/state").text.contains(#""last""#)
        }
    }

    @Test("A client that sends too fast is read slowly, so that what is dropped costs others nothing")
    func flood() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let device = try Device.new(server.client)
        let socket = try device.socket()
        let message = #"{"type":"device_status","data":{"device_id":"phone","status":1}}"#
        let began = ContinuousClock.now
        for _ in 0..<3000 { try socket.send(message) }
        #expect(try socket.message("error") != nil)
        // A server that does not wait has read all before it has served these.
        for _ in 0..<50 { #expect(try device.send("GET", "/v2/realtime/state").status == 200) }
        let labels = ["direction": "received", "type": "dropped"]
        let dropped = try #require(try Self.sample("neuroviews_realtime_messages_total", labels, of: server))
        let turns = 1 + ((ContinuousClock.now - began) / .milliseconds(400)).rounded(.up)
        #expect(dropped * 70 <= 65_536 + turns * 4096)
    }

    private static func sample(_ name: String, _ labels: [String: String], of server: ServerProcess) throws -> Double? {
        try Exposition(server.adminClient.send("GET", "/metrics").text).value(name, labels)
    }

    @Test(
        "A broken frame or message closes the socket with the code of its fault",
        arguments: [
            ("not JSON", 1007), ("UTF-8", 1007), ("unmasked", 1002), ("reserved", 1002), ("too large", 1009),
        ]
    )
    func broken(fault: String, code: Int) throws {
        let socket = try Shared.newDevice().socket()
        switch fault {
        case "not JSON": try socket.send("{")
        case "UTF-8": try socket.send(opcode: 1, [0x22, 0xFF, 0x22])
        case "unmasked": try socket.send(opcode: 1, [0x7B, 0x7D], mask: [])
        case "reserved": try socket.send(opcode: 3, [])
        default: try socket.send(String(repeating: " ", count: 16_385))
        }
        #expect(try socket.closeFrame()?.closeCode == code)
        #expect(try socket.isEnded())
    }

    @Test("A message that has begun counts in its holder's memory, also after the socket has got another one")
    func memory() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let device = try Device.new(server.client)
        let socket = try device.socket()
        func reservedBytes() throws -> Double? {
            try Self.sample("neuroviews_http_reserved_bytes", ["listener": "public"], of: server)
        }
        try socket.send(opcode: 1, Array(repeating: 0x20, count: 16_000), isFinal: false)
        try Deadline.wait("the count", seconds: 30) { try reservedBytes() ?? 0 >= 16_000 }
        let head = try #require(try device.post(Preset().json).field("sync-head"))
        let notice = try socket.message("account_changed") {
            ($0["data"] as? [String: String])?["configurations"] == head
        }
        #expect(notice != nil)
        #expect(try reservedBytes() ?? 0 >= 16_000)
    }

    @Test("A close frame is answered with its code, and the connection ends")
    func close() throws {
        let socket = try Shared.newDevice().socket()
        try socket.send(opcode: 8, [0x03, 0xE8])
        #expect(try socket.closeFrame()?.closeCode == 1000)
        #expect(try socket.isEnded())
    }
}
