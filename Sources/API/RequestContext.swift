import CloudSync
import HTTP
import JSONSchema
import Net
import NeuroViewsJSON
import Tracing

/// A request on its way to its handler, with the results of the middleware. A class,
/// so that it is passed as one reference.
final class RequestContext {
    let head: RequestHead
    let parameters: PathParameters
    let query: QueryParameters
    /// The whole content; empty unless the policy collects it.
    let body: [UInt8]
    /// The content as a stream; nil unless the policy streams it.
    let stream: BodyStream?
    /// Set for routes that need a session.
    let identity: Identity?
    let signature: CheckedSignature
    /// For interim responses and upgrades. Nil only in tests that call a handler without a connection.
    let request: Request?
    private let addresses: PublicAddresses
    /// Threads for long work.
    let work: LargeWork
    let idempotency: EndpointPolicy.Idempotency

    /// Services record their durations here.
    var record: RequestRecord? { request?.record }

    /// The public URL by which the request came, for links in its answer.
    var publicURL: String { addresses.base(of: request) }

    /// The client's address, as reported by trusted proxies; nil behind a Unix socket.
    var address: IPAddress? { (request?.client?.host).flatMap { IPAddress($0) } }

    init(
        head: RequestHead,
        parameters: PathParameters,
        query: QueryParameters,
        body: [UInt8],
        stream: BodyStream? = nil,
        identity: Identity?,
        signature: CheckedSignature = .none,
        addresses: PublicAddresses,
        work: LargeWork,
        idempotency: EndpointPolicy.Idempotency = .never,
        request: Request? = nil
    ) {
        self.head = head
        self.parameters = parameters
        self.query = query
        self.body = body
        self.stream = stream
        self.identity = identity
        self.signature = signature
        self.addresses = addresses
        self.work = work
        self.idempotency = idempotency
        self.request = request
    }

    /// Counts bytes that the handler is about to make against the memory of all requests. Throws a problem when there is
    /// no room.
    func keep(bytes: Int) throws(Problem) {
        do {
            try request?.body.keep(bytes: bytes)
        } catch {
            throw Problem(error, maxBytes: bytes)
        }
    }

    /// The authenticated caller of the request.
    func caller() throws(CloudSyncError) -> Caller {
        guard let identity else { throw .unauthenticated(.tokenMissing) }
        return identity.caller(signatureVersion: signature.version, nonce: signature.nonce, record: record)
    }

    /// Returns the result of `read` for a body of that media type. A large body is read on another thread, in the
    /// account's turn. Throws the errors of `read`, `Problem` and `.overloaded`.
    func read<T: Sendable>(
        _ media: MediaType = .json,
        _ read: @escaping @Sendable ([UInt8]) throws -> T
    ) async throws -> T {
        try media.check(head)
        return try await work.run(over: body.count, for: identity?.userID ?? "", record) { [body] in try read(body) }
    }

    /// The body, parsed strictly and valid by `schema`. Throws `Problem` or `CloudSyncError.invalid`.
    func json(_ schema: Schema, as media: MediaType = .json) async throws -> JSONValue {
        try await read(media) { try JSONBody.value($0, schema) }
    }

    /// The body, a JSON Merge Patch. Throws `Problem`.
    func mergePatch() async throws -> MergePatch {
        try await read(.mergePatch) { try JSONBody.mergePatch($0) }
    }

    /// The path parameter `id`, which must be a UUID in any case.
    func id() throws(Problem) -> String { try parameters.uuid("id") }

    /// A path parameter that must be a UUID in any case.
    func uuid(_ name: String) throws(Problem) -> String { try parameters.uuid(name) }

    /// A query parameter that may occur once. Throws for a repeated one.
    func parameter(_ name: String) throws(Problem) -> String? {
        do {
            return try query.only(name)
        } catch {
            throw Problem(parameter: name, "must not be repeated", keyword: "uniqueItems")
        }
    }

    /// If-Match and If-None-Match of a write.
    func writeConditions() throws(Problem) -> WriteConditions {
        WriteConditions(
            ifMatch: try tags("if-match").map { VersionCondition($0) },
            ifNoneMatch: try tags("if-none-match").map { VersionCondition($0) }
        )
    }

    /// The entity tags of a header field, over all its lines; nil without it.
    func tags(_ name: String) throws(Problem) -> [EntityTag.Listed]? { try EntityTag.listed(name, in: head.headers) }
}
