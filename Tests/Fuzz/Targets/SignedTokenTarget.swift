import Credentials
import NeuroViewsCrypto

/// Untrusted tokens and keys. No input is a validly signed token, and parsed values are within their bounds.
enum SignedTokenTarget {
    private static let keys = Result {
        try JSONWebKeySet(
            json: Array(
                """
                {"keys":[{"kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
                "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"}]}
                """.utf8
            )
        )
    }

    static func check(_ bytes: [UInt8]) throws {
        if let set = try? JSONWebKeySet(json: bytes) {
            try property("a set is bounded", set.keys.count <= JSONWebKeySet.maxKeys)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else { return }
        if let code = RecoveryCode(text) { try property("a code is read again", RecoveryCode(code.text) == code) }
        if let decoded = Base32.decode(text) {
            try property("Base32 has one text", Base32.encode(decoded) == text.uppercased())
        }
        guard let token = try? SignedToken(text) else { return }
        try property("nobody can make up a token", (try? token.payload(signedBy: keys.get())) == nil)
        let expected = IDTokenExpectation(issuer: "", audiences: [], nonce: text, now: 0)
        try property("nor who somebody is", (try? expected.verified(token, keys: keys.get())) == nil)
    }
}
