/// The claims of an access token. Identifiers are UUIDs as lower-case text, as in PostgreSQL.
public struct TokenClaims: Sendable, Equatable {
    /// The session (`sid`).
    public let sessionID: String
    /// The user (`sub`).
    public let userID: String
    /// The session's rotation counter at the token's issue (`ctr`).
    public let counter: Int
    /// The time of issue (`iat`), Unix seconds.
    public let issuedAt: Int
    /// The time of expiry (`exp`), Unix seconds. The token is rejected from this second on.
    public let expiresAt: Int

    /// Throws `.malformed` for an identifier other than a lower-case UUID, and for a number outside 0..<2^53.
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

    /// Returns true if the token is expired at `now` (Unix seconds). A token is valid only before `exp` (RFC 7519).
    public func isExpired(now: Int) -> Bool {
        now >= expiresAt
    }
}

/// The reason for rejecting a token.
public enum TokenError: Error, Equatable {
    /// Not three segments in the server's form, too long, or with claims that the server never writes.
    case malformed
    /// The header is not byte for byte that of a known key: unknown `kid`, another `alg`, or another spelling.
    case unknownKey
    /// The signature is wrong.
    case badSignature
}

/// A token with a valid signature. Its expiry is not checked yet.
public struct VerifiedToken: Sendable, Equatable {
    /// The token's claims.
    public let claims: TokenClaims
    /// The id of the signing key.
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
