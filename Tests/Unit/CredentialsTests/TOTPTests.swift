import Credentials
import NeuroViewsCrypto
import Testing

@Suite("TOTP")
struct TOTPTests {
    private static let totp = TOTP(secret: Array("12345678901234567890".utf8))

    @Test(
        "RFC 6238's examples of TOTP give its codes",
        arguments: zip(
            [59, 1_111_111_109, 1_111_111_111, 1_234_567_890, 2_000_000_000, 20_000_000_000],
            ["287082", "081804", "050471", "005924", "279037", "353130"]
        )
    )
    func answers(seconds: Int, code: String) {
        #expect(Self.totp.code(step: TOTP.step(at: seconds)) == code)
        #expect(Self.totp.step(of: code, at: seconds, after: nil) == seconds / 30)
    }

    @Test("A TOTP code is valid one step before and after its own, and not further")
    func drift() {
        let code = Self.totp.code(step: 1000)
        for (seconds, isGood) in [(29_969, false), (29_970, true), (30_000, true), (30_059, true), (30_060, false)] {
            #expect((Self.totp.step(of: code, at: seconds, after: nil) == 1000) == isGood, "at \(seconds)")
        }
    }

    @Test("A TOTP step is accepted once, and no earlier step after it")
    func replay() {
        let codes = (999...1001).map { Self.totp.code(step: $0) }
        #expect(codes.map { Self.totp.step(of: $0, at: 30_000, after: 1000) } == [nil, nil, 1001])
        #expect(codes.map { Self.totp.step(of: $0, at: 30_000, after: 1001) } == [nil, nil, nil])
    }

    @Test(
        "A TOTP code that is not six ASCII digits is refused",
        arguments: ["", "5924", "0059240", "005924 ", "00592४"]
    )
    func malformed(code: String) {
        #expect(Self.totp.step(of: code, at: 1_234_567_890, after: nil) == nil)
    }

    @Test(
        "A typed code loses its gaps, and nothing else",
        arguments: [
            ("123 456", "123456"), (" 123-456\n", "123456"), ("123\u{202F}456", "123456"), ("1 2 3 4 5 6", "123456"),
            ("abcd\u{2013}efgh\u{2014}ijkl", "abcdefghijkl"), ("\u{200E}123456\u{2060}", "123456"),
            ("123.456", "123.456"), ("12345a", "12345a"), ("", ""),
        ]
    )
    func gaps(typed: String, code: String) { #expect(TypedCode.withoutGaps(typed) == code) }

    @Test("The TOTP URI names issuer and account, percent-encoded")
    func uri() {
        let uri = Self.totp.uri(issuer: "NeuroViews Cloud", account: "ada+1@example.org")
        #expect(
            uri == "otpauth://totp/NeuroViews%20Cloud:ada%2B1%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
                + "&issuer=NeuroViews%20Cloud&algorithm=SHA1&digits=6&period=30"
        )
    }

    @Test("Recovery codes have 80 bits, tolerate case and spaces, and do not print themselves")
    func recoveryCodes() throws {
        let codes = try RecoveryCode.newSet()
        #expect(Set(codes.map(\.text)).count == 10)
        for code in codes {
            #expect(code.text.wholeMatch(of: /([a-z2-7]{4}-){3}[a-z2-7]{4}/) != nil)
            #expect(RecoveryCode(code.text)?.digest == code.digest)
            #expect(RecoveryCode(code.text.uppercased().replacing("-", with: " ")) == code)
            #expect(RecoveryCode(" " + code.text.replacing("-", with: "\u{2014}") + "\n") == code)
            #expect("\(code)" == "RecoveryCode")
        }
        for text in ["", "abcd-efgh-ijkl-mno", "abcd-efgh-ijkl-mnop-q", "abcd-efgh-ijkl-mno1"] {
            #expect(RecoveryCode(text) == nil)
        }
    }
}
