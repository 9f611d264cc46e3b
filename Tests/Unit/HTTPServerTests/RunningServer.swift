import HTTP
import Net
import TestSupport

/// A server with a small set of handlers on a port of its own, for the duration of a test.
struct RunningServer: Sendable {
    let server: Server
    let loops: [EventLoop]
    var port: UInt16 { server.address.port }

    /// A figure of the statistics, summed over the loops.
    func total(_ figure: KeyPath<ConnectionStatistics, Int> & Sendable) async -> Int {
        await server.statistics().reduce(0) { $0 + $1[keyPath: figure] }
    }

    /// Opens so many connections, on one loop after the other. The kernel alone would give all connections of a quiet machine to one. The calling thread
    /// blocks.
    func spread<T>(_ count: Int, _ connect: () throws -> T) throws -> [T] {
        try (0..<count).map { number in
            let holds = loops.indices.filter { $0 != number % loops.count }.map { LoopHold(loops[$0]) }
            for hold in holds { hold.await() }
            defer { for hold in holds { hold.release() } }
            return try connect()
        }
    }

    /// Starts a server, runs the blocking `client` on a thread of its own, and drains the server.
    static func run<T: Sendable>(
        loops count: Int = 1,
        limits: ServerLimits = ServerLimits(),
        tls: TLSEndpoint? = nil,
        handler: @escaping Server.Handler = answer,
        client: @escaping @Sendable (UInt16) throws -> T
    ) async throws -> T {
        try await with(loops: count, limits: limits, tls: tls, handler: handler) { running in
            try await onThread { try client(running.port) }
        }
    }

    static func with<T: Sendable>(
        loops count: Int = 1,
        limits: ServerLimits = ServerLimits(),
        tls: TLSEndpoint? = nil,
        handler: @escaping Server.Handler = answer,
        _ body: @Sendable (RunningServer) async throws -> T
    ) async throws -> T {
        guard let address = SocketAddress("127.0.0.1:0") else { throw TestSupportError("no address") }
        return try await withLoops(count) { loops in
            let server = try Server(
                address,
                loops: loops,
                limits: limits,
                tls: tls,
                refusal: refuse,
                handler: handler
            )
            try await server.start()
            let result: Result<T, any Error>
            do {
                result = .success(try await body(RunningServer(server: server, loops: loops)))
            } catch {
                result = .failure(error)
            }
            await server.drain(timeoutMs: 3000)
            return try result.get()
        }
    }

    /// TLS with a certificate of its own.
    static func endpoint(handshakeTimeoutMs: UInt64 = 30000) throws -> TLSEndpoint {
        let pair = try TestCertificate()
        let certificate = try TLSCertificate(
            certificatePEM: Array(pair.certificate.utf8),
            keyPEM: Array(pair.key.utf8),
            nowS: WallClock.nowS()
        )
        return try TLSEndpoint(certificate, handshakeTimeoutMs: handshakeTimeoutMs)
    }

    @Sendable static func refuse(_ reason: Server.RefusalReason, _ request: Request?) -> Response {
        switch reason {
        case .malformed(let error): Response(error.status, content: .bytes(Array("\(error.status.code)".utf8)))
        case .timedOut: Response(.requestTimeout, content: .bytes(Array("408".utf8)))
        case .tooManyConnectionsOfAddress: Response(.tooManyRequests, fields: [("Retry-After", "5")])
        case .tooManyConnections, .overloaded: Response(.serviceUnavailable, fields: [("Retry-After", "5")])
        case .unanswered: Response(.serviceUnavailable, content: .bytes(Array("unanswered".utf8)))
        case .notTLS: Response(.badRequest, content: .bytes(Array("https".utf8)))
        }
    }

    /// The handlers, by path.
    @Sendable static func answer(_ request: Request) async -> Response {
        switch request.head.path {
        case "/echo": await collect(request, maxBytes: 1 << 20)
        case "/small": await collect(request, maxBytes: 10)
        case "/stream": Response(.ok, content: .stream(keepingBytes: 0, streamLetters))
        case "/broken": Response(.ok, content: .stream(keepingBytes: 0, breakOff))
        case "/unchanged": Response(.notModified, fields: [("ETag", "\"1\"")])
        case "/none": Response(.noContent)
        case "/empty": Response(.ok)
        case let path where path.hasPrefix("/large/"):
            Response(.ok, content: .bytes([UInt8](repeating: 120, count: Int(path.dropFirst(7)) ?? 0)))
        case let path: Response(.ok, content: .bytes(Array("\(request.head.method.name) \(path)".utf8)))
        }
    }

    private static func collect(_ request: Request, maxBytes: Int) async -> Response {
        do throws(RequestBodyError) {
            return Response(.ok, content: .bytes(try await request.body.collect(maxBytes: maxBytes)))
        } catch {
            return refusal(of: error, request)
        }
    }

    /// The answer to a body that could not be read.
    static func refusal(of error: RequestBodyError, _ request: Request) -> Response {
        switch error {
        case .tooLarge: Response(.contentTooLarge, content: .bytes(Array("too large".utf8)))
        case .malformed(let error): refuse(.malformed(error), nil)
        case .timedOut: Response(.requestTimeout)
        case .overloaded: refuse(.overloaded, request)
        case .cutOff: Response(.badRequest)
        }
    }

    @Sendable private static func streamLetters(_ stream: ResponseStream) async throws {
        for letter in "abc".utf8 {
            try await stream.write([letter])
            try await stream.write([])
            try await stream.write([UInt8](repeating: letter, count: 5000))
        }
    }

    @Sendable private static func breakOff(_ stream: ResponseStream) async throws {
        try await stream.write(Array("begun".utf8))
        throw TestSupportError("the source of the answer failed")
    }
}

/// The answer of `/stream`.
let streamedLetters = "abc".utf8.flatMap { [UInt8](repeating: $0, count: 5001) }
