/// The message that a request's signature covers, and its HMAC.
///
/// The message is METHOD, absolute URL, timestamp and nonce, joined by line feeds. Version 3 appends the values of
/// `SignedFields` and Base64(SHA-256(body)). No part contains a line feed. So messages of different versions (4 and 11
/// lines) are never equal. The signature is padded Base64 of
/// HMAC-SHA-256 with the session's 32-byte signing key.
public struct RequestSignature: Sendable {
    /// Selects the covered parts (`X-Signature-Version`).
    public enum Version: Sendable, Equatable {
        /// Method, URL, timestamp and nonce.
        case one
        /// Also header fields, and the body: the SHA-256 digest (32 bytes) of the bytes as sent, or of the empty string
        /// without a body.
        case three(SignedFields, bodyDigest: [UInt8])

        /// The value of `X-Signature-Version`.
        public var number: Int {
            switch self {
            case .one: 1
            case .three: 3
            }
        }
    }

    /// The bytes that are signed.
    public let message: [UInt8]

    /// Returns nil if a part is empty or contains a line feed: only then could two requests have the same message.
    public init?(
        version: Version,
        method: Span<UInt8>,
        url: Span<UInt8>,
        timestamp: Span<UInt8>,
        nonce: Span<UInt8>
    ) {
        var message: [UInt8] = []
        message.reserveCapacity(method.count + url.count + timestamp.count + nonce.count + 48)
        guard Self.append(method, to: &message), Self.append(url, to: &message) else { return nil }
        guard Self.append(timestamp, to: &message), Self.append(nonce, to: &message) else { return nil }
        switch version {
        case .one: message.removeLast()
        case .three(let fields, let bodyDigest):
            message += fields.lines
            let bodyDigest = bodyDigest[...]
            Base64.padded.encode(bodyDigest.span, into: &message)
        }
        self.message = message
    }

    /// The same, from text.
    public init?(version: Version, method: String, url: String, timestamp: String, nonce: String) {
        // Their spans, unlike those of strings, do not need iOS 26.
        let (method, url) = (ContiguousArray(method.utf8), ContiguousArray(url.utf8))
        let (timestamp, nonce) = (ContiguousArray(timestamp.utf8), ContiguousArray(nonce.utf8))
        self.init(version: version, method: method.span, url: url.span, timestamp: timestamp.span, nonce: nonce.span)
    }

    /// The value of `X-Signature`.
    public func signature(key: HMACSHA256) -> String {
        Base64.padded.encode(key.authenticate(message))
    }

    /// Returns true if `signature` is the `X-Signature` value of this message. Compares in constant time.
    public func isValid(_ signature: Span<UInt8>, key: HMACSHA256) -> Bool {
        let textBytes = 44
        guard signature.count == textBytes, let tag = Base64.padded.decode(signature) else { return false }
        return key.isValid(tag, for: message)
    }

    /// The same, from text.
    public func isValid(_ signature: String, key: HMACSHA256) -> Bool {
        let signature = ContiguousArray(signature.utf8)
        return isValid(signature.span, key: key)
    }

    /// Appends a part and a line feed. Returns false if the part is empty or contains a line feed.
    private static func append(_ part: Span<UInt8>, to message: inout [UInt8]) -> Bool {
        let lineFeed = UInt8(ascii: "\n")
        let isWhole = part.withUnsafeBufferPointer { part in
            message.append(contentsOf: part)
            return !part.isEmpty && !part.contains(lineFeed)
        }
        message.append(lineFeed)
        return isWhole
    }
}
