/// Makes and checks access tokens: JWT (RFC 7519) signed with HS256 and nothing else.
///
/// Each key has one fixed header. A token that does not begin with such a header is rejected before any decoding. This
/// excludes `alg: none` and every other algorithm.
public struct TokenSigner: Sendable {
    /// The longest valid token, in bytes.
    public static let maxTokenBytes = 512
    /// RFC 7518 requires a key at least as long as the digest.
    public static let minKeyBytes = 32

    private struct Key: Sendable {
        let kid: String
        /// The header's segment and the dot after it.
        let header: [UInt8]
        let mac: HMACSHA256
    }

    /// The current key is first.
    private let keys: [Key]

    /// `keys` by id, `[A-Za-z0-9_-]{1,16}`; `current` is the default for signing. Throws `.unusableKey` for a malformed
    /// id, a key below 32 bytes, or a `current` that is not in `keys`.
    public init(keys: [String: [UInt8]], current: String) throws(CryptoError) {
        var made: [Key] = []
        for (kid, key) in keys.sorted(by: { $0.key < $1.key }) {
            made.append(try Self.makeKey(kid: kid, key: key))
        }
        guard let index = made.firstIndex(where: { $0.kid == current }) else {
            throw .unusableKey("the current key id isn't among the keys")
        }
        made.swapAt(0, index)
        self.keys = made
    }

    /// Returns a token for the claims, signed with the key `kid` or else the current one. Throws `.unknownKey`.
    public func sign(_ claims: TokenClaims, kid: String? = nil) throws(TokenError) -> String {
        guard let key = kid.map({ kid in keys.first { $0.kid == kid } }) ?? keys.first else { throw .unknownKey }
        var token = key.header
        Base64.url.encode(claims.json.span, into: &token)
        let tag = key.mac.authenticate(token)
        token.append(dot)
        Base64.url.encode(tag.span, into: &token)
        return String(decoding: token, as: UTF8.self)
    }

    /// Checks the form, the key and the signature, then reads the claims. The caller checks the expiry with
    /// `TokenClaims.isExpired(now:)`, since a refresh accepts expired tokens.
    public func verify(_ token: Span<UInt8>) throws(TokenError) -> VerifiedToken {
        let signatureTextBytes = 43
        guard token.count <= Self.maxTokenBytes else { throw .malformed }
        guard let key = keys.first(where: { Self.begins(token, with: $0.header) }) else { throw .unknownKey }
        let payloadEnd = token.count - signatureTextBytes - 1
        guard payloadEnd > key.header.count, token[payloadEnd] == dot else { throw .malformed }
        guard let tag = Base64.url.decode(token.extracting((payloadEnd + 1)...)) else { throw .malformed }
        guard key.mac.isValid(tag, for: token.extracting(..<payloadEnd)) else { throw .badSignature }
        guard let json = Base64.url.decode(token.extracting(key.header.count..<payloadEnd)) else { throw .malformed }
        return VerifiedToken(claims: try TokenClaims(json: json), kid: key.kid)
    }

    /// See `verify(_: Span<UInt8>)`.
    public func verify(_ token: String) throws(TokenError) -> VerifiedToken {
        try verify(token.utf8.span)
    }

    private static func makeKey(kid: String, key: [UInt8]) throws(CryptoError) -> Key {
        guard 1...16 ~= kid.utf8.count, kid.utf8.allSatisfy({ urlDigits.contains($0) }) else {
            throw .unusableKey("a key id is 1 to 16 letters, digits, - or _")
        }
        guard key.count >= minKeyBytes else { throw .unusableKey("a token key takes at least 32 bytes") }
        var header: [UInt8] = []
        Base64.url.encode(Array(#"{"alg":"HS256","kid":"\#(kid)","typ":"JWT"}"#.utf8).span, into: &header)
        header.append(dot)
        return Key(kid: kid, header: header, mac: HMACSHA256(key: key))
    }

    private static func begins(_ token: Span<UInt8>, with header: [UInt8]) -> Bool {
        guard token.count >= header.count else { return false }
        for index in header.indices where token[index] != header[index] { return false }
        return true
    }
}

extension TokenSigner: CustomStringConvertible {
    /// Only the key ids, for logs.
    public var description: String { "TokenSigner(\(keys.map(\.kid).joined(separator: ", ")))" }
}

private let dot = UInt8(ascii: ".")
