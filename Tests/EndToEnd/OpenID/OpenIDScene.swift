import Foundation
import TestSupport

/// A server with OpenID providers, and people who sign in with them.
struct OpenIDScene: Sendable {
    let server: ServerProcess
    let peer: DocumentServer
    /// A provider with keys at a URL and signatures by RS256.
    let google: TestIssuer
    /// A provider with keys at a URL and signatures by ES256.
    let apple: TestIssuer
    /// A provider with keys in a file.
    let local: TestIssuer

    /// A shared scene with open registration, for tests that leave it unchanged.
    static let shared = Result { try OpenIDScene() }

    init(_ arguments: [String] = ["--registration", "open"], hasAttemptLimits: Bool = false) throws {
        peer = try DocumentServer()
        (google, apple, local) = (TestIssuer("google", key: .rs256()), TestIssuer("apple"), TestIssuer("local"))
        var entries: [String] = []
        for issuer in [google, apple] {
            peer.set("/\(issuer.name)", .document(issuer.keySet))
            entries.append(issuer.entry(#""jwks_url":"\#(peer.url("/\(issuer.name)"))""#))
        }
        let file = try TestIssuer.file([local], more: entries)
        let usual = ["--signatures", "optional", "--media-jobs", "0", "--openid-providers-file", file]
        server = try ServerProcess(usual + arguments, hasAttemptLimits: hasAttemptLimits)
    }

    var client: APIClient { server.client }

    /// A login with an ID token.
    func logIn(
        _ issuer: TestIssuer,
        _ token: String,
        nonce: String = TestIssuer.nonce,
        _ more: String = "",
        _ fields: APIClient.Fields = []
    ) throws -> HTTPAnswer {
        try client.send("POST", "/v2/auth/oidc", fields, body: issuer.body(token, nonce: nonce, more))
    }

    /// A person at a provider. The server does not know this person yet.
    static func newSubject() -> String { UUID().uuidString.lowercased() }

    /// A device with a new account, logged in with an ID token.
    func newDevice(_ issuer: TestIssuer, _ subject: String, email: String = Device.newEmail()) throws -> Device {
        let answer = try logIn(issuer, issuer.token(subject, email: email), #","device_id":"phone""#)
        return try device(answer, email)
    }

    func device(_ answer: HTTPAnswer, _ email: String) throws -> Device {
        guard answer.status == 200, let user = answer.json["user"] as? [String: Any] else {
            throw Program.Failure("\(answer.verdict) \(answer.text)")
        }
        return Device(
            client: client,
            email: email,
            token: answer.string("token"),
            signingKey: answer.string("signing_key"),
            userID: user["id"] as? String ?? ""
        )
    }

    func link(_ issuer: TestIssuer, _ token: String, by device: Device) throws -> HTTPAnswer {
        try device.send("POST", "/v2/account/identities", body: issuer.body(token))
    }

    /// Sets the person's last proof of identity to 11 minutes ago.
    func forgetConfirmation(of device: Device) throws {
        try server.sql(
            "UPDATE sessions SET proven_at = now() - interval '11 minutes' WHERE user_id = '\(device.userID)'"
        )
    }
}

extension Device {
    func identities() throws -> [[String: Any]] { try send("GET", "/v2/account/identities").objects("identities") }
}
