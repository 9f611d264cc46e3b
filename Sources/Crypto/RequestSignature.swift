/// What a signed request's signature covers, and the HMAC over it.
///
/// METHOD, absolute URL, timestamp and nonce, joined by line feeds; in version 2 also Base64(SHA-256(body)); in version 3 the values of
/// `SignedFields` stand before that digest. No part has a line feed, so messages of different versions, with 4, 5 and 11 lines, are never equal.
/// The signature is Base64, with padding, of HMAC-SHA-256 with the session's 32-byte signing key.
public struct RequestSignature: Sendable {
    /// Which parts are covered (`X-Signature-Version`).
    public enum Version: Sendable, Equatable {
        /// Method, URL, timestamp and nonce.
        case one
        /// The body too, by the SHA-256 digest (32 bytes) of the bytes as sent; of the empty string where there is none.
        case two(bodyDigest: [UInt8])
        /// Header fields too.
        case three(SignedFields, bodyDigest: [UInt8])

        /// The value of `X-Signature-Version`.
        public var number: Int {
            switch self {
            case .one: 1
            case .two: 2
            case .three: 3
            }
        }
    }

    /// The bytes that are signed.
    public let message: [UInt8]

    /// Nil when a part is empty or has a line feed in it: only then could two requests have the same message.
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
        case .two(let bodyDigest): Base64.padded.encode(bodyDigest.span, into: &message)
        case .three(let fields, let bodyDigest):
            message += fields.lines
            Base64.padded.encode(bodyDigest.span, into: &message)
        }
        self.message = message
    }

    /// As the other initialiser, from text.
    public init?(version: Version, method: String, url: String, timestamp: String, nonce: String) {
        self.init(
            version: version,
            method: method.utf8.span,
            url: url.utf8.span,
            timestamp: timestamp.utf8.span,
            nonce: nonce.utf8.span
        )
    }

    /// The value of `X-Signature`.
    public func signature(key: HMACSHA256) -> String {
        Base64.padded.encode(key.authenticate(message))
    }

    /// Whether `signature` is the value of `X-Signature` for this message, compared in constant time.
    public func isValid(_ signature: Span<UInt8>, key: HMACSHA256) -> Bool {
        let textBytes = 44
        guard signature.count == textBytes, let tag = Base64.padded.decode(signature) else { return false }
        return key.isValid(tag, for: message)
    }

    /// As the other, from text.
    public func isValid(_ signature: String, key: HMACSHA256) -> Bool {
        isValid(signature.utf8.span, key: key)
    }

    /// Appends a part and a line feed, and says whether the part was neither empty nor had one in it.
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
