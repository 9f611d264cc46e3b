/// The client's key of a request that it may repeat (draft-ietf-httpapi-idempotency-key-header).
package struct IdempotencyKey: Sendable {
    /// The lifetime of a key, in seconds. A client that lost an answer and was offline for a day can still repeat its
    /// request. Each kept answer takes room in the account's history, so it ends then.
    static let lifetimeSeconds = 86_400

    /// The key; unique for each account.
    let text: String
    /// Digest of the request. Reuse of a key with another request is an error.
    let requestDigest: [UInt8]

    /// Takes the header's value and a digest of everything else in the request that matters.
    package init(_ text: String, requestDigest: [UInt8]) {
        self.text = text
        self.requestDigest = requestDigest
    }
}
