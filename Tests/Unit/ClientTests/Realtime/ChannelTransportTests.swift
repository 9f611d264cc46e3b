import Foundation
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("WebSockets of the client", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct ChannelTransportTests {
    private func transport(
        _ url: String,
        _ change: (inout ChannelLimits) -> Void = { _ in }
    ) throws -> CurlChannelTransport {
        var limits = ChannelLimits()
        change(&limits)
        return CurlChannelTransport(try Trust(server: url, Options()), limits: limits)
    }

    private func request(_ url: String) -> TransferRequest {
        TransferRequest("GET", url + "/v2", fields: [("Authorization", "Bearer a.b.c")])
    }

    /// An open socket to a peer with that script, which begins after the upgrade.
    private func open(
        limits change: (inout ChannelLimits) -> Void = { _ in },
        _ script: @escaping @Sendable (PeerConnection) throws -> Void
    ) async throws -> (any Channel, ScriptedPeer) {
        let peer = try ScriptedPeer { connection in
            try connection.accept(try connection.readUpgrade())
            try script(connection)
        }
        guard case .opened(let channel) = try await transport(peer.url, change).open(request(peer.url)) else {
            throw Program.Failure("no socket")
        }
        return (channel, peer)
    }

    private func text(_ event: ChannelEvent) -> String? {
        if case .message(let message, _) = event { String(decoding: message, as: UTF8.self) } else { nil }
    }

    /// The error of an opening that must fail.
    private func failure(
        _ url: String,
        _ change: (inout ChannelLimits) -> Void = { _ in }
    ) async throws -> TransportError? {
        let transport = try transport(url, change)
        do throws(TransportError) {
            _ = try await transport.open(request(url))
            return nil
        } catch {
            return error
        }
    }

    @Test("The upgrade has the request's fields, the host, and the fields of RFC 6455")
    func upgrade() async throws {
        let head = Locked("")
        let peer = try ScriptedPeer { connection in
            let sent = try connection.readUpgrade()
            head.withLock { $0 = sent }
            // The first message comes in the packet of the answer.
            try connection.accept(sent, PeerConnection.frame("first"))
            _ = try connection.readFrame()
        }
        guard case .opened(let channel) = try await transport(peer.url).open(request(peer.url)) else {
            throw Program.Failure("no socket")
        }
        #expect(text(await channel.receive()) == "first")
        let sent = head.withLock { $0 }
        #expect(sent.hasPrefix("GET /v2 HTTP/1.1\r\n"))
        let fields = [
            "Host": String(peer.url.dropFirst("http://".count)), "Authorization": "Bearer a.b.c",
            "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
        ]
        for (name, value) in fields { #expect(PeerConnection.field(name, of: sent) == value, "\(name)") }
        channel.close()
    }

    @Test("Messages go both ways in their order, in fragments too, and pings are answered")
    func messages() async throws {
        let pieces = Locked<[PeerConnection.Frame]>([])
        let (channel, peer) = try await open { connection in
            let long = String(repeating: "ä", count: 10_000)
            try connection.send(PeerConnection.frame(1, Array("a".utf8), isFinal: false))
            try connection.send(PeerConnection.frame(9, [7]))
            try connection.send(PeerConnection.frame(0, Array("b".utf8)))
            try connection.send(PeerConnection.frame(long))
            for _ in 0..<3 {
                let frame = try connection.readFrame()
                pieces.withLock { $0.append(frame) }
            }
            try connection.send(PeerConnection.frame("end"))
            _ = connection.drain()
        }
        #expect(text(await channel.receive()) == "ab")
        #expect(text(await channel.receive())?.utf8.count == 20_000)
        for message in ["one", "two"] { channel.send(Array(message.utf8)) }
        #expect(text(await channel.receive()) == "end")
        let frames = pieces.withLock { $0 }
        #expect(frames.filter { $0.opcode == 10 }.map(\.payload) == [[7]])
        #expect(frames.filter { $0.opcode == 1 }.map(\.text) == ["one", "two"])
        withExtendedLifetime(peer) {}
    }

    @Test("The server's close code and reason are told after its last message, and the close is answered")
    func serversClose() async throws {
        let answered = Locked<PeerConnection.Frame?>(nil)
        let (channel, peer) = try await open { connection in
            try connection.send(PeerConnection.frame("last"))
            try connection.send(PeerConnection.frame(8, [0x03, 0xF4] + Array("1500".utf8)))
            let frame = try connection.readFrame()
            answered.withLock { $0 = frame }
        }
        #expect(text(await channel.receive()) == "last")
        #expect(await channel.receive() == .ended(ChannelEnd(code: 1012, reason: "1500")))
        #expect(await channel.receive() == .ended(ChannelEnd(code: 1012, reason: "1500")))
        try await eventually("the answer") { answered.withLock { $0?.opcode == 8 } }
        withExtendedLifetime(peer) {}
    }

    @Test("The client's close waits for the server's, whose messages before it still come")
    func ownClose() async throws {
        let (channel, peer) = try await open { connection in
            let frame = try connection.readFrame()
            try connection.send(PeerConnection.frame("on its way"))
            try connection.send(PeerConnection.frame(8, frame.payload))
        }
        channel.close()
        #expect(text(await channel.receive()) == "on its way")
        #expect(await channel.receive() == .ended(ChannelEnd(code: 1000)))
        withExtendedLifetime(peer) {}
    }

    @Test("A server that does not answer the close is given up")
    func deafServer() async throws {
        let (channel, peer) = try await open(limits: { $0.closing = .milliseconds(50) }) { _ = $0.drain() }
        channel.close()
        #expect(await channel.receive() == .ended(ChannelEnd()))
        withExtendedLifetime(peer) {}
    }

    @Test("A refusal is returned with its body, and an interim answer before it is skipped")
    func refusal() async throws {
        let peer = try ScriptedPeer(
            answer: "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\nX-A: b\r\n\r\n{}"
        )
        guard case .refused(let answer) = try await transport(peer.url).open(request(peer.url)) else {
            throw Program.Failure("no refusal")
        }
        #expect(answer.status == 401 && answer["x-a"] == "b" && answer.body == Array("{}".utf8))
    }

    @Test("A 101 without the right Sec-WebSocket-Accept is no WebSocket")
    func wrongAccept() async throws {
        let peer = try ScriptedPeer(
            answer: "HTTP/1.1 101 OK\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: AAAA\r\n\r\n"
        )
        guard case .notHTTP? = try await failure(peer.url) else { throw Program.Failure("no failure") }
    }

    @Test("An endless head, a connection that ends, and a silent server are failures")
    func unanswered() async throws {
        let endless = try ScriptedPeer { connection in
            _ = try connection.readHead()
            let line = "X-A: " + String(repeating: "a", count: 10_000) + "\r\n"
            try connection.send("HTTP/1.1 101 OK\r\n")
            while true { try connection.send(line) }
        }
        #expect(try await failure(endless.url) { $0.answerMaxBytes = 50_000 } == .tooLarge(maxBytes: 50_000))
        let cut = try ScriptedPeer { _ = try $0.readHead() }
        guard case .cut? = try await failure(cut.url) else { throw Program.Failure("no cut") }
        let silent = try ScriptedPeer { connection in
            _ = try connection.readHead()
            _ = connection.drain()
        }
        #expect(try await failure(silent.url) { $0.openingS = 1 } == .stalled(seconds: 1))
    }

    @Test("A silent server is asked for a byte, and given up if none comes")
    func heartbeat() async throws {
        let asked = Locked(0)
        let limits = { (limits: inout ChannelLimits) in
            (limits.pingAfter, limits.patience) = (.milliseconds(100), .seconds(2))
        }
        let (channel, peer) = try await open(limits: limits) { connection in
            for number in 1...3 {
                let frame = try connection.readFrame()
                asked.withLock { $0 += frame.opcode == 9 ? 1 : 0 }
                if number < 3 { try connection.send(PeerConnection.frame(10, frame.payload)) }
            }
            _ = connection.drain()
        }
        #expect(await channel.receive() == .ended(ChannelEnd(reason: "the server is silent")))
        #expect(asked.withLock { $0 } == 3)
        withExtendedLifetime(peer) {}
    }

    /// A reserved opcode, a mask, a fragment without a beginning, a reserved bit, no UTF-8, and a length of ages.
    private static let wrongFrames: [[UInt8]] = [
        [0x83, 0], [0x81, 0x80, 0, 0, 0, 0], [0x80, 0], [0xC1, 0], [0x81, 1, 0xFF],
        [0x81, 127, 1, 1, 1, 1, 1, 1, 1, 1],
    ]

    @Test("A server that breaks the protocol ends the socket", arguments: wrongFrames)
    func faults(_ bytes: [UInt8]) async throws {
        let (channel, peer) = try await open { connection in
            try connection.send(bytes)
            _ = connection.drain()
        }
        #expect(await channel.receive() == .ended(ChannelEnd(reason: "the server broke the protocol")))
        withExtendedLifetime(peer) {}
    }

    @Test("A reader that waits no more, and a channel that nobody has, end the connection")
    func released() async throws {
        let ended = Counter()
        let script: @Sendable (PeerConnection) throws -> Void = { connection in
            _ = connection.drain()
            ended.add()
        }
        let (first, one) = try await open(script)
        let reader = Task { await first.receive() }
        reader.cancel()
        #expect(await reader.value == .ended(ChannelEnd()))
        try await eventually("the first end") { ended.value == 1 }
        var second: (channel: any Channel, peer: ScriptedPeer)? = try await open(script)
        let two = second?.peer
        second = nil
        try await eventually("the second end") { ended.value == 2 }
        withExtendedLifetime((one, two, second)) {}
    }

    @Test("A slow reader stops the server's sending, and loses nothing")
    func slowReader() async throws {
        let (channel, peer) = try await open(limits: { $0.waitingMax = 2 }) { connection in
            for number in 0..<500 {
                try connection.send(PeerConnection.frame(1, [UInt8](repeating: 65, count: number)))
            }
            _ = connection.drain()
        }
        for number in 0..<500 { #expect(text(await channel.receive())?.utf8.count == number) }
        withExtendedLifetime(peer) {}
    }

    @Test("A cancelled opening ends at once")
    func cancelled() async throws {
        let peer = try ScriptedPeer { connection in
            _ = try connection.readHead()
            _ = connection.drain()
        }
        let opening = Task { try await failure(peer.url) }
        try await eventually("the connection") { peer.accepted.value == 1 }
        opening.cancel()
        #expect(try await opening.value == .cancelled)
    }
}
