import Net

/// A request as a handler sees it. A class, so that it is handed on as one reference.
public final class Request {
    /// Request line and header fields.
    public let head: RequestHead
    /// The content, read when it is asked for.
    public let body: RequestBody
    /// The other side's address, which may be a proxy's; `client` is who asks.
    public let peer: SocketAddress?
    /// What is noted of it; good until the answer is sent.
    public let record: RequestRecord
    /// The proxies to believe, when the other side is one.
    private let proxies: TrustedProxies?

    /// Whether it came over TLS.
    public let isSecure: Bool

    init(
        head: RequestHead,
        body: RequestBody,
        peer: SocketAddress?,
        isSecure: Bool,
        proxies: TrustedProxies?,
        record: RequestRecord
    ) {
        self.isSecure = isSecure
        self.head = head
        self.body = body
        self.peer = peer
        self.proxies = proxies
        self.record = record
    }

    /// The client's address: what trusted proxies say, else the other side's. The port is 0 where a proxy did not say it.
    public var client: SocketAddress? { proxies == nil ? peer : origin.client }

    /// Where the request came from and by which URL, following trusted proxies.
    public var origin: RequestOrigin {
        var origin = RequestOrigin(peer: peer, scheme: isSecure ? "https" : "http", host: head.host)
        if let proxies { origin.follow(head.headers, proxies) }
        return origin
    }
}

/// Why a request's content could not be read.
public enum RequestBodyError: Error {
    /// More than the handler takes.
    case tooLarge
    /// The framing is broken.
    case malformed(WireError)
    /// It came too slowly.
    case timedOut
    /// The connection ended in the middle of it.
    case cutOff
    /// All connections together have no memory left for it.
    case overloaded
}

/// The content of one request on one connection.
public final class RequestBody {
    private let connection: Connection
    private let length: BodyLength
    private let startedMs: UInt64
    private var awaitsContinue: Bool
    private var received = 0
    /// Whether everything was read.
    private(set) var isComplete: Bool
    private(set) var failure: RequestBodyError?

    init(_ head: RequestHead, _ connection: Connection) {
        self.connection = connection
        length = head.bodyLength
        startedMs = connection.nowMs
        awaitsContinue = head.expectsContinue
        isComplete = head.bodyLength == .none
    }

    /// The whole content. Sends 100 Continue first when the client waits for it. Throws `RequestBodyError`,
    /// `.tooLarge` before reading when Content-Length says so. Its bytes count against the memory of all bodies until the answer is
    /// made.
    public func collect(maxBytes: Int) async throws(RequestBodyError) -> [UInt8] {
        if isComplete { return [] }
        if case .length(let length) = length, length > maxBytes { throw fail(.tooLarge) }
        var content: [UInt8] = []
        while let piece = try await next() {
            if content.count + piece.count > maxBytes { throw fail(.tooLarge) }
            try reserve(piece.count)
            if content.isEmpty { content = piece } else { content.append(contentsOf: piece) }
        }
        return content
    }

    /// The next piece; nil at the end.
    public func next() async throws(RequestBodyError) -> [UInt8]? {
        if isComplete { return nil }
        if let failure { throw failure }
        do throws(RequestBodyError) {
            try await sendContinue()
            let piece = try await connection.nextBodyPiece(
                startedMs: startedMs,
                received: received,
                expected: expected
            )
            received += piece?.count ?? 0
            isComplete = piece == nil
            return piece
        } catch {
            throw fail(error)
        }
    }

    /// Reads what the handler left unread, so that the next request can follow. False: closing is cheaper.
    func discardRest(maxBytes: Int) async -> Bool {
        if isComplete { return true }
        if awaitsContinue || failure != nil { return false }
        if case .length(let length) = length, length - received > maxBytes { return false }
        let end = received + maxBytes
        while received <= end {
            guard let piece = try? await next() else { return isComplete }
            _ = piece
        }
        return false
    }

    private var expected: Int? {
        if case .length(let length) = length { length - received } else { nil }
    }

    private func reserve(_ count: Int) throws(RequestBodyError) {
        do {
            try connection.reserve(count)
        } catch {
            throw fail(error)
        }
    }

    private func sendContinue() async throws(RequestBodyError) {
        guard awaitsContinue else { return }
        awaitsContinue = false
        try await connection.sendContinue()
    }

    private func fail(_ error: RequestBodyError) -> RequestBodyError {
        failure = error
        return error
    }
}
