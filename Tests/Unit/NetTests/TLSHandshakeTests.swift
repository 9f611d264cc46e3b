import Net
import TestSupport
import Testing

@Suite("TLS handshakes", .timeLimit(.minutes(Patience.minutes(1))))
struct TLSHandshakeTests {
    private static func options(_ change: (inout TLSSocket.Options) -> Void) -> TLSSocket.Options {
        var options = TLSSocket.Options()
        change(&options)
        return options
    }

    /// A session's ticket after the first use of its connection.
    private static func ticket(_ client: TLSSocket) throws -> TLSTicket? {
        try client.send([1])
        _ = try client.receive(exactly: 1)
        return client.ticket
    }

    @Test("TLS 1.2 is refused with its alert")
    func version() async throws {
        try await withTLS(serve: echoUntilFailure) { port in
            #expect(throws: TLSSocketError(reason: "tlsv1 alert protocol version")) {
                _ = try TLSSocket(port: port, Self.options { $0.isOld = true })
            }
        }
    }

    @Test(
        "http/1.1 is chosen at any place of ALPN's list, and nothing without a list",
        arguments: [
            (["http/1.1"], "http/1.1"), (["h2", "http/1.1"], "http/1.1"), (["http/1.0", "http/1.1", "h2"], "http/1.1"),
            ([], nil),
        ] as [([String], String?)]
    )
    func protocols(offered: [String], expected: String?) async throws {
        try await withTLS { port in
            let client = try TLSSocket(port: port, Self.options { $0.protocols = offered })
            #expect(client.selectedProtocol == expected)
            client.finishSending()
        }
    }

    @Test(
        "A TLS handshake that offers other protocols only is refused",
        arguments: [["h2"], ["http/1.0"], ["http/1.1x", "ttp/1.1"]]
    )
    func otherProtocols(offered: [String]) async throws {
        try await withTLS(serve: echoUntilFailure) { port in
            #expect(throws: TLSSocketError(reason: "tlsv1 alert no application protocol")) {
                let client = try TLSSocket(port: port, Self.options { $0.protocols = offered })
                _ = try client.receiveAll()
            }
        }
    }

    @Test("TLS tickets are valid on every loop and across one change of keys or certificates")
    func tickets() async throws {
        let clock = TestClock()
        let endpoint = try TestCertificate().endpoint(nowMs: clock.nowMs)
        let next = try TestCertificate().served()
        try await withTLS(endpoint, loops: 2, serve: echoUntilFailure) { port in
            let first = try TLSSocket(port: port)
            #expect(!first.isResumed)
            let old = try #require(try Self.ticket(first))
            #expect(old.earlyDataMaxBytes == 0)
            #expect(old.lifetimeS == 7200)
            for _ in 0..<10 {
                #expect(try TLSSocket(port: port, Self.options { $0.ticket = old }).isResumed)
            }
            clock.advance(ms: 3_600_000)
            try endpoint.use(next)
            let second = try TLSSocket(port: port, Self.options { $0.ticket = old })
            #expect(second.isResumed)
            let new = try #require(try Self.ticket(second))
            clock.advance(ms: 3_600_000)
            // The old ticket's keys are deleted. The new ticket's keys are the previous ones by now.
            #expect(try !TLSSocket(port: port, Self.options { $0.ticket = old }).isResumed)
            #expect(try TLSSocket(port: port, Self.options { $0.ticket = new }).isResumed)
            clock.advance(ms: 100 * 3_600_000)
            #expect(try !TLSSocket(port: port, Self.options { $0.ticket = new }).isResumed)
        }
    }

    @Test("A loop that has read an earlier time than another one seals and opens TLS tickets")
    func earlierTime() async throws {
        let time = Locked<UInt64>(1_000_000)
        let endpoint = try TestCertificate().endpoint {
            time.withLock { time in
                time -= 1
                return time
            }
        }
        try await withTLS(endpoint, serve: echoUntilFailure) { port in
            let ticket = try Self.ticket(TLSSocket(port: port))
            #expect(try TLSSocket(port: port, Self.options { $0.ticket = ticket }).isResumed)
        }
    }

    @Test("Each TLS resumption gives a fresh ticket, so that connections can't be linked (RFC 8446, C.4)")
    func freshTickets() async throws {
        try await withTLS(TestCertificate().endpoint(), loops: 2, serve: echoUntilFailure) { port in
            var ticket = try #require(try Self.ticket(TLSSocket(port: port)))
            var seen = [ticket.bytes]
            for _ in 0..<5 {
                let client = try TLSSocket(port: port, Self.options { [ticket] in $0.ticket = ticket })
                #expect(client.isResumed)
                ticket = try #require(try Self.ticket(client))
                #expect(ticket.bytes.count > 100 && !seen.contains(ticket.bytes))
                seen.append(ticket.bytes)
            }
        }
    }

    @Test("A foreign or changed TLS ticket leads to a full handshake")
    func foreignTicket() async throws {
        let foreign = try await withTLS(serve: echoUntilFailure) { try Self.ticket(TLSSocket(port: $0)) }
        try await withTLS { port in
            let client = try TLSSocket(port: port, Self.options { $0.ticket = foreign })
            #expect(!client.isResumed)
            try client.send([5])
            #expect(try client.receive(exactly: 1) == [5])
            client.finishSending()
        }
    }

    @Test("A new TLS certificate is shown to new connections, and existing ones go on")
    func reload() async throws {
        let (first, second) = (try TestCertificate(), try TestCertificate())
        let endpoint = try first.endpoint()
        let next = try second.served()
        try await withTLS(endpoint) { port in
            let old = try TLSSocket(port: port)
            #expect(old.certificatePEM == first.certificate)
            try endpoint.use(next)
            let new = try TLSSocket(port: port)
            #expect(new.certificatePEM == second.certificate)
            for client in [old, new] {
                try client.send([3])
                #expect(try client.receive(exactly: 1) == [3])
                client.finishSending()
            }
        }
    }
}
