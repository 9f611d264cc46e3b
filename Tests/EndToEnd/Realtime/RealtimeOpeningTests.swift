import Foundation
import TestSupport
import Testing

@Suite("Opening of WebSockets", .blocking)
struct RealtimeOpeningTests {
    private static func status(of device: Device, _ fields: APIClient.Fields) throws -> HTTPAnswer {
        try device.send("GET", "/v2", fields)
    }

    private static let handshake: APIClient.Fields = [
        ("Connection", "Upgrade"), ("Upgrade", "websocket"), ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
    ]

    @Test("A GET that offers no WebSocket of version 13 gets 426 with the fields that are needed")
    func required() throws {
        let device = try Shared.newDevice()
        for fields in [
            [], Self.handshake, Self.handshake + [("Sec-WebSocket-Version", "8")],
            [("Connection", "Upgrade"), ("Upgrade", "h2c"), ("Sec-WebSocket-Version", "13")],
        ] as [APIClient.Fields] {
            let answer = try Self.status(of: device, fields)
            Problems.check(answer, "426 upgrade-required")
            #expect(answer.field("upgrade") == "websocket")
            #expect(answer.field("sec-websocket-version") == "13")
        }
    }

    @Test("Without a valid token there is no socket")
    func strangers() throws {
        var device = try Shared.newDevice()
        #expect(try WebSocketClient(port: device.client.port, []).answer.verdict == "401 token-missing")
        device.token = try Forger.token(of: device, expiresIn: -1)
        #expect(try device.openSocket().answer.verdict == "401 token-expired")
        device.token = try Forger.token(of: device, expiresIn: 3600)
        try Shared.server.get().sql("UPDATE sessions SET ended_at = now() WHERE id = '\(device.sessionID)'")
        #expect(try device.openSocket().answer.verdict == "401 session-ended")
    }

    @Test("A client gets the subprotocol that it offers, and none if it offers none or others")
    func subprotocol() throws {
        let device = try Shared.newDevice()
        #expect(try device.openSocket().answer.field("sec-websocket-protocol") == "neuroviews.v2")
        let listed = try device.openSocket(protocols: "soap, neuroviews.v2")
        #expect(listed.answer.field("sec-websocket-protocol") == "neuroviews.v2")
        for protocols in [nil, "soap"] as [String?] {
            let socket = try device.openSocket(protocols: protocols)
            #expect(socket.answer.status == 101)
            #expect(socket.answer.field("sec-websocket-protocol") == nil)
        }
    }

    @Test("A signed opening is accepted once, for the ws URL too")
    func nonce() throws {
        let device = try Shared.signer()
        #expect(try device.openSocket().answer.verdict == "401 signature-missing")
        for origin in [Shared.publicOrigin, Shared.publicOrigin.replacing("https:", with: "wss:")] {
            // A session of other tests: version 3 would end its use of version 1.
            let fields = try device.signature("GET", origin + "/v2") + [("Authorization", "Bearer \(device.token)")]
            let (port, host) = (device.client.port, device.client.host)
            #expect(try WebSocketClient(port: port, host: host, fields).answer.status == 101)
            #expect(try WebSocketClient(port: port, host: host, fields).answer.verdict == "401 nonce-used")
        }
    }

    @Test("The third socket of a session closes the oldest with 4002")
    func replaced() throws {
        let device = try Shared.newDevice()
        let first = try device.socket()
        let second = try device.socket()
        let third = try device.socket()
        #expect(try first.closeFrame()?.closeCode == 4002)
        for socket in [second, third] {
            try socket.send(opcode: 9, [7])
            var frame = try socket.receive()
            while let other = frame, other.opcode == 1 { frame = try socket.receive() }
            #expect(frame?.opcode == 10 && frame?.payload == [7])
        }
    }

    @Test("The sixth opening of an account within a second gets 429")
    func tooFast() throws {
        let device = try Shared.newDevice()
        var verdicts: [String] = []
        for _ in 0..<12 { verdicts.append(try device.openSocket().answer.verdict) }
        #expect(verdicts.prefix(5) == ["101", "101", "101", "101", "101"])
        #expect(verdicts.contains("429 too-many-connections"))
    }

    @Test("When sockets have half of the connections, newcomers get the places of the most silent ones")
    func full() throws {
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--connections-max", "12",
        ])
        var sockets: [WebSocketClient] = []
        for _ in 0..<4 {
            let device = try Device.new(server.client)
            sockets += [try device.socket(), try device.socket()]
        }
        for socket in sockets.prefix(2) { #expect(try socket.closeFrame()?.closeCode == 1013) }
        try sockets[2].send(opcode: 9, [1])
        while let frame = try sockets[2].receive(), frame.opcode != 10 { #expect(frame.opcode == 1) }
    }

    @Test("With realtime off the paths are 404")
    func off() throws {
        let server = try ServerProcess(["--realtime", "off", "--registration", "open", "--signatures", "optional"])
        let device = try Device.new(server.client)
        #expect(try device.openSocket().answer.verdict == "404 not-found")
        #expect(try device.send("GET", "/v2/realtime/state").verdict == "404 not-found")
        #expect(try device.send("POST", "/v2/realtime/commands", body: #"{"command":"a"}"#).verdict == "404 not-found")
    }
}
