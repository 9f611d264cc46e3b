import CloudSync
import HTTP
import Net
import NeuroViewsCrypto
import TestSupport

@testable import API

/// The application with a test's routes instead of its own, on a port. These routes need no database.
struct PolicyServer: Sendable {
    let port: UInt16
    /// The session of the only user.
    let session: TestSession
    private let told: ToldEvents

    static func run(
        _ routes: [RouteEntry],
        limits: ServerLimits = ServerLimits(),
        signatures: SignaturePolicy = .required(),
        exclusiveURLs: [String]? = nil,
        client: @escaping @Sendable (PolicyServer) throws -> Void
    ) async throws {
        guard let address = SocketAddress("127.0.0.1:0") else { throw TestSupportError("no address") }
        let session = try TestSession()
        let told = ToldEvents()
        let application = try application(routes, session, (signatures, exclusiveURLs), told)
        try await withLoops { loops in
            let server = Server(
                try Listener(address),
                loops: loops,
                limits: limits,
                fixedFields: application.fixedFields,
                pageFields: application.pageFields,
                refusal: application.refuse,
                handler: application.respond,
                completion: application.complete
            )
            try await server.start()
            let running = PolicyServer(port: server.address.port, session: session, told: told)
            let result: Result<Void, any Error>
            do {
                result = .success(try await onThread { try client(running) })
            } catch {
                result = .failure(error)
            }
            await server.drain(timeoutMs: 3000)
            try result.get()
        }
    }

    private static func application(
        _ routes: [RouteEntry],
        _ session: TestSession,
        _ rules: (signatures: SignaturePolicy, exclusiveURLs: [String]?),
        _ told: ToldEvents
    ) throws -> Application {
        var settings = Application.Settings(
            publicURL: rules.exclusiveURLs?.first ?? "http://127.0.0.1:1/v2",
            signatures: rules.signatures,
            documentMaxBytes: 100_000 - DocumentRules.envelopeBytes,
            batchBodyMaxBytes: 200_000,
            version: "0",
            uploads: .init(bootID: "00000000-0000-0000-0000-000000000000"),
            report: { event in told.append(ToldEvent(event)) }
        )
        settings.exclusiveURLs = rules.exclusiveURLs
        return try Application(routes, authenticator: session.authenticator, try LargeWork(threads: 1), settings)
    }

    /// The events so far. Waits until there are `count` events.
    func events(_ count: Int) throws -> [ToldEvent] {
        try Deadline.wait("\(count) events", seconds: 30) { told.all.count >= count }
        return told.all
    }

    func connect() throws -> RawHTTP { try RawHTTP(port: port, limitMs: Patience.ms(30000)) }
}

/// An event about a request.
struct ToldEvent: Sendable, Equatable {
    let status: Int
    let bytes: Int?
    let bodyBytes: Int
    let isCutOff: Bool
    let failure: String?
}

extension ToldEvent {
    init(_ event: RequestEvent) {
        status = event.status
        bytes = event.bytes
        bodyBytes = event.record.bodyBytes
        isCutOff = event.record.isCutOff
        failure = event.record.failure
    }
}

private final class ToldEvents: Sendable {
    private let stored = Locked<[ToldEvent]>([])

    var all: [ToldEvent] { stored.withLock { $0 } }

    func append(_ event: ToldEvent) { stored.withLock { $0.append(event) } }
}

/// A session with its keys, like one from a login.
struct TestSession: Sendable {
    static let nowS = 1_800_000_000
    let authenticator: Authenticator
    let token: String
    private let key: HMACSHA256

    init() throws {
        let id = "5f0c2f6e-3a3b-4c0e-9a55-7f3d1c1b2a90"
        let keys = try KeyRing(current: MasterKey(bytes: Array(0..<32)))
        let claims = try TokenClaims(
            sessionID: id,
            userID: id,
            counter: 0,
            issuedAt: Self.nowS,
            expiresAt: Self.nowS + 3600
        )
        token = try keys.tokens.sign(claims)
        key = HMACSHA256(key: keys.current.signingKey(sessionID: id))
        authenticator = Authenticator(keys: keys, clockSkewSeconds: 300, now: { Self.nowS })
    }

    var bearer: (String, String) { ("Authorization", "Bearer \(token)") }

    /// The fields of a signed request to the host of `RawHTTP`.
    func fields(
        _ method: String,
        _ target: String,
        _ version: RequestSignature.Version,
        origin: String = "http://localhost"
    ) -> [(String, String)] {
        let (timestamp, nonce) = (String(Self.nowS), "nonce")
        let signature = RequestSignature(
            version: version,
            method: method,
            url: origin + target,
            timestamp: timestamp,
            nonce: nonce
        )
        return [
            bearer, ("X-Timestamp", timestamp), ("X-Nonce", nonce), ("X-Signature-Version", "\(version.number)"),
            ("X-Signature", signature?.signature(key: key) ?? ""),
        ]
    }
}

extension RawResponse {
    /// The last part of a problem's type; empty if the answer is no problem.
    var problem: String {
        guard self["Content-Type"] == "application/problem+json" else { return "" }
        let type = text.split(separator: "\"").first { $0.contains("/problems/") } ?? ""
        return String(type.split(separator: "/").last ?? "")
    }
}

extension RequestSignature.Version {
    /// Version 3 of a request with that body and none of the signed fields.
    static func bodyAlone(_ body: [UInt8]) -> Self {
        guard let fields = SignedFields([]) else { preconditionFailure("no fields can always be signed") }
        return .three(fields, bodyDigest: SHA256.hash(body))
    }
}
