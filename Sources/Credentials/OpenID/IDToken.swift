import NeuroViewsCrypto
import NeuroViewsJSON

/// A user's identity according to an OpenID provider (OpenID Connect Core, section 2).
package struct IDToken: Sendable, Equatable {
    /// The user's id at the provider, which never reassigns it.
    package let subject: String
    /// The user's email address, if the token has one.
    package let email: String?
    /// True if the provider has verified the email address.
    package let isEmailVerified: Bool
    /// The token's `exp`, Unix seconds.
    package let expiresAt: Int
    /// The token is rejected from this second on, Unix seconds.
    package let acceptedUntil: Int
}

/// The expected values of an ID token (section 3.1.3.7).
package struct IDTokenExpectation: Sendable {
    let issuer: String
    let audiences: [String]
    let nonce: String
    let now: Int
    /// The allowed clock error of issuers, in seconds.
    package static let leewaySeconds = 60
    /// The longest accepted age of a token in seconds, even if its `exp` is later: a user's login at the provider is
    /// always recent.
    package static let lifetimeSeconds = 600

    /// `audiences` are the client ids of the apps; `now` is in Unix seconds. The token's nonce is the SHA-256 of `nonce`
    /// in lower-case hexadecimal, so that a stolen token alone is of no use.
    package init(issuer: String, audiences: [String], nonce: String, now: Int) {
        self.issuer = issuer
        self.audiences = audiences
        self.nonce = nonce
        self.now = now
    }

    /// Checks the token and returns its claims. Throws `TokenRefusal`.
    package func verified(_ token: SignedToken, keys: JSONWebKeySet) throws(TokenRefusal) -> IDToken {
        // RFC 8725 section 3.11: access and logout tokens of the same issuer have another `typ`.
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
            // Apple sends this boolean as a string.
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

    /// One of the audiences must be ours. `azp`, the client that asked for the token, must be ours too; several
    /// audiences require it. It may differ from the audience: Google's tokens on Android have the web client as
    /// audience and the app as `azp`.
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
        guard isOurs(party) else { throw .authorizedParty }
    }

    private func isOurs(_ name: String) -> Bool {
        audiences.contains { $0.utf8.elementsEqual(name.utf8) }
    }

    /// Returns `exp` and the end of acceptance.
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

    /// Reads seconds and drops a fraction. Nil outside a plausible range of dates.
    private func seconds(_ value: JSONValue?) -> Int? {
        guard let number = value?.number?.double, number >= 0, number < 1e11 else { return nil }
        return Int(number)
    }

    private func checkNonce(_ claims: JSONObject) throws(TokenRefusal) {
        guard let claim = claims["nonce"]?.string, !nonce.isEmpty else { throw .nonce }
        let hashed = Hex.encode(SHA256.hash(Array(nonce.utf8)))
        let isPlain = constantTimeEquals(Array(claim.utf8), Array(nonce.utf8))
        let isHashed = constantTimeEquals(Array(claim.utf8), Array(hashed.utf8))
        guard isHashed else { throw isPlain ? .plainNonce : .nonce }
    }
}
