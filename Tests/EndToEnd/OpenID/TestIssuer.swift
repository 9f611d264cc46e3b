import Foundation
import NeuroViewsCrypto
import TestSupport

/// An OpenID provider for tests: it makes ID tokens, and publishes the keys that verify them.
final class TestIssuer: Sendable {
    let name: String
    let issuer: String
    let audience: String
    private let key: SigningKey
    let kid: String

    init(_ name: String, key: SigningKey = .es256(), kid: String = "k1") {
        self.name = name
        issuer = "https://\(name).example.org"
        audience = "org.example.\(name)"
        self.key = key
        self.kid = kid
    }

    /// The same provider with a new key.
    func rotated(kid: String) -> TestIssuer { TestIssuer(name, key: .es256(), kid: kid) }

    /// The provider's JWKS.
    var keySet: String { #"{"keys":[\#(key.jwk(kid: kid))]}"# }

    var header: String { #"{"alg":"\#(key.isElliptic ? "ES256" : "RS256")","kid":"\#(kid)","typ":"JWT"}"# }

    /// The claims of a person with a verified address, as JSON texts.
    func claims(_ subject: String, email: String? = nil, nonce: String = TestIssuer.nonce) -> [String: String] {
        let (now, hashed) = (Int(Date().timeIntervalSince1970), Hex.encode(SHA256.hash(Array(nonce.utf8))))
        var claims = [
            "iss": "\"\(issuer)\"", "aud": "\"\(audience)\"", "sub": "\"\(subject)\"", "iat": "\(now)",
            "exp": "\(now + 3600)", "nonce": "\"\(hashed)\"", "jti": "\"\(UUID().uuidString)\"",
        ]
        if let email { (claims["email"], claims["email_verified"]) = ("\"\(email)\"", "true") }
        return claims
    }

    /// A token; `changes` replace claims, or remove them.
    func token(
        _ subject: String,
        email: String? = nil,
        nonce: String = TestIssuer.nonce,
        header: String? = nil,
        _ changes: [String: String?] = [:]
    ) -> String {
        var claims = claims(subject, email: email, nonce: nonce)
        for (name, value) in changes { claims[name] = value }
        let payload = "{" + claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        return key.token(header: header ?? self.header, payload: payload)
    }

    /// The nonce in the document's examples.
    static let nonce = "b1c8d3f5a7e94d0f8d573f9f1f0a9c17"

    /// The body of a request with a token.
    func body(_ token: String, nonce: String = TestIssuer.nonce, _ more: String = "") -> String {
        #"{"provider":"\#(name)","id_token":"\#(token)","nonce":"\#(nonce)"\#(more)}"#
    }

    /// An entry of the settings file. `keys` is `"jwks_url":…` or `"jwks_file":…`.
    func entry(_ keys: String) -> String {
        #"{"name":"\#(name)","issuer":"\#(issuer)","audiences":["\#(audience)"],\#(keys)}"#
    }

    /// Writes the settings file into a new folder, with the key sets of issuers in files, and returns its path.
    static func file(_ issuers: [TestIssuer], more: [String] = []) throws -> String {
        let folder = Sandbox.makeFolder()
        let entries = try issuers.map { issuer in
            try issuer.keySet.write(toFile: "\(folder)/\(issuer.name).jwks", atomically: true, encoding: .utf8)
            return issuer.entry(#""jwks_file":"\#(issuer.name).jwks""#)
        }
        let path = "\(folder)/providers.json"
        try "[\((entries + more).joined(separator: ","))]".write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }
}
