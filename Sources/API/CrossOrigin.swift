import HTTP

/// The web pages that may use the API from a browser: the CORS protocol of the Fetch standard. Tokens are sent in
/// Authorization, never in cookies. So credentials are not allowed, and an origin is named, never `*`.
struct CrossOrigin: Sendable {
    private struct Origin: Sendable {
        let bytes: [UInt8]
        let fields: FieldBlock
    }

    private let origins: [Origin]

    private static let vary: FieldBlock = [("Vary", "Origin")]
    private static let preflight: FieldBlock = [
        (
            "Access-Control-Allow-Headers",
            "Authorization, Content-Type, Content-Encoding, If-Match, If-None-Match, Idempotency-Key, Prefer, X-Timestamp, X-Nonce, "
                + "X-Signature, X-Signature-Version, X-Request-Id, traceparent, tracestate, Content-Digest, Repr-Digest, "
                + "Upload-Complete, Upload-Draft-Interop-Version, Upload-Incomplete, Upload-Length, Upload-Offset, "
                + "Tus-Resumable, Upload-Checksum, Upload-Metadata, X-HTTP-Method-Override"
        ),
        // The most that Chromium accepts.
        ("Access-Control-Max-Age", "7200"),
    ]
    private static let exposed =
        "Accept, Accept-Patch, Allow, Date, ETag, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, "
        + "Server-Timing, Sync-Head, WWW-Authenticate, X-Request-Id, Upload-Complete, Upload-Draft-Interop-Version, Upload-Incomplete, "
        + "Upload-Length, Upload-Limit, Upload-Offset, Tus-Checksum-Algorithm, Tus-Extension, Tus-Max-Size, "
        + "Tus-Resumable, Tus-Version"

    /// Allows these origins, as browsers write them: `https://app.example.org`.
    init(_ origins: [String]) {
        self.origins = origins.map { origin in
            let fields: FieldBlock = [
                ("Vary", "Origin"), ("Access-Control-Allow-Origin", origin),
                ("Access-Control-Expose-Headers", Self.exposed),
                ("Timing-Allow-Origin", origin),
            ]
            return Origin(bytes: Array(origin.utf8), fields: fields)
        }
    }

    /// Appends the fields about origins. Without configured origins the response depends on none.
    func append(to fields: inout FieldBlock, _ head: RequestHead?) {
        guard !origins.isEmpty else { return }
        fields.append(head.flatMap(origin(of:))?.fields ?? Self.vary)
    }

    /// The fields of a preflight's response; none for another OPTIONS request or an unknown origin.
    func preflight(_ head: RequestHead, methods: String) -> FieldBlock {
        guard head.headers.bytes(of: "access-control-request-method") != nil, origin(of: head) != nil else {
            return []
        }
        var fields = Self.preflight
        fields.append("Access-Control-Allow-Methods", methods)
        return fields
    }

    private func origin(of head: RequestHead) -> Origin? {
        guard !origins.isEmpty, let sent = head.headers.bytes(of: "origin") else { return nil }
        return origins.first { sent.elementsEqual($0.bytes) }
    }
}
