import Foundation
import TestSupport
import Testing

@Suite("Ends of WebSockets", .blocking)
struct RealtimeEndTests {
    @Test("A socket closes with 4001 when its session ends, and those of other sessions stay")
    func session() throws {
        let phone = try Shared.newDevice()
        let tablet = try Shared.session(of: phone, on: "tablet")
        let (own, other) = (try phone.socket(), try tablet.socket())
        #expect(try phone.send("POST", "/v2/auth/logout").status == 204)
        #expect(try own.closeFrame()?.closeCode == 4001)
        try other.send(opcode: 9, [1])
        while let frame = try other.receive(), frame.opcode != 10 { #expect(frame.opcode == 1) }
    }

    @Test("A socket closes with 4001 at the end of its token")
    func token() throws {
        var device = try Shared.newDevice()
        device.token = try Forger.token(of: device, expiresIn: 2)
        let socket = try device.socket()
        #expect(try socket.closeFrame()?.closeCode == 4001)
    }

    @Test("A silent client is asked after half a minute, and 10 seconds without an answer end its socket")
    func silence() throws {
        let device = try Shared.newDevice()
        let sockets = try (0..<2).map { _ in try device.openSocket(limitMs: Patience.ms(60_000)) }
        let begin = ContinuousClock.now
        while let frame = try sockets[0].receive(), frame.opcode != 9 {}
        let asked = ContinuousClock.now - begin
        #expect(asked > .seconds(26) && asked < .milliseconds(Patience.ms(33_000)))
        while let frame = try sockets[1].receive(), frame.opcode != 9 {}
        try sockets[1].send(opcode: 10, [])
        // Its connection is reset.
        while (try? sockets[0].receive()) != nil {}
        #expect(ContinuousClock.now - begin - asked > .seconds(9))
        try sockets[1].send(opcode: 9, [1])
        while let frame = try sockets[1].receive(), frame.opcode != 10 { #expect(frame.opcode == 1) }
    }

    @Test("A server that stops closes its sockets with 1012 and the pause before the next opening")
    func restart() throws {
        let server = try ServerProcess([
            "--registration", "open", "--signatures", "optional", "--drain-timeout-ms", "6000",
        ])
        let device = try Device.new(server.client)
        let socket = try device.socket()
        server.signal(SIGTERM)
        let frame = try #require(try socket.closeFrame())
        #expect(frame.closeCode == 1012)
        #expect(Int(frame.text).map { (0...1000).contains($0) } == true)
        #expect(try server.awaitEnd() == 0)
    }

    @Test("The log has one line for the end of a socket, without data")
    func log() throws {
        let server = try Shared.observedServer.get()
        let device = try Device.new(server.client)
        let socket = try device.socket()
        let mark = "mark-\(UUID().uuidString)"
        try socket.send(#"{"type":"device_status","data":{"device_id":"phone","status":"\#(mark)"}}"#)
        try socket.send(opcode: 8, [0x03, 0xE8])
        #expect(try socket.closeFrame()?.closeCode == 1000)
        try Deadline.wait("the line", seconds: 30) {
            server.log.split(separator: "\n").contains { line in
                line.contains("socket closed") && line.contains(device.sessionID) && line.contains(#""received":1"#)
            }
        }
        #expect(!server.log.contains(mark))
    }
}
