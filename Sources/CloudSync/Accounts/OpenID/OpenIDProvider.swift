import Credentials

/// Somebody whose ID tokens are accepted, such as Apple.
public struct OpenIDProvider: Sendable {
    /// What clients call it.
    public let name: String
    /// What its tokens call it. Exact: a slash more is another issuer.
    public let issuer: String
    /// The client ids of the apps that its tokens may be for.
    public let audiences: [String]
    let keys: ProviderKeys

    /// Takes the values.
    public init(name: String, issuer: String, audiences: [String], keys: ProviderKeys) {
        self.name = name
        self.issuer = issuer
        self.audiences = audiences
        self.keys = keys
    }
}

/// What a client got from a provider.
public struct IDTokenProof: Sendable {
    /// The provider's name.
    public var provider: String
    /// The ID token.
    public var idToken: String
    /// What the token's nonce is, or is the SHA-256 of.
    public var nonce: String

    /// Takes the values.
    public init(provider: String, idToken: String, nonce: String) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
    }
}

/// Who somebody is, as a token proves that is still to be spent.
struct ProvenIdentity: Sendable {
    let issuer: String
    let token: IDToken
    /// What the token is known by.
    let digest: [UInt8]

    /// The address that the provider has proven, where mail can be sent to it.
    var address: String? {
        guard token.isEmailVerified, let email = token.email, MailAddress(email) != nil else { return nil }
        return email
    }

    /// The address for the person to tell identities apart.
    var shownAddress: String? { token.email.flatMap { $0.utf8.count <= 254 ? $0 : nil } }
}

/// The providers of a server.
public struct OpenIDProviders: Sendable {
    private let byName: [String: OpenIDProvider]

    /// No name and no issuer may be there twice.
    public init(_ providers: [OpenIDProvider] = []) {
        byName = Dictionary(providers.map { ($0.name, $0) }) { first, _ in first }
    }

    /// The issuers whose tokens are accepted.
    var issuers: [String] { byName.values.map(\.issuer).sorted() }

    /// What the settings call an issuer; nil when they don't name it any more.
    func name(ofIssuer issuer: String) -> String? { byName.values.first { $0.issuer == issuer }?.name }

    /// Who the token is about. Throws `.providerUnknown`, `.idTokenInvalid`, `.providerUnavailable`.
    func identity(_ proof: IDTokenProof, at now: Int) async throws -> ProvenIdentity {
        guard let provider = byName[proof.provider] else { throw CloudSyncError.providerUnknown }
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
