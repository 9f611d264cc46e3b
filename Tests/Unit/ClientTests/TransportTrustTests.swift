import Foundation
import HTTP
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Servers that the client trusts", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct TransportTrustTests {
    private static let otherPin = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="

    /// A certificate in a folder, which is its own authority.
    private struct Identity {
        let certificate: TestCertificate
        let folder: String
        var authority: URL { URL(fileURLWithPath: folder + "/cert.pem") }

        init(_ certificate: TestCertificate) throws {
            self.certificate = certificate
            folder = try certificate.write()
        }

        /// The pin that the command in the documentation of `Pin` prints.
        func pin() throws -> String {
            let command = """
                openssl x509 -in \(folder)/cert.pem -pubkey -noout | openssl pkey -pubin -outform der \
                | openssl dgst -sha256 -binary | base64
                """
            return try Program.run(["sh", "-c", command]).output.trimmingCharacters(in: .whitespacesAndNewlines)
        }
    }

    /// The outcome of a request to a server with that certificate.
    private func ask(
        _ identity: Identity,
        host: String = "localhost",
        listening: String = "127.0.0.1:0",
        validAtS: Int = WallClock.nowS(),
        _ change: @escaping @Sendable (inout Options) -> Void
    ) async throws -> Result<Int, TransportError> {
        let pair = identity.certificate
        let served = try TLSCertificate(
            certificatePEM: Array(pair.certificate.utf8),
            keyPEM: Array(pair.key.utf8),
            nowS: validAtS
        )
        let endpoint = try TLSEndpoint(served)
        let address = try #require(SocketAddress(listening))
        return try await withLoops { loops in
            let server = try Server(
                address,
                loops: loops,
                limits: ServerLimits(),
                tls: endpoint,
                refusal: { _, _ in Response(.badRequest) },
                handler: { _ in Response(.ok) }
            )
            try await server.start()
            let url = "https://\(host):\(server.address.port)"
            let outcome: Result<Int, TransportError>
            do throws(TransportError) {
                var options = Options()
                change(&options)
                let trust = try Trust(server: url, options)
                let transport = try CurlTransport(trust)
                outcome = await Self.outcome { () async throws(TransportError) in
                    try await transport.send(TransferRequest("GET", url)).status
                }
                // A WebSocket trusts whom a request trusts.
                #expect(await Self.upgrade(url, trust) == outcome)
            } catch {
                outcome = .failure(error)
            }
            await server.drain(timeoutMs: 3000)
            return outcome
        }
    }

    /// The outcome of an upgrade, which the server refuses.
    private static func upgrade(_ url: String, _ trust: Trust) async -> Result<Int, TransportError> {
        await outcome { () async throws(TransportError) in
            let opening = try await CurlChannelTransport(trust).open(TransferRequest("GET", url))
            guard case .refused(let answer) = opening else { return 101 }
            return answer.status
        }
    }

    private static func outcome(
        _ ask: () async throws(TransportError) -> Int
    ) async -> Result<Int, TransportError> {
        do throws(TransportError) { return .success(try await ask()) } catch { return .failure(error) }
    }

    @Test("A server of an own authority is trusted if the authority is named, and not otherwise")
    func authorities() async throws {
        let identity = try Identity(TestCertificate())
        let authority = identity.authority
        #expect(try await ask(identity) { $0.authorities = authority } == .success(200))
        #expect(try await ask(identity) { _ in } == .failure(.untrusted(.unknownAuthority)))
        let other = try Identity(TestCertificate(name: "other")).authority
        #expect(try await ask(identity) { $0.authorities = other } == .failure(.untrusted(.unknownAuthority)))
        let missing = URL(fileURLWithPath: "/nonexistent.pem")
        #expect(try await ask(identity) { $0.authorities = missing } == .failure(.untrusted(.noAuthorities)))
    }

    @Test("The server's key must be one of the pins, whoever signed its certificate")
    func pins() async throws {
        let identity = try Identity(TestCertificate())
        let (authority, own) = (identity.authority, try identity.pin())
        func pins(_ texts: [String]) throws -> @Sendable (inout Options) -> Void {
            let pins = try texts.map { try #require(Pin($0)) }
            return { options in
                options.authorities = authority
                options.pins = pins
            }
        }
        let third = "BAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        #expect(try await ask(identity, pins([Self.otherPin, own])) == .success(200))
        #expect(try await ask(identity, pins([Self.otherPin, third])) == .failure(.untrusted(.otherKey)))
        #expect(try await ask(identity, pins([own])) == .failure(.untrusted(.onePin)))
    }

    @Test("Pins hold for the server and not for a store on another port")
    func pinnedOrigin() throws {
        var options = Options()
        options.pins = [try #require(Pin(Self.otherPin)), try #require(Pin(Self.otherPin))]
        let trust = try Trust(server: "https://example.org", options)
        #expect(trust.pins(of: try trust.origin(of: "https://example.org:443/a")).count == 2)
        #expect(trust.pins(of: try trust.origin(of: "https://example.org:444/a")).isEmpty)
        #expect(throws: TransportError.untrusted(.plainHTTP)) { try Trust(server: "http://localhost", options) }
    }

    @Test("A certificate outside its time, or for another host, is refused by name")
    func times() async throws {
        let nowS = WallClock.nowS()
        let expired = try Identity(TestCertificate(fromS: -7200, toS: -3600))
        let authority = expired.authority
        let outcome = try await ask(expired, validAtS: nowS - 5400) { $0.authorities = authority }
        #expect(outcome == .failure(.untrusted(.expired)))
        let future = try Identity(TestCertificate(fromS: 3600, toS: 7200))
        let futureAuthority = future.authority
        let early = try await ask(future, validAtS: nowS + 5400) { $0.authorities = futureAuthority }
        #expect(early == .failure(.untrusted(.notYetValid)))
        let other = try Identity(TestCertificate())
        let otherAuthority = other.authority
        let misnamed = try await ask(other, host: "127.0.0.2", listening: "127.0.0.2:0") {
            $0.authorities = otherAuthority
        }
        #expect(misnamed == .failure(.untrusted(.otherHost)))
    }

    @Test("A server with TLS 1.2 alone is refused, and so is one without TLS")
    func oldTLS() async throws {
        let identity = try Identity(TestCertificate())
        let server = try OpenSSLServer(identity.folder, ["-tls1_2"])
        try await server.awaitListening()
        let transport = try makeTransport(to: server.url) { $0.authorities = identity.authority }
        let old = await transport.failure(TransferRequest("GET", server.url))
        #expect(old == .untrusted(.oldTLS))
        let plain = try ScriptedPeer { peer in
            try peer.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
            _ = peer.drain()
        }
        let url = plain.url.replacing("http:", with: "https:")
        let none = await transport.failure(TransferRequest("GET", url))
        #expect(none == .untrusted(.noTLS))
    }

    @Test("Plain HTTP leaves the device only by option", arguments: ["http://192.0.2.1/", "http://127.0.0.1.example/"])
    func plainHTTP(url: String) throws {
        #expect(throws: TransportError.untrusted(.plainHTTP)) { try Trust(server: url, Options()) }
        let trust = try Trust(server: "https://example.org", Options())
        #expect(throws: TransportError.untrusted(.plainHTTP)) { try trust.origin(of: url) }
        var options = Options()
        options.allowsPlainHTTP = true
        #expect(throws: Never.self) { try Trust(server: url, options) }
    }

    @Test(
        "A pin is the Base64 of 32 bytes",
        arguments: [("", 0), (Self.otherPin, 1), ("AAAA", 0), ("sha256//AAAA", 0)]
    )
    func pinText(text: String, count: Int) {
        #expect([Pin(text)].compactMap { $0 }.count == count)
    }
}
