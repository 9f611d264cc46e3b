import Crypto
import JSON

/// Who somebody is, as an OpenID provider says it (OpenID Connect Core, section 2).
public struct IDToken: Sendable, Equatable {
    /// The person's id at the provider, never given to anybody else there.
    public let subject: String
    /// The person's address, if the token has one.
    public let email: String?
    /// Whether the provider has checked that address.
    public let isEmailVerified: Bool
    /// When the token ends, Unix seconds.
    public let expiresAt: Int
    /// The last second in which the token is accepted, Unix seconds.
    public let acceptedUntil: Int
}

/// What an ID token must say (section 3.1.3.7).
public struct IDTokenExpectation: Sendable {
    let issuer: String
    let audiences: [String]
    let nonce: String
    let now: Int
    /// How far the clocks of issuers may be off, in seconds.
    public static let leewaySeconds = 60
    /// For how long a token counts after it was made, whatever it says itself: who has one has just been at the provider.
    public static let lifetimeSeconds = 600

    /// `audiences` are the client ids of the apps; `now` is in Unix seconds. The token's nonce is `nonce` or its SHA-256 as hex.
    public init(issuer: String, audiences: [String], nonce: String, now: Int) {
        self.issuer = issuer
        self.audiences = audiences
        self.nonce = nonce
        self.now = now
    }

    /// The token's claims, if all is as expected. Throws `TokenRefusal`.
    public func verified(_ token: SignedToken, keys: JSONWebKeySet) throws(TokenRefusal) -> IDToken {
        // RFC 8725 section 3.11: an access token or a logout token of the same issuer says so in its type.
        if let type = token.header["typ"], type.string?.uppercased() != "JWT" { throw .type }
        let payload = try token.payload(signedBy: keys)
        guard let claims = (try? JSONParser.parse(payload, policy: .requestBody))?.object else { throw .claims }
        guard let issuer = claims["iss"]?.string else { throw .claims }
        guard issuer.utf8.elementsEqual(self.issuer.utf8) else { throw .issuer }
        try checkAudience(claims)
        let (expiresAt, acceptedUntil) = try checkedTimes(claims)
        try checkNonce(claims)
        return IDToken(
            subject: try subject(claims),
            email: claims["email"]?.string,
            // Apple writes it as a text.
            isEmailVerified: claims["email_verified"]?.bool ?? (claims["email_verified"]?.string == "true"),
            expiresAt: expiresAt,
            acceptedUntil: acceptedUntil
        )
    }
}

extension IDTokenExpectation {
    private func subject(_ claims: JSONObject) throws(TokenRefusal) -> String {
        guard let subject = claims["sub"]?.string, 1...255 ~= subject.utf8.count else { throw .claims }
        return subject
    }

    /// One of the audiences is ours; where there are several, so is the one that the token was made for.
    private func checkAudience(_ claims: JSONObject) throws(TokenRefusal) {
        guard let audience = claims["aud"] else { throw .claims }
        let named = audience.array ?? [audience]
        let names = named.compactMap(\.string)
        guard !names.isEmpty, names.count == named.count else { throw .claims }
        guard names.contains(where: isOurs) else { throw .audience }
        guard let party = claims["azp"] else {
            guard names.count == 1 else { throw .audience }
            return
        }
        guard let party = party.string else { throw .claims }
        guard isOurs(party) else { throw .audience }
    }

    private func isOurs(_ name: String) -> Bool {
        audiences.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// When the token ends, and until when it is accepted.
    private func checkedTimes(_ claims: JSONObject) throws(TokenRefusal) -> (expiresAt: Int, acceptedUntil: Int) {
        guard let expiresAt = seconds(claims["exp"]), let issuedAt = seconds(claims["iat"]) else { throw .claims }
        let end = min(expiresAt, issuedAt + Self.lifetimeSeconds) + Self.leewaySeconds
        guard now < end else { throw .expired }
        guard issuedAt <= now + Self.leewaySeconds else { throw .notYetValid }
        if let notBefore = claims["nbf"] {
            guard let start = seconds(notBefore) else { throw .claims }
            guard start <= now + Self.leewaySeconds else { throw .notYetValid }
        }
        return (expiresAt, end)
    }

    /// Whole seconds or with a fraction, which is cut off; within what dates need.
    private func seconds(_ value: JSONValue?) -> Int? {
        guard let number = value?.number?.double, number >= 0, number < 1e11 else { return nil }
        return Int(number)
    }

    private func checkNonce(_ claims: JSONObject) throws(TokenRefusal) {
        guard let claim = claims["nonce"]?.string, !nonce.isEmpty else { throw .nonce }
        let hashed = Hex.encode(SHA256.hash(Array(nonce.utf8)))
        let isPlain = constantTimeEquals(Array(claim.utf8), Array(nonce.utf8))
        let isHashed = constantTimeEquals(Array(claim.utf8), Array(hashed.utf8))
        guard isPlain || isHashed else { throw .nonce }
    }
}
