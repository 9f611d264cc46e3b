import Credentials
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Signed tokens")
struct SignedTokenTests {
    private static let ours = ["RS256", "ES256", "ES384"]

    /// Valid tokens of other algorithms are refused on purpose, and counted separately.
    @Test(
        "JWS and JWK vectors of Wycheproof get its verdicts",
        .needsPublicVectors,
        arguments: zip(
            ["json_web_signature_test.json", "json_web_key_test.json", "json_web_crypto_test.json"],
            [401, 26, 49]
        )
    )
    func wycheproof(file: String, total: Int) throws {
        var (agreed, others) = (0, 0)
        let vectors = try Wycheproof.tests(file).filter { $0.test["jws"] != nil }
        for (group, test) in vectors {
            let isValid = try test.text("result") == "valid"
            let verdict = Self.accepts(test["jws"], try Self.keys(of: group))
            let algorithm = Self.algorithm(of: test["jws"])
            let id = try test.number("tcId")
            let isOther = isValid && !Self.ours.contains(algorithm)
            #expect(verdict == (isValid && !isOther), "\(file) tcId \(id): \(algorithm)")
            if isOther { others += 1 } else if verdict == isValid { agreed += 1 }
        }
        print("Wycheproof \(file): \(agreed) / \(vectors.count), and \(others) valid ones of other algorithms refused")
        #expect(agreed + others == total && vectors.count == total)
    }

    private static func keys(of group: [String: Any]) throws -> JSONWebKeySet {
        let key = try #require(group["public"] as? [String: Any] ?? group["private"] as? [String: Any])
        let set = key["keys"] == nil ? ["keys": [key]] : key
        return try JSONWebKeySet(json: [UInt8](JSONSerialization.data(withJSONObject: set)))
    }

    private static func accepts(_ token: Any?, _ keys: JSONWebKeySet) -> Bool {
        guard let text = token as? String, let token = try? SignedToken(text) else { return false }
        return (try? token.payload(signedBy: keys)) != nil
    }

    private static func algorithm(of token: Any?) -> String {
        guard let first = (token as? String)?.split(separator: ".").first,
            let header = Base64.url.decode(String(first)),
            let json = try? JSONSerialization.jsonObject(with: Data(header)) as? [String: Any]
        else { return "unreadable" }
        return json["alg"] as? String ?? "none"
    }

    @Test("Only a fitting key verifies a token, and a token without a key id needs a set of one key")
    func choice() throws {
        let (first, second, rsa) = (SigningKey.es256(), SigningKey.es256(), SigningKey.rs256())
        func set(_ keys: String...) throws -> JSONWebKeySet {
            try JSONWebKeySet(json: Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
        }
        func refusal(_ header: String, _ keys: JSONWebKeySet) -> TokenRefusal? {
            do throws(TokenRefusal) {
                _ = try SignedToken(first.token(header: header, payload: "{}")).payload(signedBy: keys)
                return nil
            } catch { return error }
        }
        let named = #"{"alg":"ES256","kid":"a"}"#
        let unnamed = #"{"alg":"ES256"}"#
        #expect(refusal(named, try set(first.jwk(kid: "a"), second.jwk(kid: "b"), rsa.jwk(kid: "a"))) == nil)
        #expect(refusal(named, try set(first.jwk(kid: "b"))) == .unknownKey)
        let forEncryption = first.jwk(kid: "a").replacing(#""use":"sig""#, with: #""use":"enc""#)
        #expect(refusal(named, try set(forEncryption, second.jwk(kid: "b"))) == .unknownKey)
        #expect(refusal(named, try set(second.jwk(kid: "a"))) == .signature)
        #expect(refusal(named, try set(first.jwk(kid: "a"), second.jwk(kid: "a"))) == .ambiguousKey)
        #expect(refusal(unnamed, try set(first.jwk(kid: "a"), rsa.jwk(kid: "b"))) == nil)
        #expect(refusal(unnamed, try set(first.jwk(kid: "a"), second.jwk(kid: "b"))) == .ambiguousKey)
        #expect(refusal(#"{"alg":"ES256","kid":1}"#, try set(first.jwk(kid: "a"))) == .malformed)
        #expect(refusal(#"{"alg":"ES256","crit":["exp"],"exp":1}"#, try set(first.jwk(kid: "a"))) == .critical)
        #expect(refusal(#"{"alg":"none"}"#, try set(first.jwk(kid: "a"))) == .algorithm)
        #expect(refusal(#"{"alg":"ES256","alg":"ES256"}"#, try set(first.jwk(kid: "a"))) == .malformed)
    }

    @Test("A token by ES384 needs a key on P-384")
    func longer() throws {
        let (key, shorter) = (SigningKey.es384(), SigningKey.es256())
        func set(_ keys: String...) throws -> JSONWebKeySet {
            try JSONWebKeySet(json: Array(#"{"keys":[\#(keys.joined(separator: ","))]}"#.utf8))
        }
        let header = #"{"alg":"ES384","kid":"a"}"#
        let token = try SignedToken(key.token(header: header, payload: "{}"))
        #expect(try token.payload(signedBy: set(shorter.jwk(kid: "a"), key.jwk(kid: "a"))) == Array("{}".utf8))
        #expect(throws: TokenRefusal.unknownKey) { try token.payload(signedBy: set(shorter.jwk(kid: "a"))) }
        // The key is for ES384 alone, though it says nothing about it.
        let silent = key.jwk(kid: "a").replacing(#""alg":"ES384","#, with: "")
        let named = try SignedToken(key.token(header: #"{"alg":"ES256","kid":"a"}"#, payload: "{}"))
        #expect(throws: TokenRefusal.unknownKey) { try named.payload(signedBy: set(silent)) }
        let misnamed = key.jwk(kid: "a").replacing("ES384", with: "ES256")
        #expect(try set(misnamed).keys.isEmpty)
    }

    @Test(
        "A malformed or too large key set is refused",
        arguments: ["", "[]", "{}", #"{"keys":{}}"#, #"{"keys":[],"keys":[]}"#]
    )
    func sets(text: String) {
        #expect(throws: TokenRefusal.keySet) { try JSONWebKeySet(json: Array(text.utf8)) }
        let many = #"{"keys":[\#(Array(repeating: "{}", count: 101).joined(separator: ","))]}"#
        #expect(throws: TokenRefusal.keySet) { try JSONWebKeySet(json: Array(many.utf8)) }
    }
}
