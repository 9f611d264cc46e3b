import Foundation
import NeuroViewsCrypto

/// A logged-in device.
package struct Device: Sendable {
    /// The client of the server.
    package var client: APIClient
    /// The e-mail address of the account.
    package let email: String
    /// The bearer token.
    package var token: String
    /// Base64 of 32 bytes.
    package let signingKey: String
    /// The user's id.
    package let userID: String
    /// The signature version of every request; nil for unsigned requests.
    package var signatureVersion: Int?

    /// Uses a session that was created without a login.
    package init(client: APIClient, email: String, token: String, signingKey: String, userID: String) {
        self.client = client
        self.email = email
        self.token = token
        self.signingKey = signingKey
        self.userID = userID
    }

    /// The password of every test account.
    package static let password = "correct horse battery staple"

    /// A new e-mail address.
    package static func newEmail() -> String { "\(UUID().uuidString.lowercased())@example.org" }

    /// Creates an account.
    @discardableResult
    package static func register(_ client: APIClient, _ email: String) throws -> HTTPAnswer {
        try client.send("POST", "/v2/auth/register", body: #"{"email":"\#(email)","password":"\#(password)"}"#)
    }

    /// Creates an account and logs in.
    package static func new(_ client: APIClient, name: String = "phone") throws -> Device {
        let email = newEmail()
        let answer = try register(client, email)
        guard answer.status == 201 else { throw Program.Failure("register: \(answer.verdict) \(answer.text)") }
        return try logIn(client, email, name: name)
    }

    /// Logs in to an account.
    package static func logIn(_ client: APIClient, _ email: String, name: String = "phone") throws -> Device {
        let body = #"{"email":"\#(email)","password":"\#(password)","device_id":"\#(name)","device_name":"\#(name)"}"#
        let answer = try client.send("POST", "/v2/auth/login", body: body)
        guard answer.status == 200, let user = answer.json["user"] as? [String: Any] else {
            throw Program.Failure("login: \(answer.verdict) \(answer.text)")
        }
        return Device(
            client: client,
            email: email,
            token: answer.string("token"),
            signingKey: answer.string("signing_key"),
            userID: user["id"] as? String ?? ""
        )
    }

    /// Logs in to the same account from another device.
    package func other(name: String = "tablet") throws -> Device { try Device.logIn(client, email, name: name) }

    /// The session's id, from the token.
    package var sessionID: String { claims["sid"] as? String ?? "" }

    /// The claims in the token.
    package var claims: [String: Any] {
        let part = token.split(separator: ".").dropFirst().first ?? ""
        let bytes = Base64.url.decode(String(part)) ?? []
        return (try? JSONSerialization.jsonObject(with: Data(bytes))) as? [String: Any] ?? [:]
    }

    /// Sends a request with the token. Signs it if `signatureVersion` is set.
    package func send(
        _ method: String,
        _ target: String,
        _ fields: APIClient.Fields = [],
        body: String? = nil
    ) throws -> HTTPAnswer {
        var all: APIClient.Fields = [("Authorization", "Bearer \(token)")]
        if let signatureVersion {
            all += try signature(
                method,
                client.origin + target,
                fields,
                body: body ?? "",
                version: signatureVersion
            )
        }
        return try client.send(method, target, all + fields, body: body)
    }

    /// The signature headers of a request. Version 3 covers the fields in its list, and the content type that
    /// `APIClient` sends with a body.
    package func signature(
        _ method: String,
        _ url: String,
        _ fields: APIClient.Fields = [],
        body: String = "",
        version: Int = 1,
        timestamp: Int = Int(Date().timeIntervalSince1970),
        nonce: String = UUID().uuidString
    ) throws -> APIClient.Fields {
        let signature = RequestSignature(
            version: try Self.version(version, fields, Array(body.utf8)),
            method: method,
            url: url,
            timestamp: String(timestamp),
            nonce: nonce
        )
        guard let signature, let key = Base64.padded.decode(signingKey) else {
            throw Program.Failure("nothing to sign")
        }
        let text = signature.signature(key: HMACSHA256(key: key))
        let signed = [("X-Timestamp", String(timestamp)), ("X-Nonce", nonce), ("X-Signature", text)]
        return version == 1 ? signed : signed + [("X-Signature-Version", "\(version)")]
    }

    private static func version(
        _ number: Int,
        _ fields: APIClient.Fields,
        _ body: [UInt8]
    ) throws -> RequestSignature.Version {
        guard number > 1 else { return .one }
        let isTyped = body.isEmpty || fields.contains { $0.0.lowercased() == "content-type" }
        let covered = isTyped ? fields : fields + [("Content-Type", "application/json")]
        guard let signed = SignedFields(covered.map { (name: $0.0, value: $0.1) }) else {
            throw Program.Failure("a field has no value")
        }
        return .three(signed, bodyDigest: SHA256.hash(body))
    }
}
