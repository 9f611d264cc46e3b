import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Rejected ID tokens", .blocking)
struct BadIDTokenTests {
    /// A way to make a token that must be refused.
    struct Forgery: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let reason: String
        let token: @Sendable (OpenIDScene, _ subject: String) -> String

        init(_ name: String, _ reason: String, _ token: @escaping @Sendable (OpenIDScene, String) -> String) {
            (testDescription, self.reason, self.token) = (name, reason, token)
        }

        /// A token with a changed or missing claim.
        static func claim(_ name: String, _ value: String?, _ reason: String) -> Forgery {
            Forgery("\(name): \(value ?? "none")", reason) { $0.google.token($1, [name: value]) }
        }
    }

    private static var now: Int { Int(Date().timeIntervalSince1970) }

    private static func part(_ text: String) -> String { Base64.url.encode(Array(text.utf8)) }

    /// A token with a payload that differs from the signed payload.
    private static func exchanged(_ token: String, payload: String) -> String {
        let parts = token.split(separator: ".")
        return "\(parts[0]).\(part(payload)).\(parts[2])"
    }

    private static func payload(_ claims: [String: String]) -> String {
        "{" + claims.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
    }

    static let forgeries: [Forgery] = [
        Forgery("alg none", "algorithm") { scene, subject in
            part(#"{"alg":"none"}"#) + "." + part(payload(scene.google.claims(subject))) + "."
        },
        Forgery("HS256 with the public key as the secret", "algorithm") { scene, subject in
            let header = part(#"{"alg":"HS256","kid":"k1"}"#)
            let text = header + "." + part(payload(scene.google.claims(subject)))
            let tag = HMACSHA256(key: Array(scene.google.keySet.utf8)).authenticate(Array(text.utf8))
            return text + "." + Base64.url.encode(tag)
        },
        Forgery("a key that the token brings along", "signature") { scene, subject in
            let own = TestIssuer("google", key: .rs256())
            let jwk = own.keySet.dropFirst(9).dropLast(2)
            return own.token(subject, header: #"{"alg":"RS256","kid":"k1","jwk":\#(jwk)}"#)
        },
        Forgery("the key of another provider", "key is unknown") { scene, subject in
            scene.apple.token(subject, ["iss": "\"\(scene.google.issuer)\"", "aud": "\"\(scene.google.audience)\""])
        },
        Forgery("a token of another provider", "key is unknown") { scene, subject in scene.apple.token(subject) },
        Forgery("an unknown key", "key is unknown") { scene, subject in
            scene.google.token(subject, header: #"{"alg":"RS256","kid":"k0"}"#)
        },
        Forgery("a changed payload", "signature") { scene, subject in
            exchanged(scene.google.token("somebody"), payload: payload(scene.google.claims(subject)))
        },
        Forgery("a changed signature", "signature") { scene, subject in
            let token = scene.google.token(subject)
            return String(token.dropLast(8)) + "AAAAAAAA"
        },
        Forgery("an access token", "another type") { scene, subject in
            scene.google.token(subject, header: #"{"alg":"RS256","kid":"k1","typ":"at+jwt"}"#)
        },
        Forgery("critical extensions", "critical") { scene, subject in
            scene.google.token(subject, header: #"{"alg":"RS256","kid":"k1","crit":["b64"]}"#)
        },
        Forgery("no token", "malformed") { _, _ in "x.y" },
        .claim("iss", #""https://google.example.org/""#, "another issuer"),
        .claim("aud", #""org.example.apple""#, "another audience"),
        .claim("nonce", #""another""#, "nonce"),
        .claim("nonce", "\"\(TestIssuer.nonce)\"", "give the provider its SHA-256"),
        .claim("sub", nil, "malformed"),
        .claim("iat", "\(now - 700)", "expired"),
        .claim("nbf", "\(now + 3000)", "not valid yet"),
    ]

    @Test("A forged ID token is refused by a login, a link, a confirmation and an erasure", arguments: forgeries)
    func refused(forgery: Forgery) throws {
        let scene = try OpenIDScene.shared.get()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.google, subject)
        func check(_ answer: HTTPAnswer) {
            #expect(answer.verdict == "401 id-token-invalid")
            #expect(answer.string("detail").contains(forgery.reason), "\(answer.string("detail"))")
        }
        let body = scene.google.body(forgery.token(scene, subject))
        check(try scene.client.send("POST", "/v2/auth/oidc", body: body))
        for (method, path) in [
            ("POST", "/v2/account/identities"), ("POST", "/v2/auth/confirm"), ("DELETE", "/v2/account"),
        ] {
            check(try device.send(method, path, body: body))
        }
        #expect(try scene.server.sql("SELECT count(*) FROM sessions WHERE user_id = '\(device.userID)'") == ["1"])
    }

    @Test("An ID token is accepted for one request, also with another signature")
    func used() throws {
        let scene = try OpenIDScene.shared.get()
        let subject = OpenIDScene.newSubject()
        let device = try scene.newDevice(scene.apple, subject)
        let token = scene.apple.token(subject)
        #expect(try device.send("POST", "/v2/auth/confirm", body: scene.apple.body(token)).status == 204)
        for sent in [token, Self.twin(of: token)] {
            for (method, path) in [
                ("POST", "/v2/auth/oidc"), ("POST", "/v2/account/identities"), ("POST", "/v2/auth/confirm"),
            ] {
                let answer = try device.send(method, path, body: scene.apple.body(sent))
                #expect(answer.verdict == "401 id-token-invalid" && answer.string("detail").contains("used before"))
            }
        }
    }

    /// The same token with the other signature of ES256 that is as good: (r, n - s).
    private static func twin(of token: String) -> String {
        let parts = token.split(separator: ".").map(String.init)
        guard let signature = Base64.url.decode(parts[2]), signature.count == 64 else { return token }
        let order: [UInt8] =
            Hex.decode(Array("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551".utf8)[...]) ?? []
        var (s, borrow) = ([UInt8](repeating: 0, count: 32), 0)
        for index in (0..<32).reversed() {
            let difference = Int(order[index]) - Int(signature[32 + index]) - borrow
            s[index] = UInt8(truncatingIfNeeded: difference)
            borrow = difference < 0 ? 1 : 0
        }
        return "\(parts[0]).\(parts[1]).\(Base64.url.encode(signature[..<32] + s))"
    }

    @Test("A token of an unconfigured provider gets 422 provider-unknown")
    func unknownProvider() throws {
        let scene = try OpenIDScene.shared.get()
        let other = TestIssuer("other")
        #expect(try scene.logIn(other, other.token("somebody")).verdict == "422 provider-unknown")
        let plain = try Device.new(Shared.client())
        let body = other.body(other.token("somebody"))
        #expect(try plain.send("POST", "/v2/account/identities", body: body).verdict == "422 provider-unknown")
    }

    @Test("Used ID tokens are deleted once they can no longer be accepted")
    func swept() throws {
        let scene = try OpenIDScene.shared.get()
        try scene.server.sql(
            """
            INSERT INTO used_id_tokens VALUES (sha256('long ago'), now() - interval '61 minutes'), (sha256('just now'), now());
            """
        )
        try scene.server.sql("SELECT sweep_used_id_tokens(1000)", role: "neuroviews_background")
        let left = "SELECT count(*) FROM used_id_tokens WHERE digest = sha256"
        #expect(try scene.server.sql("\(left)('long ago')") == ["0"])
        #expect(try scene.server.sql("\(left)('just now')") == ["1"])
    }
}
