import Net
import TestSupport
import Testing

@Suite("Listeners and addresses", .timeLimit(.minutes(Patience.minutes(1))))
struct ListenerTests {
    @Test("Two loops share a listener, and each connection is accepted once")
    func shared() async throws {
        let taken = Locked<[Int: Int]>([:])
        try await withListener(loops: 2) { socket in
            #expect(socket.loop.isCurrent)
            taken.withLock { $0[socket.loop.index, default: 0] += 1 }
            try await echo(socket)
        } client: { port in
            let clients = try (0..<200).map { _ in try RawSocket(port: port) }
            for (n, client) in clients.enumerated() { try client.send([UInt8(n)]) }
            for (n, client) in clients.enumerated() { #expect(try client.receive(exactly: 1) == [UInt8(n)]) }
        }
        #expect(taken.withLock { $0.values.reduce(0, +) } == 200)
    }

    @Test("Listening on a taken port fails with its own error")
    func taken() throws {
        let address = try #require(SocketAddress("127.0.0.1:0"))
        let first = try Listener(address)
        let same = try #require(SocketAddress(first.address.description))
        let error = #expect(throws: SystemError.self) { _ = try Listener(same) }
        #expect(error?.description == "bind: Address already in use")
    }

    @Test("A port is free again after its listener is gone, also after connections")
    func freed() async throws {
        var taken: [UInt16] = []
        // Another program of the machine may get the port first.
        for _ in 0..<5 {
            let port = try await withListener(serve: echo) { port in
                let client = try RawSocket(port: port)
                try client.send([1])
                _ = try client.receive(exactly: 1)
                return port
            }
            let address = try #require(SocketAddress(host: "127.0.0.1", port: port))
            if let again = try? Listener(address) {
                #expect(again.address.port == port)
                return
            }
            taken.append(port)
        }
        Issue.record("\(taken) are not free")
    }

    @Test("A closed listener refuses connections")
    func closed() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        _ = try RawSocket(port: listener.address.port)
        listener.close()
        let error = #expect(throws: RawSocketError.self) { _ = try RawSocket(port: listener.address.port) }
        #expect(error?.description == "connect: Connection refused")
    }

    @Test(
        "Socket addresses are parsed and printed",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080"), ("[::1]:0", "[::1]:0"), ("[::]:65535", "[::]:65535"), ("::1:80", nil),
            ("localhost:80", nil), ("127.0.0.1", nil), ("127.0.0.1:65536", nil), ("1.2.3:80", nil), ("[::1:80", nil),
            ("", nil), (":80", nil), ("[]:80", nil), ("[127.0.0.1]:80", nil), ("127.0.0.1:-1", nil),
            ("127.0.0.1:+80", nil),
        ] as [(String, String?)]
    )
    func addresses(text: String, expected: String?) {
        #expect(SocketAddress(text)?.description == expected)
    }
}
