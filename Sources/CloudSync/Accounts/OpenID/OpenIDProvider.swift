import Credentials

/// An OpenID provider of the settings, such as Apple.
package struct OpenIDProvider: Sendable {
    /// Its name for clients.
    package let name: String
    /// The issuer in its tokens. Compared exactly: an extra slash makes another issuer.
    package let issuer: String
    /// The client ids of the apps. Its tokens must be for one of them.
    package let audiences: [String]
    let keys: ProviderKeys

    /// Takes the values.
    package init(name: String, issuer: String, audiences: [String], keys: ProviderKeys) {
        self.name = name
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
    }
}

/// A provider's response to a sign-in, sent on by a client.
package struct IDTokenProof: Sendable {
    /// The provider's name.
    package var provider: String
    /// The ID token.
    package var idToken: String
    /// The client's random text. The token must contain it, or its SHA-256.
    package var nonce: String

    /// Takes the values.
    package init(provider: String, idToken: String, nonce: String) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
    }
}

/// A person at a provider, proven by a token that is not spent yet.
struct ProvenIdentity: Sendable {
    let issuer: String
    let token: IDToken
    /// Identifies the token among the used ones.
    let digest: [UInt8]

    /// The proven address in its stored spelling; nil unless mail can be sent to it.
    var address: String? {
        guard token.isEmailVerified, let email = token.email else { return nil }
        return MailAddress(email)?.text
    }

    /// The address that distinguishes identities for their person.
    var shownAddress: String? { token.email.flatMap { $0.utf8.count <= 254 ? $0 : nil } }
}

/// The providers of a server.
package struct OpenIDProviders: Sendable {
    private let byName: [String: OpenIDProvider]

    /// Names and issuers must be unique.
    package init(_ providers: [OpenIDProvider] = []) {
        byName = Dictionary(providers.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The names that clients write.
    package var names: [String] { byName.keys.sorted() }

    /// The issuers whose tokens are accepted.
    var issuers: [String] { byName.values.map(\.issuer).sorted() }

    /// The name of an issuer's provider; nil if the settings no longer have it.
    func name(ofIssuer issuer: String) -> String? { byName.values.first { $0.issuer == issuer }?.name }

    /// Checks a token and returns its person. Throws `.providerUnknown`, `.idTokenInvalid`, `.providerUnavailable`.
    func identity(_ proof: IDTokenProof, at now: Int) async throws -> ProvenIdentity {
        guard let provider = byName[proof.provider] else { throw CloudSyncError.problem(.providerUnknown) }
        do {
            let token = try SignedToken(proof.idToken)
            let expected = IDTokenExpectation(
                issuer: provider.issuer,
                audiences: provider.audiences,
                nonce: proof.nonce,
                now: now
            )
            let claims = try await provider.keys.checking { keys throws(TokenRefusal) in
                try expected.verified(token, keys: keys)
            }
            return ProvenIdentity(issuer: provider.issuer, token: claims, digest: token.digest)
        } catch let refusal as TokenRefusal {
            throw CloudSyncError.idTokenInvalid(reason: refusal.rawValue)
        }
    }
}
