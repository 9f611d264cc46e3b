/// What an access token says. Identifiers are UUIDs as lower-case text, the way PostgreSQL writes and takes them.
public struct TokenClaims: Sendable, Equatable {
    /// The session (`sid`).
    public let sessionID: String
    /// The user (`sub`).
    public let userID: String
    /// The session's rotation counter when the token was made (`ctr`).
    public let counter: Int
    /// When it was made (`iat`), Unix seconds.
    public let issuedAt: Int
    /// From when on it's no longer accepted (`exp`), Unix seconds.
    public let expiresAt: Int

    /// Throws `.malformed` for an identifier that isn't a lower-case UUID or a number outside 0..<2^53.
    public init(
        sessionID: String,
        userID: String,
        counter: Int,
        issuedAt: Int,
        expiresAt: Int
    ) throws(TokenError) {
        let numbers = 0..<(1 << 53)
        guard isLowercaseUUID(sessionID.utf8.span), isLowercaseUUID(userID.utf8.span) else { throw .malformed }
        guard numbers ~= counter, numbers ~= issuedAt, numbers ~= expiresAt else { throw .malformed }
        self.sessionID = sessionID
        self.userID = userID
        self.counter = counter
        self.issuedAt = issuedAt
        self.expiresAt = expiresAt
    }

    /// Whether the token's time is over at `now` (Unix seconds). RFC 7519: it's valid only before `exp`.
    public func isExpired(now: Int) -> Bool {
        now >= expiresAt
    }
}

/// Why a token was refused.
public enum TokenError: Error, Equatable {
    /// Not three segments in our form, or too long, or claims that we wouldn't write.
    case malformed
    /// The header isn't, byte for byte, the header of a key we hold: unknown `kid`, any other `alg`, any other spelling.
    case unknownKey
    /// The signature isn't ours.
    case badSignature
}

/// A token whose signature was checked, but not its expiry.
public struct VerifiedToken: Sendable, Equatable {
    /// What it says.
    public let claims: TokenClaims
    /// The id of the key that signed it.
    public let kid: String
}

/// 8-4-4-4-12 lower-case hexadecimal digits.
func isLowercaseUUID(_ text: Span<UInt8>) -> Bool {
    guard text.count == 36 else { return false }
    for index in 0..<36 {
        switch (index, text[index]) {
        case (8, let byte), (13, let byte), (18, let byte), (23, let byte):
            if byte != UInt8(ascii: "-") { return false }
        case (_, UInt8(ascii: "0")...UInt8(ascii: "9")), (_, UInt8(ascii: "a")...UInt8(ascii: "f")):
            continue
        default:
            return false
        }
    }
    return true
}
