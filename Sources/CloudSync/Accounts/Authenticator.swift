import NeuroViewsCrypto
import Tracing

/// Authenticates requests without the database. The request's own transaction checks the session.
package struct Authenticator: Sendable {
    private let keys: KeyRing
    private let clockSkewSeconds: Int
    private let now: @Sendable () -> Int
    /// The largest difference of a signature's time from the server's clock. Nonces are kept for 15 minutes after their
    /// time: with more than 10 minutes, requests could be replayed.
    package static let clockSkewSeconds = 300
    /// Clients make nonces; longer ones would only fill the table.
    package static let nonceMaxBytes = 128

    /// Trusts tokens that `keys` signed; `now` returns Unix seconds.
    package init(
        keys: KeyRing,
        clockSkewSeconds: Int = Authenticator.clockSkewSeconds,
        now: @escaping @Sendable () -> Int
    ) {
        self.keys = keys
        self.clockSkewSeconds = clockSkewSeconds
        self.now = now
    }

    /// Returns the identity in a token. Throws `.unauthenticated`; accepts an expired token if `allowsExpired`.
    package func identify(token: String, allowsExpired: Bool) throws(CloudSyncError) -> Identity {
        let verified: VerifiedToken
        do {
            verified = try keys.tokens.verify(token)
        } catch {
            throw .unauthenticated(.tokenInvalid)
        }
        if !allowsExpired, verified.claims.isExpired(now: now()) { throw .unauthenticated(.tokenExpired) }
        return Identity(claims: verified.claims, keyID: verified.kid)
    }

    /// Checks the signature of a request. Throws `.unauthenticated`, `.clockSkew`.
    package func verify(_ signed: SignedRequest, by identity: Identity) throws(CloudSyncError) -> SignedNonce {
        guard let signedAt = Self.seconds(signed.timestamp), (1...Self.nonceMaxBytes).contains(signed.nonce.utf8.count),
            signed.nonce.utf8.allSatisfy({ (33...126).contains($0) }), let master = keys[kid: identity.keyID]
        else { throw .unauthenticated(.signatureMalformed) }
        let key = HMACSHA256(key: master.signingKey(sessionID: identity.claims.sessionID))
        let isValid = signed.urls.contains { url in
            RequestSignature(
                version: signed.version,
                method: signed.method,
                url: url,
                timestamp: signed.timestamp,
                nonce: signed.nonce
            )?.isValid(signed.signature, key: key) ?? false
        }
        guard isValid else { throw .unauthenticated(.signatureInvalid) }
        let time = now()
        guard signedAt >= time - clockSkewSeconds, signedAt <= time + clockSkewSeconds else {
            throw .clockSkew(serverTime: time)
        }
        return SignedNonce(signedAt: signedAt, value: signed.nonce)
    }

    /// Unix seconds in canonical form: no sign, no leading zero.
    private static func seconds(_ text: String) -> Int? {
        guard let number = Int(text), String(number) == text else { return nil }
        return number
    }
}

/// The claims of a verified token.
package struct Identity: Sendable {
    let claims: TokenClaims
    let keyID: String

    /// The user's id.
    package var userID: String { claims.userID }

    /// The session's id.
    package var sessionID: String { claims.sessionID }

    /// The token's rotation counter.
    package var counter: Int { claims.counter }

    /// The end of the token, in Unix seconds.
    package var expiresAt: Int { claims.expiresAt }

    /// Makes the caller for the services. `signatureVersion` is 0 for an unsigned request. `nonce` is that of a signed
    /// request that changes something.
    package func caller(
        signatureVersion: Int = 0,
        nonce: SignedNonce? = nil,
        record: RequestRecord? = nil
    ) -> Caller {
        Caller(
            userID: claims.userID,
            sessionID: claims.sessionID,
            counter: claims.counter,
            keyID: keyID,
            signatureVersion: signatureVersion,
            nonce: nonce,
            record: record
        )
    }
}

/// The parts of a request that its signature covers.
package struct SignedRequest: Sendable {
    /// The request's method.
    package var method: String
    /// The URLs that the client may have signed.
    package var urls: [String]
    /// `X-Timestamp`.
    package var timestamp: String
    /// `X-Nonce`.
    package var nonce: String
    /// `X-Signature`.
    package var signature: String
    /// The version, with the additional parts that it covers.
    package var version: RequestSignature.Version

    /// Takes the parts.
    package init(
        method: String,
        urls: [String],
        timestamp: String,
        nonce: String,
        signature: String,
        version: RequestSignature.Version
    ) {
        self.method = method
        self.urls = urls
        self.timestamp = timestamp
        self.nonce = nonce
        self.signature = signature
        self.version = version
    }
}
