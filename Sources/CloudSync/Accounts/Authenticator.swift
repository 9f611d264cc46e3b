import Crypto
import Net

/// Finds out who sends a request, without the database: the session itself is checked by the request's own transaction.
public struct Authenticator: Sendable {
    private let keys: KeyRing
    private let clockSkewSeconds: Int
    private let now: @Sendable () -> Int
    /// Nonces are client-made; longer ones would only fill the table.
    public static let nonceMaxBytes = 128

    /// Believes what `keys` signed; `now` gives Unix seconds.
    public init(keys: KeyRing, clockSkewSeconds: Int, now: @escaping @Sendable () -> Int) {
        self.keys = keys
        self.clockSkewSeconds = clockSkewSeconds
        self.now = now
    }

    /// Whose token it is. Throws `.unauthenticated`; an expired one passes where `allowsExpired`.
    public func identify(token: String, allowsExpired: Bool) throws(CloudSyncError) -> Identity {
        let verified: VerifiedToken
        do {
            verified = try keys.tokens.verify(token)
        } catch {
            throw .unauthenticated(.tokenInvalid)
        }
        if !allowsExpired, verified.claims.isExpired(now: now()) { throw .unauthenticated(.tokenExpired) }
        return Identity(claims: verified.claims, keyID: verified.kid)
    }

    /// Checks a signature against the request it came with. Throws `.unauthenticated`.
    public func verify(_ signed: SignedRequest, by identity: Identity) throws(CloudSyncError) -> SignedNonce {
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
            throw .unauthenticated(.clockSkew(serverTime: time))
        }
        return SignedNonce(signedAt: signedAt, value: signed.nonce)
    }

    /// Unix seconds in the one form that a number has: no sign, no leading zero.
    private static func seconds(_ text: String) -> Int? {
        guard let number = Int(text), String(number) == text else { return nil }
        return number
    }
}

/// What a verified token says.
public struct Identity: Sendable {
    let claims: TokenClaims
    let keyID: String

    /// The user's id.
    public var userID: String { claims.userID }

    /// The session's id.
    public var sessionID: String { claims.sessionID }

    /// The caller of the services, with the version of the request's signature (0 without one), and the nonce of a signed request that
    /// changes something.
    public func caller(
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
public struct SignedRequest: Sendable {
    /// The request's method.
    public var method: String
    /// The URLs that the client may have meant.
    public var urls: [String]
    /// `X-Timestamp`.
    public var timestamp: String
    /// `X-Nonce`.
    public var nonce: String
    /// `X-Signature`.
    public var signature: String
    /// The version, with what it covers besides.
    public var version: RequestSignature.Version

    /// Collects the parts.
    public init(
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
