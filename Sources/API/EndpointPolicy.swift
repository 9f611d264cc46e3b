import CloudSync
import HTTP

/// The rules of a route, in one value. The defaults suit most routes: no body or a JSON body, the server's time
/// limits, no caching, no Idempotency-Key.
struct EndpointPolicy: Sendable {
    /// The callers of a route.
    enum Access: Sendable {
        /// Everybody.
        case anybody
        /// A session with a valid token.
        case session
        /// A session whose token may have expired.
        case refreshableSession
    }

    /// The size limit of a body.
    enum BodyLimit: Sendable {
        /// A document, and 4 KiB around it.
        case usual
        /// Several documents at once.
        case batch
        /// This number of bytes.
        case bytes(Int)
    }

    /// How a body reaches the handler.
    enum Body: Sendable {
        /// It does not. A body is still read, up to the usual limit, because the
        /// signature may cover it; then it is dropped.
        case none
        /// As a whole, in `RequestContext.body`.
        case collected(BodyLimit)
        /// Piece by piece, from `RequestContext.stream`. The connection reads only when the handler does.
        case streamed(BodyLimit)
    }

    /// The parts that a request's signature covers, besides method, URL, timestamp and nonce.
    enum Signature: Sendable {
        /// There is no signature: only sessions have a key.
        case none
        /// Version 1: nothing more. Version 3: header fields and the body. Checked after the body was read, before the handler runs.
        case body
        /// Version 3: header fields and the SHA-256 digest in Content-Digest. Checked before the body is read. `BodyStream.next` compares the
        /// body with the digest and throws at its end, so a handler must not commit anything before `next` returns nil.
        /// Version 1 covers no body: it is rejected for a request with a body where signatures are required.
        case digest
    }

    /// The time limit of a request.
    enum TimeLimit: Sendable {
        /// The server's total times, for the body and for the whole request.
        case whole
        /// No limit, while the client sends a streamed body and reads the response at this rate. A
        /// collected body keeps the server's limits.
        case minimumRate(MinimumRate)
    }

    /// The caching of responses.
    enum Caching: Sendable {
        /// No caching.
        case noStore
        /// Everybody may cache: the response has its own Cache-Control.
        case publicDocument
        /// Each response of the handler has its own Cache-Control.
        case ofResponse
    }

    /// The handling of Idempotency-Key.
    enum Idempotency: Sendable {
        /// The field is ignored; `RequestContext.idempotencyKey` throws an internal error.
        case never
        /// `RequestContext.idempotencyKey` returns it. Not for streamed bodies: a repeated key is compared with the body.
        case accepted
    }

    /// The kind of `id` in the path of a route.
    enum PathID: Sendable {
        case uuid
        /// A name that a device has chosen itself.
        case device
    }

    /// The codings that a collected body may have.
    enum Codings: Sendable {
        /// None.
        case identity
        /// gzip. The limit of the body also limits the unpacked text.
        case gzip
    }

    /// The limit of collected bodies without a token, so that strangers can't fill the memory.
    private static let anybodyMaxBytes = 16 << 10

    /// The default policies.
    static let (anybody, session) = (EndpointPolicy(.anybody), EndpointPolicy(.session))

    let access: Access
    let body: Body
    let time: TimeLimit
    let caching: Caching
    let idempotency: Idempotency
    let codings: Codings
    /// The media type of a collected body; nil where only the handler knows it.
    let media: MediaType?
    let pathID: PathID
    /// True if the response opens a channel: a signed request spends its nonce, whatever its method.
    let opensChannel: Bool
    /// True if requests wait for something to happen: they are never slow, and in no histogram.
    let waits: Bool

    init(
        _ access: Access,
        body: Body = .none,
        time: TimeLimit = .whole,
        caching: Caching = .noStore,
        idempotency: Idempotency = .never,
        codings: Codings = .identity,
        media: MediaType? = .json,
        pathID: PathID = .uuid,
        opensChannel: Bool = false,
        waits: Bool = false
    ) {
        if case .streamed = body { precondition(idempotency == .never) }
        self.access = access
        self.body = body
        self.time = time
        self.caching = caching
        self.idempotency = idempotency
        self.codings = codings
        self.media = media
        self.pathID = pathID
        self.opensChannel = opensChannel
        self.waits = waits
    }

    /// Derived from access and body, so that it can't contradict them.
    var signature: Signature {
        switch (access, body) {
        case (.anybody, _): .none
        case (_, .none), (_, .collected): .body
        case (_, .streamed): .digest
        }
    }

    /// True if a token is required.
    var isForSessions: Bool {
        switch access {
        case .anybody: false
        case .session, .refreshableSession: true
        }
    }

    /// True if the handler gets the whole body.
    var collectsBody: Bool { if case .collected = body { true } else { false } }

    /// True if the handler reads the body piece by piece.
    var streamsBody: Bool { if case .streamed = body { true } else { false } }

    /// The largest body with these settings.
    func bodyMaxBytes(_ settings: Application.Settings) -> Int {
        switch body {
        case .none: collectedMaxBytes(.usual, settings)
        case .collected(let limit): collectedMaxBytes(limit, settings)
        case .streamed(let limit): Self.bytes(limit, settings)
        }
    }

    private func collectedMaxBytes(_ limit: BodyLimit, _ settings: Application.Settings) -> Int {
        let bytes = Self.bytes(limit, settings)
        return isForSessions ? bytes : min(bytes, Self.anybodyMaxBytes)
    }

    private static func bytes(_ limit: BodyLimit, _ settings: Application.Settings) -> Int {
        switch limit {
        case .usual: settings.documentMaxBytes + DocumentRules.envelopeBytes
        case .batch: settings.batchBodyMaxBytes
        case .bytes(let count): count
        }
    }
}
