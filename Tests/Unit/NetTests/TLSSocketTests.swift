import Net
import TestSupport
import Testing

@Suite("TLS on a socket", .timeLimit(.minutes(Patience.minutes(1))))
struct TLSSocketTests {
    @Test("Bytes are echoed over TLS in single and in many records, up to close_notify")
    func echoes() async throws {
        try await withTLS { port in
            let client = try TLSSocket(port: port)
            #expect(client.version == "TLSv1.3")
            for count in [1, 16384, 16385, 65536, 300_000, 1] {
                let bytes = BytePattern.bytes(count)
                try client.send(bytes)
                #expect(try client.receive(exactly: count) == bytes)
            }
            client.finishSending()
            // Not "truncated": the server announces the end of its data.
            #expect(try client.receiveAll().isEmpty)
        }
    }

    @Test("TLS records that arrive with the end of the stream are all read")
    func dataWithEnd() async throws {
        let content = BytePattern.bytes(200_000)
        let isSent = Counter()
        try await withTLS { socket in
            try await socket.write([1])
            while isSent.value == 0 { await socket.loop.sleep(forMs: 1) }
            var received: [UInt8] = []
            while try await socket.read(into: &received, deadlineMs: socket.loop.nowMs + 30000) > 0 {}
            #expect(received == content)
        } client: { port in
            let client = try TLSSocket(port: port)
            #expect(try client.receive(exactly: 1) == [1])
            try client.send(content)
            client.finishSending()
            isSent.add()
            _ = try client.receiveAll()
        }
    }

    @Test("A TLS connection that ends without close_notify is an error")
    func truncated() async throws {
        let failed = Locked<SocketFailure?>(nil)
        let received = Locked<[UInt8]>([])
        try await withTLS { socket in
            var bytes: [UInt8] = []
            let result = await failure { () throws(SocketFailure) in
                while try await socket.read(into: &bytes) > 0 {}
            }
            failed.withLock { $0 = result }
            received.withLock { $0 = bytes }
        } client: { port in
            let client = try TLSSocket(port: port)
            try client.send("half")
            client.raw.finishSending()
            // After the failure, the server sends no close_notify either.
            #expect(throws: TLSSocketError(reason: "truncated")) { try client.receiveAll() }
        }
        #expect(failed.withLock { $0 } == .truncated)
        #expect(received.withLock { $0 } == Array("half".utf8))
    }

    @Test("A TLS client's bytes have the same effect at every split, in the handshake too")
    func splits() async throws {
        try await withTLS(serve: echoUntilFailure) { port in
            let raw = try RawSocket(port: port)
            let client = try TLSSocket(raw)
            try client.shakeHands(pieceBytes: 1)
            let text = Array("every boundary".utf8)
            var boundary = 0
            while case let sealed = try client.seal(text), boundary <= sealed.count {
                try raw.send(Array(sealed[..<boundary]))
                try raw.send(Array(sealed[boundary...]))
                #expect(try client.receive(exactly: text.count) == text)
                boundary += 1
            }
            client.close()
        }
    }

    @Test("A slow TLS reader gets everything in order, while other connections go on")
    func slowReader() async throws {
        let content = BytePattern.bytes(3_000_000)
        try await withTLS { socket in
            var request: [UInt8] = []
            _ = try await socket.read(into: &request)
            try await socket.write(request == [1] ? content : request)
            socket.shutdownWrite()
            _ = try await socket.read(into: &request)
        } client: { port in
            let slow = try TLSSocket(RawSocket(port: port, limitMs: 30000, receiveBufferBytes: 65536))
            try slow.shakeHands()
            try slow.send([1])
            for _ in 0..<5 {
                let other = try TLSSocket(port: port)
                try other.send([2])
                #expect(try other.receiveAll() == [2])
                other.finishSending()
            }
            #expect(try slow.receiveAll() == content)
            slow.finishSending()
        }
    }

    @Test("Large data is read and written over TLS at the same time")
    func bothWays() async throws {
        let content = BytePattern.bytes(1_500_000)
        try await withTLS { socket in
            let loop = socket.loop
            await withTaskGroup(of: Void.self) { group in
                group.addTask(executorPreference: loop) {
                    let failed = await failure { () throws(SocketFailure) in try await socket.write(content) }
                    #expect(failed == nil)
                }
                group.addTask(executorPreference: loop) {
                    var received: [UInt8] = []
                    let failed = await failure { () throws(SocketFailure) in
                        while received.count < content.count { _ = try await socket.read(into: &received) }
                    }
                    #expect(failed == nil)
                    #expect(received == content)
                }
            }
        } client: { port in
            let client = try TLSSocket(port: port)
            for start in stride(from: 0, to: content.count, by: 100_000) {
                try client.send(Array(content[start..<(start + 100_000)]))
                #expect(try client.receive(exactly: 100_000) == Array(content[start..<(start + 100_000)]))
            }
        }
    }

    @Test("A TLS handshake that does not complete is given up in time, while others go on")
    func stall() async throws {
        let failures = Locked<[SocketFailure?]>([])
        let endpoint = try TestCertificate().endpoint(handshakeTimeoutMs: 200)
        try await withTLS(endpoint) { socket in
            var bytes: [UInt8] = []
            let read = await failure { () throws(SocketFailure) in _ = try await socket.read(into: &bytes) }
            guard read != nil else { return try await socket.write(bytes) }
            let write = await failure { () throws(SocketFailure) in try await socket.write([1]) }
            failures.withLock { $0 += [read, write] }
        } client: { port in
            let silent = try RawSocket(port: port)
            let dripping = try RawSocket(port: port)
            let hello = try TLSSocket(dripping).firstFlight()
            let startMs = Monotonic.nowMs()
            let good = try TLSSocket(port: port)
            try good.send([7])
            #expect(try good.receive(exactly: 1) == [7])
            // Further bytes don't move the deadline.
            var rest = hello[...]
            while Monotonic.nowMs() < startMs + 20000, let byte = rest.popFirst() {
                if (try? dripping.send([byte])) == nil { break }
                pauseThread(ms: 20)
            }
            #expect(try silent.receiveAll().isEmpty)
            #expect(Monotonic.nowMs() - startMs >= 190)
            #expect(!rest.isEmpty)
        }
        #expect(failures.withLock { $0 } == [.timedOut, .closed, .timedOut, .closed])
    }

