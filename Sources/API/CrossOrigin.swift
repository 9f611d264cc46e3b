import HTTP

/// Which web pages may use the interface from a browser: the CORS protocol of the Fetch standard. Tokens travel in
/// Authorization and never in cookies, so credentials are not allowed, and an origin is named, never `*`.
struct CrossOrigin: Sendable {
    typealias Field = (name: String, value: String)

    private struct Origin: Sendable {
        let bytes: [UInt8]
        let fields: [Field]
    }

    private let origins: [Origin]

    private static let vary: Field = ("Vary", "Origin")
    private static let preflight: [Field] = [
        (
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Timestamp, X-Nonce, "
                + "X-Signature, X-Signature-Version, X-Request-Id, traceparent, tracestate"
        ),
        // What Chromium takes at most.
        ("Access-Control-Max-Age", "7200"),
    ]
    private static let exposed =
        "Accept, Allow, Date, ETag, Link, Location, Preference-Applied, Retry-After, Server-Timing, WWW-Authenticate, "
        + "X-Request-Id"

    /// Allows these origins, as browsers write them: `https://app.example.org`.
    init(_ origins: [String]) {
        self.origins = origins.map { origin in
            let fields: [Field] = [
                Self.vary, ("Access-Control-Allow-Origin", origin), ("Access-Control-Expose-Headers", Self.exposed),
                ("Timing-Allow-Origin", origin),
            ]
            return Origin(bytes: Array(origin.utf8), fields: fields)
        }
    }

    /// What this answer has to say about origins. With none configured it depends on none.
    func append(to fields: inout [Field], _ head: RequestHead?) {
        guard !origins.isEmpty else { return }
        if let origin = head.flatMap(origin(of:)) {
            fields.append(contentsOf: origin.fields)
        } else {
            fields.append(Self.vary)
        }
    }

    /// The fields that a preflight wants to know; none for another OPTIONS or a stranger's.
    func preflight(_ head: RequestHead, methods: String) -> [Field] {
        guard head.headers.bytes(of: "access-control-request-method") != nil, origin(of: head) != nil else {
            return []
        }
        return [("Access-Control-Allow-Methods", methods)] + Self.preflight
    }

    private func origin(of head: RequestHead) -> Origin? {
        guard !origins.isEmpty, let sent = head.headers.bytes(of: "origin") else { return nil }
        return origins.first { sent.elementsEqual($0.bytes) }
    }
}
