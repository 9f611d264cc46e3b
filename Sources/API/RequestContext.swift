import CloudSync
import HTTP
import JSON
import JSONSchema
import Net

/// A request on its way to its handler, with what the middleware found out. A class, so that it is handed on as one reference.
final class RequestContext {
    let head: RequestHead
    let parameters: PathParameters
    let query: QueryParameters
    /// The whole content; empty unless the policy collects it.
    let body: [UInt8]
    /// The content to read; nil unless the policy streams it.
    let stream: BodyStream?
    /// Set for routes that need a session.
    let identity: Identity?
    /// Set for a signed request that changes something.
    let nonce: SignedNonce?
    /// For interim answers and upgrades. Nil only in tests that call a handler without a connection.
    let request: Request?
    /// Whether the policy takes an Idempotency-Key.
    let idempotency: EndpointPolicy.Idempotency

    /// Where services note what took them how long.
    var record: RequestRecord? { request?.record }

    /// The client's address, as far as trusted proxies tell; nil behind a Unix socket.
    var address: IPAddress? { (request?.client?.host).flatMap { IPAddress($0) } }

    init(
        head: RequestHead,
        parameters: PathParameters,
        query: QueryParameters,
        body: [UInt8],
        stream: BodyStream? = nil,
        identity: Identity?,
        nonce: SignedNonce?,
        idempotency: EndpointPolicy.Idempotency = .never,
        request: Request? = nil
    ) {
        self.head = head
        self.parameters = parameters
        self.query = query
        self.body = body
        self.stream = stream
        self.identity = identity
        self.nonce = nonce
        self.idempotency = idempotency
        self.request = request
    }

    /// Who asks.
    func caller() throws(CloudSyncError) -> Caller {
        guard let identity else { throw .unauthenticated(.tokenMissing) }
        return identity.caller(nonce: nonce, record: record)
    }

    /// The body, parsed strictly and valid by `schema`. Throws `Problem` or `CloudSyncError.invalid`.
    func json(_ schema: Schema) throws -> JSONValue {
        try MediaType.json.check(head)
        let value = try parsed(.requestBody)
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        return value
    }

    /// The body, a JSON Merge Patch, parsed as strictly. A document is sent one level deeper than a patch of it: what comes
    /// of the patch must be something that could have been sent.
    func mergePatch() throws(Problem) -> JSONValue {
        try MediaType.mergePatch.check(head)
        var policy = JSONParser.Policy.requestBody
        policy.maxDepth -= 1
        return try parsed(policy)
    }

    private func parsed(_ policy: JSONParser.Policy) throws(Problem) -> JSONValue {
        do throws(JSONError) {
            return try JSONParser.parse(body, policy: policy)
        } catch {
            throw Problem(error)
        }
    }

    /// The path parameter `id`, which must be a UUID in any case.
    func id() throws(Problem) -> String { try parameters.uuid("id") }

    /// A path parameter that must be a UUID in any case.
    func uuid(_ name: String) throws(Problem) -> String { try parameters.uuid(name) }

    /// The query parameter, which may stand there once. Throws for a repeated one.
    func parameter(_ name: String) throws(Problem) -> String? {
        do {
            return try query.only(name)
        } catch {
            throw Problem(.invalidParameter, "The parameter \(name) must not be repeated.")
        }
    }

    /// If-Match and If-None-Match of a write.
    func writeConditions() throws(Problem) -> WriteConditions {
        WriteConditions(
            ifMatch: try tags("if-match").map { VersionCondition($0, strong: true) },
            ifNoneMatch: try tags("if-none-match").map { VersionCondition($0, strong: false) }
        )
    }

    /// The entity tags of a header field, over all its lines; nil without it.
    func tags(_ name: String) throws(Problem) -> [EntityTag.Listed]? { try EntityTag.listed(name, in: head.headers) }
}
