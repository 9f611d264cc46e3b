import NeuroViewsCrypto

/// This server as authenticators know it.
package struct RelyingParty: Sendable {
    /// The domain of the passkeys (`rp.id`).
    package let id: String
    /// The allowed origins of messages: those of web pages and of apps. Compared byte by byte.
    package let origins: [String]

    /// Takes the values.
    package init(id: String, origins: [String]) {
        self.id = id
        self.origins = origins
    }
}

/// The expected values of a message from an authenticator.
package struct WebAuthnExpectation: Sendable {
    let relyingParty: RelyingParty
    let challenge: [UInt8]
    let requiresUserVerification: Bool

    /// `challenge` is the one that the server issued for this message.
    package init(relyingParty: RelyingParty, challenge: [UInt8], requiresUserVerification: Bool) {
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
