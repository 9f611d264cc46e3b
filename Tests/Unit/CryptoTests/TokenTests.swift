import NeuroViewsCrypto
import Testing

@Suite("Access tokens")
struct TokenTests {
    static let key = ascending(0, 31)
    static let sessionID = "0190a5f3-1b2c-7def-8123-456789abcdef"
    static let userID = "6f9619ff-8b86-4011-b42d-00cf4fc964ff"
    static let header = #"{"alg":"HS256","kid":"k1","typ":"JWT"}"#
    static let payload =
        #"{"sid":"\#(sessionID)","sub":"\#(userID)","ctr":7,"iat":1700000000,"exp":1700003600}"#

    let signer: TokenSigner
    let claims: TokenClaims
    let token: String

    init() throws {
        signer = try TokenSigner(keys: ["k1": Self.key, "k2": ascending(1, 32)], current: "k1")
        claims = try TokenClaims(
            sessionID: Self.sessionID,
            userID: Self.userID,
            counter: 7,
            issuedAt: 1_700_000_000,
            expiresAt: 1_700_003_600
        )
        token = try signer.sign(claims)
    }

    /// A token with this header and payload, and a correct signature by `key`.
    static func forge(_ header: String, _ payload: String, key: [UInt8] = key) -> String {
        let signed = Base64.url.encode(Array(header.utf8)) + "." + Base64.url.encode(Array(payload.utf8))
        return signed + "." + Base64.url.encode(HMACSHA256(key: key).authenticate(Array(signed.utf8)))
    }

    @Test("An access token equals that of another JWT writer, and gives its claims back")
    func knownAnswer() throws {
        let parts = [
            "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsxIiwidHlwIjoiSldUIn0",
            "eyJzaWQiOiIwMTkwYTVmMy0xYjJjLTdkZWYtODEyMy00NTY3ODlhYmNkZWYiLCJzdWIiOiI2Zjk2MTlmZi04Yjg2LTQwMTEtYjQyZC0w"
                + "MGNmNGZjOTY0ZmYiLCJjdHIiOjcsImlhdCI6MTcwMDAwMDAwMCwiZXhwIjoxNzAwMDAzNjAwfQ",
            "AR_OcjGbS3tz2OlKU4ITb79UvVe46TUHzTo8WnJ3R_8",
        ]
        #expect(token == parts.joined(separator: "."))
        #expect(token == Self.forge(Self.header, Self.payload))
        #expect(try signer.verify(token).claims == claims)
        #expect(try signer.verify(token).kid == "k1")
    }

    @Test("An expired access token verifies, and its claims are expired from the exact second")
    func expiry() throws {
        let claims = try signer.verify(token).claims
        #expect(!claims.isExpired(now: 1_700_003_599))
        #expect(claims.isExpired(now: 1_700_003_600))
        #expect(claims.isExpired(now: 2_000_000_000))
    }

