import Credentials
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("ID tokens")
struct IDTokenTests {
    private static let key = SigningKey.es256()
    private static let now = 1_800_000_000

    /// The nonce as the provider gets it, as JSON.
    private static func hashed(_ nonce: String) -> String { "\"\(Hex.encode(SHA256.hash(Array(nonce.utf8))))\"" }

    private static let claims = [
        "iss": #""https://issuer.example""#, "sub": #""person""#, "aud": #""app""#, "exp": "\(now + 600)",
        "iat": "\(now - 5)",
        "nonce": hashed("n-1"), "email": #""ada@example.org""#, "email_verified": "true",
    ]

    private static func verdict(
        _ changes: [String: String?] = [:],
        header: String = #"{"alg":"ES256","kid":"k","typ":"JWT"}"#,
        nonce: String = "n-1"
    ) -> Result<IDToken, TokenRefusal> {
        var claims = Self.claims
        for (name, value) in changes { claims[name] = value }
        let payload = "{" + claims.map { #""\#($0.key)":\#($0.value)"# }.joined(separator: ",") + "}"
        let expected = IDTokenExpectation(
            issuer: "https://issuer.example",
            audiences: ["app", "app.web"],
            nonce: nonce,
            now: now
        )
        do throws(TokenRefusal) {
            let keys = try JSONWebKeySet(json: Array(#"{"keys":[\#(key.jwk(kid: "k"))]}"#.utf8))
            return .success(try expected.verified(SignedToken(key.token(header: header, payload: payload)), keys: keys))
        } catch { return .failure(error) }
    }

    @Test("A valid ID token gives subject, address and expiry")
    func good() throws {
        let token = try Self.verdict().get()
        #expect(token.subject == "person" && token.email == "ada@example.org" && token.isEmailVerified)
        #expect(token.expiresAt == Self.now + 600)
        #expect(try Self.verdict(["email_verified": #""true""#]).get().isEmailVerified)
        #expect(try !Self.verdict(["email_verified": nil]).get().isEmailVerified)
        for changes: [String: String] in [
            ["aud": #"["other","app"]"#, "azp": #""app""#], ["aud": #"["app.web"]"#],
            // Google on Android: the web client is the audience, the app is the authorised party.
            ["aud": #""app.web""#, "azp": #""app""#],
            ["exp": "\(Self.now - 59)"],
            ["iat": "\(Self.now + 60)", "nbf": "\(Self.now + 60)"], ["iat": "\(Self.now).5"],
        ] {
            #expect(throws: Never.self, "\(changes)") { try Self.verdict(changes).get() }
        }
        #expect(throws: Never.self) { try Self.verdict(header: #"{"alg":"ES256"}"#).get() }
    }

    @Test(
        "An ID token with one wrong claim is refused",
        arguments: [
            ("iss", #""https://issuer.example/""#, TokenRefusal.issuer), ("iss", nil, .claims),
            ("sub", #""""#, .claims), ("sub", "1", .claims),
            ("aud", #""other""#, .audience), ("aud", #"["other","app"]"#, .audience), ("aud", #"["app",1]"#, .claims),
            ("aud", "[]", .claims),
            ("azp", #""other""#, .authorizedParty), ("aud", nil, .claims), ("exp", "1799999940", .expired),
            ("exp", nil, .claims),
            ("exp", #""1900000000""#, .claims), ("exp", "1e300", .claims), ("iat", "1800000061", .notYetValid),
            ("iat", nil, .claims),
            ("nbf", "1800000061", .notYetValid), ("nbf", #""x""#, .claims), ("nonce", #""n-2""#, .nonce),
            ("nonce", #""n-1""#, .plainNonce), ("nonce", hashed("n-2"), .nonce),
            ("nonce", hashed("n-1").uppercased(), .nonce), ("nonce", nil, .nonce),
        ] as [(String, String?, TokenRefusal)]
    )
    func bad(claim: String, value: String?, refusal: TokenRefusal) {
        #expect(throws: refusal) { try Self.verdict([claim: value]).get() }
    }

    @Test("A logout token, an access token and an empty nonce are refused as ID tokens")
    func kinds() {
        for type in [#""logout+jwt""#, #""at+jwt""#, "1"] {
            #expect(throws: TokenRefusal.type) { try Self.verdict(header: #"{"alg":"ES256","typ":\#(type)}"#).get() }
        }
        #expect(throws: TokenRefusal.nonce) { try Self.verdict(["nonce": Self.hashed("")], nonce: "").get() }
    }
}
