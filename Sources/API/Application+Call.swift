import CloudSync
import HTTP
import Net
import Tracing

extension Application {
    /// Takes a request to its handler: token, body, signature, handler. The handler reads a streamed body itself.
    func call(_ endpoint: Endpoint, _ parameters: PathParameters, _ request: Request) async throws -> Response {
        request.record.waits = endpoint.policy.waits
        let identity = try identity(of: request, endpoint)
        try Self.refuse(request.head, parameters, endpoint.policy)
        var body: [UInt8] = []
        if request.head.hasBody, !endpoint.policy.streamsBody {
            body = try await self.body(of: request, maxBytes: endpoint.policy.bodyMaxBytes(settings))
        }
        let context = try context(request, endpoint, parameters, identity, body)
        guard let identity, request.head.method.changesSomething else { return try await endpoint.handler(context) }
        let record = request.record
        return try await writeRates.passing(
            Self.rated(request.head, identity),
            weight: { record.databaseRoundTrips > 0 ? record.writes : 0 },
            { try await endpoint.handler(context) }
        )
    }

    private static let ownPlaces = ["/v2/auth/", "/v2/account", "/v2/devices/"].map { Array($0.utf8) }

    /// Returns the owner of the write limit: the account. Requests about account, sessions and devices count for their
    /// session alone. Otherwise a thief could keep the owner from ending the thief's session.
    private static func rated(_ head: RequestHead, _ identity: Identity) -> String {
        ownPlaces.contains { head.pathBytes.starts(with: $0) } ? identity.sessionID : identity.userID
    }

    /// Rejects a collected body by its head alone, before the body is read or awaited.
    @inline(never)
    private static func refuse(
        _ head: RequestHead,
        _ parameters: PathParameters,
        _ policy: EndpointPolicy
    ) throws(Problem) {
        guard policy.collectsBody, head.hasBody, head.bodyLength != .length(0) else { return }
        if parameters["id"] != nil {
            switch policy.pathID {
            case .uuid: _ = try parameters.uuid("id")
            case .device: _ = try parameters.deviceID()
            }
        }
        try ContentCoding.check(head.headers, policy)
        try policy.media?.check(head)
    }

    @inline(never)
    private func identity(of request: Request, _ endpoint: Endpoint) throws -> Identity? {
        let identity = try timed(endpoint, request.record) { () throws in
            try authentication.identify(request.head, endpoint.policy.access)
        }
        request.record.account = identity?.userID
        request.record.session = identity?.sessionID
        return identity
    }

    @inline(never)
    private func context(
        _ request: Request,
        _ endpoint: Endpoint,
        _ parameters: PathParameters,
        _ identity: Identity?,
        _ body: [UInt8]
    ) throws -> RequestContext {
        let (signature, stream) = try timed(endpoint, request.record) { () throws in
            try verify(request, endpoint.policy, identity, body)
        }
        if case .minimumRate(let rate) = endpoint.policy.time { request.limitByRate(rate) }
        return RequestContext(
            head: request.head,
            parameters: parameters,
            query: try Self.query(request.head, endpoint.queryNames),
            body: try content(request, endpoint.policy, body),
            stream: stream,
            identity: identity,
            signature: signature,
            addresses: authentication.addresses,
            work: work,
            idempotency: endpoint.policy.idempotency,
            request: request
        )
    }

    /// Returns the content for the handler.
    private func content(_ request: Request, _ policy: EndpointPolicy, _ body: [UInt8]) throws -> [UInt8] {
        if policy.streamsBody { try ContentCoding.refuse(request.head.headers, policy) }
        guard policy.collectsBody else { return [] }
        return try ContentCoding.decoded(body, of: request, policy, maxBytes: policy.bodyMaxBytes(settings))
    }

    /// Checks the signature of a session's request. Returns also the stream if the handler reads the body.
    private func verify(
        _ request: Request,
        _ policy: EndpointPolicy,
        _ identity: Identity?,
        _ body: [UInt8]
    ) throws -> (CheckedSignature, BodyStream?) {
        var signature = CheckedSignature.none
        var digest: [UInt8]?
        if let identity {
            switch policy.signature {
            case .none: break
            case .body:
                let spendsNonce = policy.opensChannel
                signature = try authentication.verifySignature(request, body, by: identity, spendsNonce: spendsNonce)
            case .digest: (signature, digest) = try authentication.verifySignature(ofStreamed: request, by: identity)
            }
        }
        guard policy.streamsBody else { return (signature, nil) }
        let maxBytes = policy.bodyMaxBytes(settings)
        return (signature, try BodyStream(request, maxBytes: maxBytes, signedDigest: digest))
    }

    /// Records the duration of a check, for session endpoints only.
    private func timed<T>(_ endpoint: Endpoint, _ record: RequestRecord, _ check: () throws -> T) throws -> T {
        guard endpoint.policy.isForSessions else { return try check() }
        let startedNs = Monotonic.nowNs()
        defer { record.times.authenticationNs += Monotonic.nowNs() - startedNs }
        return try check()
    }

    private func body(of request: Request, maxBytes: Int) async throws(Problem) -> [UInt8] {
        let startedNs = Monotonic.nowNs()
        defer { request.record.times.bodyNs = Monotonic.nowNs() - startedNs }
        do {
            let body = try await request.body.collect(maxBytes: maxBytes)
            request.record.bodyBytes = body.count
            request.record.client = (request.client?.host).flatMap { IPAddress($0) }
            return body
        } catch {
            throw Problem(error, maxBytes: maxBytes)
        }
    }

    private static func query(_ head: RequestHead, _ names: QueryNames?) throws(Problem) -> QueryParameters {
        let query: QueryParameters
        do {
            query = try QueryParameters(head.queryBytes)
        } catch {
            throw Problem(.invalidParameter, "\(error)")
        }
        try names?.check(query)
        return query
    }
}