    @Test("An access token with any flipped bit is refused")
    func flippedBits() {
        let bytes = Array(token.utf8)
        for index in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[index] ^= 1 << UInt8(bit)
                #expect(throws: TokenError.self, "byte \(index), bit \(bit)") { try signer.verify(other.span) }
            }
        }
    }

    @Test("A truncated or extended access token is refused")
    func lengths() {
        for count in 0..<token.utf8.count {
            #expect(throws: TokenError.self) { try signer.verify(String(token.prefix(count))) }
            #expect(throws: TokenError.self) { try signer.verify(String(token.suffix(count))) }
        }
        for other in [token + ".", token + "=", token + " ", " " + token, "." + token, token + token, token + "\n"] {
            #expect(throws: TokenError.self) { try signer.verify(other) }
        }
        let long = Self.forge(Self.header, Self.payload + String(repeating: " ", count: 512), key: ascending(1, 32))
        #expect(throws: TokenError.malformed, "the length is checked before the signature") { try signer.verify(long) }
    }

    @Test("A tampered segment of a token is refused, and the error names the failed check")
    func segments() throws {
        let parts = token.split(separator: ".").map(String.init)
        let other = Self.forge(Self.header, Self.payload.replacing(#""ctr":7"#, with: #""ctr":8"#))
        let otherParts = other.split(separator: ".").map(String.init)
        let table: [([String], TokenError)] = [
            ([parts[0], otherParts[1], parts[2]], .badSignature), ([parts[0], parts[1], otherParts[2]], .badSignature),
            ([parts[0], parts[1], String(repeating: "A", count: 43)], .badSignature),
            ([parts[0], parts[1], ""], .malformed), ([parts[0], parts[1]], .malformed), ([parts[0], ""], .malformed),
            ([parts[0], "", parts[2]], .malformed), ([parts[0], parts[2], parts[1]], .malformed),
            ([parts[0], parts[1], parts[2], parts[2]], .badSignature), (["", parts[1], parts[2]], .unknownKey),
            ([parts[0] + "=", parts[1], parts[2]], .unknownKey), ([parts[1], parts[2]], .unknownKey),
        ]
        for (segments, error) in table {
            #expect(throws: error, "\(segments)") { try signer.verify(segments.joined(separator: ".")) }
        }
        #expect(try signer.verify(other).claims.counter == 8)
    }

    @Test(
        "A correctly signed token with any other header is refused",
        arguments: [
            #"{"alg":"none","kid":"k1","typ":"JWT"}"#, #"{"alg":"None","typ":"JWT"}"#, #"{"alg":"none"}"#,
            #"{"alg":"HS512","kid":"k1","typ":"JWT"}"#, #"{"alg":"HS384","kid":"k1","typ":"JWT"}"#,
            #"{"alg":"RS256","kid":"k1","typ":"JWT"}"#, #"{"alg":"hs256","kid":"k1","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"k3","typ":"JWT"}"#, #"{"alg":"HS256","kid":"K1","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"k1","typ":"JWT" }"#, #"{"kid":"k1","alg":"HS256","typ":"JWT"}"#,
            #"{"alg":"HS256","kid":"k1","typ":"JWT","crit":[]}"#, #"{"alg":"HS256","typ":"JWT"}"#, "{}", "",
            #"{"alg":"HS256","alg":"none","kid":"k1","typ":"JWT"}"#, #"{"alg":"HS256","kid":"","typ":"JWT"}"#,
        ]
    )
    func headers(header: String) {
        let forged = Self.forge(header, Self.payload)
        #expect(throws: TokenError.unknownKey) { try signer.verify(forged) }
        let unsigned =
            forged.split(separator: ".", omittingEmptySubsequences: false).prefix(2).joined(separator: ".") + "."
        #expect(throws: TokenError.unknownKey) { try signer.verify(unsigned) }
    }

    @Test("A token signed by one key under another key's id is refused")
    func wrongKey() throws {
        let header = #"{"alg":"HS256","kid":"k2","typ":"JWT"}"#
        #expect(throws: TokenError.badSignature) { try signer.verify(Self.forge(header, Self.payload)) }
        let right = Self.forge(header, Self.payload, key: ascending(1, 32))
        #expect(try signer.verify(right).kid == "k2")
        #expect(try signer.sign(claims, kid: "k2") == right)
        #expect(throws: TokenError.unknownKey) { try signer.sign(claims, kid: "k3") }
    }

    @Test(
        "A token with a signed payload in another form than ours is refused",
        arguments: [
            ("", ""), ("{", " {"), ("}", "} "), ("}", ",\"x\":1}"), (#""ctr":7"#, #""ctr":07"#),
            (#""ctr":7"#, #""ctr":-7"#), (#""ctr":7"#, #""ctr":7.0"#), (#""ctr":7"#, #""ctr":"7""#),
            (#""ctr":7"#, #""ctr":"#), (#""ctr":7"#, #""ctr":7e0"#), (#""ctr":7"#, #""ctr":9007199254740992"#),
            (#""ctr":7"#, #""ctr":99999999999999999999"#), (#""ctr":7,"#, ""), (#""ctr":7,"#, #""ctr":7,"ctr":7,"#),
            ("abcdef", "ABCDEF"), ("abcdef", "abcdeg"), ("abcdef", "abcde"), ("abcdef", "abcdef0"),
            ("0190a5f3-", "0190a5f30"),
            ("sid", "sub"), (#""exp":1700003600"#, #""exp":null"#), ("1700003600}", "1700003600"),
        ]
    )
    func payloads(part: String, replacement: String) {
        let payload = part.isEmpty ? "" : Self.payload.replacing(part, with: replacement)
        #expect(throws: TokenError.malformed) { try signer.verify(Self.forge(Self.header, payload)) }
    }

    @Test("The largest numbers in a token survive a round trip")
    func largestNumbers() throws {
        let largest = (1 << 53) - 1
        let claims = try TokenClaims(
            sessionID: Self.sessionID,
            userID: Self.userID,
            counter: largest,
            issuedAt: 0,
            expiresAt: largest
        )
        let token = try signer.sign(claims)
        #expect(token.utf8.count <= TokenSigner.maxTokenBytes)
        #expect(try signer.verify(token).claims == claims)
    }

    @Test("Token claims with other text than ids can't be made, so nothing gets into the JSON")
    func claimsChecked() {
        let good = Self.sessionID
        for bad in [
            "", "x", good.uppercased(), good + "\"", String(good.dropLast()) + "\"", good.replacing("-", with: "0"),
        ] {
            #expect(throws: TokenError.malformed) {
                try TokenClaims(sessionID: bad, userID: good, counter: 0, issuedAt: 0, expiresAt: 0)
            }
            #expect(throws: TokenError.malformed) {
                try TokenClaims(sessionID: good, userID: bad, counter: 0, issuedAt: 0, expiresAt: 0)
            }
        }
        for bad in [-1, 1 << 53, Int.min, Int.max] {
            #expect(throws: TokenError.malformed) {
                try TokenClaims(sessionID: good, userID: good, counter: bad, issuedAt: 0, expiresAt: 0)
            }
        }
    }

    @Test("A token signer with a short key, a malformed id or no current key is refused")
    func keys() {
        let key = Self.key
        for (kid, key, current) in [
            ("k1", Array(key.dropLast()), "k1"), ("", key, ""), ("a b", key, "a b"), ("k\"", key, "k\""),
            ("12345678901234567", key, "12345678901234567"), ("k1", key, "k2"), ("é", key, "é"), ("a+b", key, "a+b"),
        ] {
            #expect(throws: CryptoError.self) { try TokenSigner(keys: [kid: key], current: current) }
        }
        #expect(throws: Never.self) { try TokenSigner(keys: ["A-z_0123456789ab": key], current: "A-z_0123456789ab") }
    }
}
