import Net
import TestSupport
import Testing

/// Sockets as connections without a task use them.
@Suite("Reads and writes without a wait", .timeLimit(.minutes(Patience.minutes(1))))
struct SocketNowTests {
    /// Serves one client, over TLS after the handshake.
    private static func run(
        isSecure: Bool,
        serve: @escaping @Sendable (Socket) async throws -> Void,
        client: @escaping @Sendable (any ByteStream) throws -> Void
    ) async throws {
        let greeting: [UInt8] = [1]
        let greeted: @Sendable (Socket) async throws -> Void = { socket in
            try await socket.write(greeting)
            try await serve(socket)
        }
        let started: @Sendable (UInt16) throws -> Void = { port in
            let raw = try RawSocket(port: port, limitMs: Patience.ms(30_000), receiveBufferBytes: 65_536)
            let secure = isSecure ? try TLSSocket(raw) : nil
            try secure?.shakeHands()
            let stream: any ByteStream = if let secure { secure } else { raw }
            #expect(try stream.receive(exactly: 1) == greeting)
            try client(stream)
        }
        if isSecure {
            try await withTLS(serve: greeted, client: started)
        } else {
            try await withListener(serve: greeted, client: started)
        }
    }

    @Test(
        "A read without a wait returns nil until bytes arrive, and 0 at the end of the stream",
        arguments: [false, true]
    )
    func reads(isSecure: Bool) async throws {
        try await Self.run(isSecure: isSecure) { socket in
            var bytes: [UInt8] = []
            #expect(try socket.readNow(into: &bytes) == nil)
            try await socket.write([2])
            #expect(try await socket.next() == Array("ab".utf8))
            #expect(try socket.readNow(into: &bytes) == nil)
            try await socket.write([3])
            #expect(try await socket.next() == [])
            #expect(bytes.isEmpty)
        } client: { stream in
            #expect(try stream.receive(exactly: 1) == [2])
            try stream.send("ab")
            #expect(try stream.receive(exactly: 1) == [3])
            stream.finishSending()
            #expect(try stream.receiveAll().isEmpty)
        }
    }

    @Test("Half a TLS record is nothing, and the wait for its rest uses no time")
    func halfRecord() async throws {
        let text = Array("the whole record".utf8)
        let isSent = Counter()
        try await withTLS { socket in
            try await socket.write([1])
            while isSent.value == 0 { await socket.loop.sleep(forMs: 1) }
            var bytes: [UInt8] = []
            #expect(try socket.readNow(into: &bytes) == nil)
            try await socket.write([2])
            var waits = 0
            while try socket.readNow(into: &bytes) == nil {
                waits += 1
                await socket.waitUntilReadable()
            }
            #expect(bytes == text)
            #expect(waits < 10)
        } client: { port in
            let client = try TLSSocket(port: port)
            #expect(try client.receive(exactly: 1) == [1])
            let sealed = try client.seal(text)
            try client.raw.send(Array(sealed.prefix(12)))
            isSent.add()
            #expect(try client.receive(exactly: 1) == [2])
            pauseThread(ms: 100)
            try client.raw.send(Array(sealed.dropFirst(12)))
            #expect(try client.receiveAll().isEmpty)
        }
    }

    @Test("A full connection takes nothing until its peer reads on", arguments: [false, true])
    func writes(isSecure: Bool) async throws {
        let content = BytePattern.bytes(8_000_000)
        let waits = Counter()
        try await Self.run(isSecure: isSecure) { socket in
            var sent = 0
            while sent < content.count {
                let count = try socket.writeNow(Array(content[sent..<min(sent + 65_536, content.count)]))
                sent += count
                guard count == 0 else { continue }
                waits.add()
                await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                    socket.whenWritable { continuation.resume() }
                }
            }
        } client: { stream in
            try Deadline.wait("a full connection", seconds: 30) { waits.value > 0 }
            #expect(try stream.receiveAll() == content)
            #expect(waits.value < 10_000)
        }
    }

    @Test("A socket that is closed wakes both waits, and fails each further call", arguments: [false, true])
    func closed(isSecure: Bool) async throws {
        let isFull = Counter()
        try await Self.run(isSecure: isSecure) { socket in
            var bytes: [UInt8] = []
            while try socket.writeNow([UInt8](repeating: 0, count: 65_536)) > 0 {}
            isFull.add()
            #expect(try socket.readNow(into: &bytes) == nil)
            let wakes = Counter()
            socket.whenReadable(deadlineMs: .max) { wakes.add() }
            socket.whenWritable { wakes.add() }
            #expect(wakes.value == 0)
            socket.abort()
            #expect(wakes.value == 2)
            #expect(throws: SocketFailure.closed) { try socket.readNow(into: &bytes) }
            #expect(throws: SocketFailure.closed) { try socket.writeNow([1]) }
        } client: { stream in
            try Deadline.wait("a full connection", seconds: 30) { isFull.value > 0 }
            // The end over TLS is a truncation.
            _ = try? stream.receiveAll()
        }
    }
}

extension Socket {
    fileprivate func waitUntilReadable() async {
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            whenReadable(deadlineMs: .max) { continuation.resume() }
        }
    }

    /// The next bytes; none at the end of the stream.
    fileprivate func next() async throws(SocketFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        while try readNow(into: &bytes) == nil { await waitUntilReadable() }
        return bytes
    }
}
