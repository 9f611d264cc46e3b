import Glibc
import Net
import TestSupport
import Testing

@Suite("Sockets", .timeLimit(.minutes(Patience.minutes(1))))
struct SocketTests {
    private static let scratchBytes = 64 << 10

    @Test(
        "Bytes are echoed by sockets over IPv4, IPv6, and IPv4 to an IPv6 listener",
        arguments: [
            ("127.0.0.1", false), ("::1", true), ("::", false), ("::", true),
        ]
    )
    func echoes(host: String, isIPv6: Bool) async throws {
        let peers = Locked<[String]>([])
        try await withListener(host) { socket in
            peers.withLock { $0.append(socket.peer?.host ?? "none") }
            try await echo(socket)
        } client: { port in
            let client = try RawSocket(port: port, isIPv6: isIPv6)
            for text in ["a", "hello", "\u{0}\r\n"] {
                try client.send(text)
                #expect(try client.receive(exactly: text.utf8.count) == Array(text.utf8))
            }
            client.finishSending()
            #expect(try client.receiveAll().isEmpty)
        }
        let expected = isIPv6 ? "::1" : (host == "::" ? "::ffff:127.0.0.1" : "127.0.0.1")
        #expect(peers.withLock { $0 } == [expected])
    }

    @Test(
        "Data that arrives with the end of the stream is complete, also in multiples of the buffer",
        arguments: [
            0, 1, 1000, scratchBytes - 1, scratchBytes, scratchBytes + 1, 2 * scratchBytes, 3 * scratchBytes,
        ]
    )
    func dataWithEnd(count: Int) async throws {
        let content = BytePattern.bytes(count)
        let isSent = Counter()
        try await withListener { socket in
            // All bytes and the FIN have arrived before the first read, so one edge reports everything.
            while isSent.value == 0 { await socket.loop.sleep(forMs: 1) }
            var received: [UInt8] = []
            while try await socket.read(into: &received, deadlineMs: socket.loop.nowMs + 5000) > 0 {}
            #expect(received == content)
        } client: { port in
            let client = try RawSocket(port: port)
            try client.send(content)
            client.finishSending()
            isSent.add()
            _ = try client.receiveAll()
        }
    }

    @Test("Data in multiples of the buffer arrives without the end of the stream", arguments: [1, 2, 4])
    func exactMultiples(multiple: Int) async throws {
        let content = BytePattern.bytes(multiple * Self.scratchBytes)
        try await withListener { socket in
            for _ in 0..<5 {
                var received: [UInt8] = []
                while received.count < content.count {
                    _ = try await socket.read(into: &received, deadlineMs: socket.loop.nowMs + 5000)
                }
                #expect(received == content)
                try await socket.write([1])
            }
        } client: { port in
            let client = try RawSocket(port: port)
            for _ in 0..<5 {
                try client.send(content)
                #expect(try client.receive(exactly: 1) == [1])
            }
        }
    }

    @Test("A slow reader gets everything in order, while other connections go on")
    func slowReader() async throws {
        let content = BytePattern.bytes(5_000_000)
        try await withListener { socket in
            var request: [UInt8] = []
            _ = try await socket.read(into: &request)
            try await socket.write(request == [1] ? content : request)
        } client: { port in
            let slow = try RawSocket(port: port, receiveBufferBytes: 65536)
            try slow.send([1])
            for _ in 0..<20 {
                let other = try RawSocket(port: port)
                try other.send([2])
                #expect(try other.receiveAll() == [2])
            }
            #expect(try slow.receiveAll() == content)
        }
    }

