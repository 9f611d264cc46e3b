/// What a client calls a request that it may repeat (draft-ietf-httpapi-idempotency-key-header).
public struct IdempotencyKey: Sendable {
    /// The key; unique for each account.
    let text: String
    /// Tells requests apart: the same key must come with the same request.
    let requestDigest: [UInt8]

    /// Takes the header's value and a digest of everything else that matters.
    public init(_ text: String, requestDigest: [UInt8]) {
        self.text = text
        self.requestDigest = requestDigest
    }
}