    @Test("A TLS read and a TLS write end at their deadlines, and the session survives a read's")
    func deadlines() async throws {
        try await withTLS { socket in
            var bytes: [UInt8] = []
            try await socket.write([1])
            let loop = socket.loop
            let startMs = loop.nowMs
            let read = await failure { () throws(SocketFailure) in
                _ = try await socket.read(into: &bytes, deadlineMs: startMs + 100)
            }
            #expect(read == .timedOut)
            #expect(Monotonic.nowMs() >= startMs + 100)
            try await socket.write([2])
            let write = await failure { () throws(SocketFailure) in
                try await socket.write([UInt8](repeating: 0, count: 50_000_000), deadlineMs: loop.nowMs + 100)
            }
            #expect(write == .timedOut)
        } client: { port in
            let client = try TLSSocket(RawSocket(port: port, receiveBufferBytes: 65536))
            try client.shakeHands()
            #expect(try client.receive(exactly: 2) == [1, 2])
            pauseThread(ms: 500)
            // The end of half an answer must differ from the end of a whole one.
            #expect(throws: TLSSocketError(reason: "truncated")) { try client.receiveAll() }
        }
    }

    @Test("Closing a TLS socket sends close_notify, and aborting it does not")
    func closing() async throws {
        let count = Counter()
        try await withTLS { socket in
            try await socket.write([9])
            count.add()
            if count.value == 1 { socket.close() } else { socket.abort() }
            #expect(await failure { () throws(SocketFailure) in try await socket.write([1]) } == .closed)
            socket.close()
        } client: { port in
            let first = try TLSSocket(port: port)
            #expect(try first.receiveAll() == [9])
            let second = try TLSSocket(port: port)
            #expect(try second.receive(exactly: 1) == [9])
            #expect(throws: TLSSocketError(reason: "truncated")) { try second.receiveAll() }
        }
    }

    @Test("A flood of TLS key updates ends its own connection only")
    func keyUpdates() async throws {
        let failures = Locked<[SocketFailure?]>([])
        try await withTLS { socket in
            var bytes: [UInt8] = []
            let failed = await failure { () throws(SocketFailure) in
                while try await socket.read(into: &bytes) > 0 {
                    try await socket.write(bytes)
                    bytes.removeAll()
                }
            }
            failures.withLock { $0.append(failed) }
        } client: { port in
            let flooding = try TLSSocket(port: port)
            let good = try TLSSocket(port: port)
            for byte in 0..<8 {
                var flood: [UInt8] = []
                for _ in 0..<1000 { flood += try flooding.sealKeyUpdate() }
                _ = try? flooding.raw.send(flood)
                try good.send([UInt8(byte)])
                #expect(try good.receive(exactly: 1) == [UInt8(byte)])
            }
            good.finishSending()
            #expect(try good.receiveAll().isEmpty)
            flooding.close()
        }
        #expect(failures.withLock { $0.contains(nil) })
    }

    @Test("A failed TLS connection does not disturb others")
    func garbage() async throws {
        let failures = Locked<[SocketFailure]>([])
        try await withTLS { socket in
            do throws(SocketFailure) {
                var bytes: [UInt8] = []
                while try await socket.read(into: &bytes) > 0 {
                    try await socket.write(bytes)
                    bytes.removeAll()
                }
            } catch {
                failures.withLock { $0.append(error) }
            }
        } client: { port in
            let good = try TLSSocket(port: port)
            for round in 0..<50 {
                let broken = try TLSSocket(port: port)
                var record = try broken.seal([1, 2, 3])
                record[record.count - 1] ^= 1
                try broken.raw.send(record)
                let nonsense = try RawSocket(port: port)
                try nonsense.send([0x16, 3, 1, 0, 5, 9, 9, 9, 9, 9])
                try good.send([UInt8(round)])
                #expect(try good.receive(exactly: 1) == [UInt8(round)])
                _ = try? nonsense.receiveAll()
                #expect(throws: TLSSocketError.self) { try broken.receiveAll() }
            }
            good.finishSending()
        }
        #expect(failures.withLock { $0.count } == 100)
        #expect(failures.withLock { $0 }.contains(.insecure("decryption failed or bad record mac")))
    }

    @Test(
        "Plain HTTP on a TLS socket is recognised, and can be answered in plain text",
        arguments: ["GET", "OPTIONS", "X"]
    )
    func plainText(method: String) async throws {
        try await withTLS { socket in
            var bytes: [UInt8] = []
            let failed = await failure { () throws(SocketFailure) in _ = try await socket.read(into: &bytes) }
            #expect(failed == .plainText)
            #expect(!socket.isSecure)
            try await socket.write(Array("no".utf8))
            socket.shutdownWrite()
            _ = try await socket.read(into: &bytes)
        } client: { port in
            let client = try RawSocket(port: port)
            try client.send("\(method) / HTTP/1.1\r\n\r\n")
            #expect(try client.receive(exactly: 2) == Array("no".utf8))
            client.finishSending()
            #expect(try client.receiveAll().isEmpty)
        }
    }
}
