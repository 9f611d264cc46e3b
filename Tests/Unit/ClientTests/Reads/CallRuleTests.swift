import Testing

@testable import NeuroViewsClient

@Suite("Requests of apps")
struct CallRuleTests {
    @Test(
        "A call that begins or ends this device's session is refused",
        arguments: [
            "POST /auth/register", "POST /auth/login", "POST /auth/refresh", "POST /auth/logout", "POST /auth/oidc",
            "POST /auth/passkey", "POST /auth/second-factor", "POST /auth/password", "DELETE /auth/sessions/x",
            "POST /auth/login?x=1", "POST /Auth/Login", "POST /%61uth/login", "POST /auth/anything", "DELETE /account",
            "DELETE /account?x", "POST /auth",
        ]
    )
    func refused(_ call: String) throws {
        let words = call.split(separator: " ").map(String.init)
        let reason = try #require(CallRules.objection(words[0], words[1]))
        #expect(reason.contains("session"))
    }

    @Test(
        "A call that leaves the session alone is sent",
        arguments: [
            "GET /auth/sessions", "DELETE /auth/sessions", "POST /auth/confirm", "POST /auth/passkey/options",
            "POST /auth/email/verify", "POST /auth/password-reset", "POST /auth/password-reset/confirm",
            "GET /account", "POST /account/totp", "GET /devices/a%20b", "GET /analytics/usage?a=b/../c",
            "PATCH /devices/auth",
        ]
    )
    func allowed(_ call: String) {
        let words = call.split(separator: " ").map(String.init)
        #expect(CallRules.objection(words[0], words[1]) == nil)
    }

    @Test(
        "A call whose path could be read as another one is refused",
        arguments: [
            "", "account", "//auth/login", "/x/../auth/login", "/./auth/login", "/account/", "/account#x", "/a b", "/é",
            "/account\n", "/auth\\login", "https://example.org/account",
        ]
    )
    func paths(_ path: String) { #expect(CallRules.objection("GET", path) != nil) }

    @Test("A call with another method is refused", arguments: ["get", "HEAD", "OPTIONS", "", "GET x"])
    func methods(_ method: String) { #expect(CallRules.objection(method, "/account") != nil) }

    @Test("A part of a path is percent-encoded but for unreserved characters")
    func encoding() {
        #expect("aZ09-._~".percentEncoded == "aZ09-._~")
        #expect("a/b?c d+é%".percentEncoded == "a%2Fb%3Fc%20d%2B%C3%A9%25")
    }
}