    @Test("A read ends at its deadline and not before, and the socket can still be used")
    func readDeadline() async throws {
        try await withListener { socket in
            var bytes: [UInt8] = []
            for delayMs in [120, 40] as [UInt64] {
                let deadlineMs = socket.loop.nowMs + delayMs
                let failed = await failure { () throws(SocketFailure) in
                    _ = try await socket.read(into: &bytes, deadlineMs: deadlineMs)
                }
                #expect(failed == .timedOut)
                #expect((deadlineMs...deadlineMs + 10000).contains(Monotonic.nowMs()))
            }
            try await socket.write([1])
            // An earlier deadline, met in time, must not end a later wait without one.
            _ = try await socket.read(into: &bytes, deadlineMs: socket.loop.nowMs + 2000)
            try await socket.write([2])
            #expect(try await socket.read(into: &bytes) == 2)
        } client: { port in
            let client = try RawSocket(port: port)
            #expect(try client.receive(exactly: 1) == [1])
            try client.send([9])
            #expect(try client.receive(exactly: 1) == [2])
            pauseThread(ms: 2500)
            try client.send([9, 9])
            _ = try client.receiveAll()
        }
    }

    @Test("A write ends at its deadline if the peer never reads, while a read has its own")
    func writeDeadline() async throws {
        try await withListener { socket in
            let loop = socket.loop
            let startMs = loop.nowMs
            await withTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: loop) {
                    let failed = await failure { () throws(SocketFailure) in
                        try await socket.write([UInt8](repeating: 0, count: 50_000_000), deadlineMs: startMs + 150)
                    }
                    #expect(failed == .timedOut)
                    #expect((150..<10000).contains(Monotonic.nowMs() - startMs))
                }
                group.addTask(executorPreference: loop) {
                    var bytes: [UInt8] = []
                    let failed = await failure { () throws(SocketFailure) in
                        _ = try await socket.read(into: &bytes, deadlineMs: startMs + 300)
                    }
                    #expect(failed == .timedOut)
                    #expect((300..<10000).contains(Monotonic.nowMs() - startMs))
                }
            }
        } client: { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            pauseThread(ms: 600)
            _ = try client.receiveAll()
        }
    }

    @Test("Closing a socket wakes readers and writers, and all later calls report it")
    func closing() async throws {
        try await withListener { socket in
            let loop = socket.loop
            await withTaskGroup(of: SocketFailure?.self) { group in
                group.addTask(executorPreference: loop) {
                    var bytes: [UInt8] = []
                    return await failure { () throws(SocketFailure) in _ = try await socket.read(into: &bytes) }
                }
                group.addTask(executorPreference: loop) {
                    await failure { () throws(SocketFailure) in
                        try await socket.write([UInt8](repeating: 0, count: 50_000_000))
                    }
                }
                group.addTask(executorPreference: loop) {
                    await loop.sleep(forMs: 20)
                    socket.close()
                    socket.close()
                    return .closed
                }
                for await failed in group { #expect(failed == .closed) }
            }
            #expect(await failure { () throws(SocketFailure) in try await socket.write([1]) } == .closed)
            socket.shutdownWrite()
        } client: { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            pauseThread(ms: 50)
            _ = try? client.receiveAll()
        }
    }

    @Test("A reset by the peer reaches the reader and the writer")
    func reset() async throws {
        try await withListener { socket in
            try await socket.write([1])
            var bytes: [UInt8] = []
            let failed = await failure { () throws(SocketFailure) in _ = try await socket.read(into: &bytes) }
            #expect(failed == .system(SystemError(call: "recv", code: ECONNRESET)))
            let write = await failure { () throws(SocketFailure) in try await socket.write([1]) }
            #expect(write == .system(SystemError(call: "send", code: EPIPE)))
        } client: { port in
            let client = try RawSocket(port: port)
            #expect(try client.receive(exactly: 1) == [1])
            client.reset()
        }
    }

    @Test("A half-closed connection still works in the other direction")
    func halfClosed() async throws {
        let content = BytePattern.bytes(3_000_000)
        try await withListener { socket in
            var bytes: [UInt8] = []
            while try await socket.read(into: &bytes) > 0 {}
            // The reported hang-up must not end the wait for room.
            try await socket.write(content)
            socket.shutdownWrite()
            #expect(try await socket.read(into: &bytes) == 0)
        } client: { port in
            let client = try RawSocket(port: port, receiveBufferBytes: 65536)
            try client.send([1])
            client.finishSending()
            #expect(try client.receiveAll() == content)
        }
    }
}
