import NeuroViewsJSON

/// The credentials that begin a session. They are never written anywhere, and neither printed nor dumped.
public enum Credentials: Sendable {
    /// An address and its password.
    case password(email: String, password: String)
    /// The result of an authenticator, as `PublicKeyCredential.toJSON()` has it (WebAuthn level 3). Its options are those
    /// of ``NeuroViews/passkeyOptions()``.
    case passkey(assertion: JSONValue)
    /// The answer of Apple, Google or another OpenID provider. The provider got the SHA-256 of `nonce` in lower-case
    /// hexadecimal. `invitation` is for a new account, if the server wants one.
    case idToken(provider: String, token: String, nonce: String, invitation: String? = nil)
}

/// The proof of identity: in a deletion of the account, or before an operation that needs a confirmation.
public enum Proof: Sendable {
    /// The account's password.
    case password(String)
    /// A code of the authenticator app.
    case code(String)
    /// The result of an authenticator.
    case passkey(assertion: JSONValue)
    /// A fresh token of one of the account's identities.
    case idToken(provider: String, token: String, nonce: String)
}

extension Credentials {
    /// The path of the log in.
    var path: String {
        switch self {
        case .password: "/auth/login"
        case .passkey: "/auth/passkey"
        case .idToken: "/auth/oidc"
        }
    }

    /// The members of its body, without those of the device.
    var members: [JSONObject.Member] {
        switch self {
        case .password(let email, let password): [.text("email", email), .text("password", password)]
        case .passkey(let assertion): [.init(name: "assertion", value: JSON(assertion))]
        case .idToken(let provider, let token, let nonce, let invitation):
            Proof.idToken(provider: provider, token: token, nonce: nonce).members
                + (invitation.map { [.text("invitation", $0)] } ?? [])
        }
    }
}

extension Proof {
    /// The members of a body.
    var members: [JSONObject.Member] {
        switch self {
        case .password(let password): [.text("password", password)]
        case .code(let code): [.text("code", code)]
        case .passkey(let assertion): [.init(name: "assertion", value: JSON(assertion))]
        case .idToken(let provider, let token, let nonce):
            [.text("provider", provider), .text("id_token", token), .text("nonce", nonce)]
        }
    }
}

extension JSONObject.Member {
    static func text(_ name: String, _ value: String) -> Self { Self(name: name, value: .string(value)) }
}

extension Credentials: CustomStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String {
        switch self {
        case .password: "Credentials.password"
        case .passkey: "Credentials.passkey"
        case .idToken: "Credentials.idToken"
        }
    }

    /// Nothing: a dump has no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension Proof: CustomStringConvertible, CustomReflectable {
    /// The kind alone.
    public var description: String {
        switch self {
        case .password: "Proof.password"
        case .code: "Proof.code"
        case .passkey: "Proof.passkey"
        case .idToken: "Proof.idToken"
        }
    }

    /// Nothing: a dump has no secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
