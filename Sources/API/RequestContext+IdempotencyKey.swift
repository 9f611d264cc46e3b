import CloudSync
import HTTP
import NeuroViewsCrypto

extension RequestContext {
    private static let keyMaxBytes = 255

    /// Idempotency-Key with a digest of the rest of the request; nil without it. Throws `Problem`. It is an internal
    /// error when the route's policy does not accept a key.
    func idempotencyKey() throws(Problem) -> IdempotencyKey? {
        guard idempotency == .accepted else {
            record?.failure = "the handler reads Idempotency-Key, which the route's policy does not accept"
            throw Problem(.internalError)
        }
        let values = head.headers.values("idempotency-key")
        guard let key = values.first else { return nil }
        guard values.count == 1, (1...Self.keyMaxBytes).contains(key.utf8.count),
            key.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
        else {
            throw Problem(
                .invalidHeader,
                "Idempotency-Key must have 1 to \(Self.keyMaxBytes) visible ASCII characters."
            )
        }
        return IdempotencyKey(key, requestDigest: requestDigest)
    }

    /// Covers everything that defines the request: path, conditions, body.
    private var requestDigest: [UInt8] {
        var text = Array(head.pathBytes)
        for name in ["if-match", "if-none-match"] {
            text += Array("\n\(name): \(head.headers.values(name).joined(separator: ", "))".utf8)
        }
        return SHA256.hash(text + [0x0a] + SHA256.hash(body))
    }
}
