import Crypto

/// The server as authenticators know it, and what it asks of each message.
public struct RelyingParty: Sendable {
    /// The domain that passkeys belong to (`rp.id`).
    public let id: String
    /// From where messages may come: web origins, and those of apps. Compared byte by byte.
    public let origins: [String]

    /// Takes the values.
    public init(id: String, origins: [String]) {
        self.id = id
        self.origins = origins
    }
}

/// What a message must answer to.
public struct WebAuthnExpectation: Sendable {
    let relyingParty: RelyingParty
    let challenge: [UInt8]
    let requiresUserVerification: Bool

    /// `challenge` is the one that was given out for this message.
    public init(relyingParty: RelyingParty, challenge: [UInt8], requiresUserVerification: Bool) {
        self.relyingParty = relyingParty
        self.challenge = challenge
        self.requiresUserVerification = requiresUserVerification
    }

    func check(_ data: AuthenticatorData) throws(WebAuthnError) {
        guard constantTimeEquals(data.relyingPartyHash, SHA256.hash(Array(relyingParty.id.utf8))) else {
            throw .relyingParty
        }
        guard data.flags.contains(.userPresent) else { throw .userPresence }
        guard !requiresUserVerification || data.flags.contains(.userVerified) else { throw .userVerification }
    }
}
