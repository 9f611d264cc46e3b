import JSONSchema
import Testing

/// Most addresses and verdicts are from the published set of isemail.info (revision of 2021). The tests' names
/// list the differences. The set has no addresses in other scripts.
@Suite("E-mail addresses")
struct EmailAddressTests {
    private static let letters = "abcdefghijklmnopqrstuvwxyz"
    private static let label63 = letters + letters + "abcdefghikl"
    private static let local64 = letters + letters + "abcdefghiklm"

    @Test(
        "Addresses that the public test set calls valid are accepted",
        arguments: [
            "test@iana.org", "test@nominet.org.uk", "test@about.museum", "a@iana.org", "test@e.com", "test@iana.a",
            "test.test@iana.org", "!#$%&`*+/=?^`{|}~@iana.org", "123@iana.org", "test@123.com", "\(local64)@iana.org",
            "test@\(label63).com", "test@mason-dixon.com", "test@c--n.com", "test@iana.co-uk",
            "\(local64)@\(label63).\(label63).\(letters)\(letters)abcdefghi",
            "a@a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z", "test@xn--hxajbheg2az3al.xn--jxalpdlp",
            "xn--test@iana.org", "test@io", "test@org", "\"test\\\\\"@iana.org", "\"test test\"@iana.org",
            "\"\\\"\"@iana.org", "\"a@b\"@iana.org",
        ]
    )
    func valid(_ text: String) { #expect(EmailAddress(text) != nil) }

    @Test(
        "Addresses that the public test set calls invalid, too long or obsolete are refused",
        arguments: [
            "", "test", "@", "test@", "@io", "@iana.org", ".test@iana.org", "test.@iana.org", "test..iana.org",
            "test..test@iana.org", "test_exa-mple.com", "test\\@test@iana.org", "test@-iana.org", "test@iana-.com",
            "test@.iana.org", "test@iana.org.", "test@iana..com", "test@.org", "test@iana.org-", "\(local64)n@iana.org",
            "test@\(label63)m.com", "\(local64)@\(label63).\(label63).\(letters)\(letters)abcdefghij",
            "\"\"\"@iana.org", "\"\\\"@iana.org", "test\"@iana.org", "\"test@iana.org", "\"test\"test@iana.org",
            "test\"text\"@iana.org", "\"test\"\"test\"@iana.org", "\"test\".\"test\"@iana.org",
            "\"test\".test@iana.org",
            "\"test\u{0}\"@iana.org", "\"test\\\u{0}\"@iana.org", "\"test\\\"@iana.org", "\"\n\"@iana.org",
            "\"\(letters) \(letters) abcdefghj\"@iana.org", "\u{7}@iana.org", "test@\u{7}.org", "\"\u{7}\"@iana.org",
            " test @iana.org", "test@ iana .com", "test . test@iana.org", "\r\n test@iana.org", "test@iana.org\r\n ",
            " test@iana.org", "test@iana.org ", "test@iana.org\n", "\rtest@iana.org", "(comment)test@iana.org",
            "((comment)test@iana.org", "test@(comment)iana.org", "test(comment)test@iana.org",
            "test.(comment)test@iana.org",
            "()test@iana.org", "(test@iana.org", "test@(iana.org", "test@iana.org(comment\\", "test@a[255.255.255.255]",
            "test@[1.2.3.4", "test@[RFC-5322]-domain-literal]", "test@iana/icann.org",
        ]
    )
    func invalid(_ text: String) { #expect(EmailAddress(text) == nil) }

    @Test(
        "Address literals, numeric domains and needless quotes are refused, against the test set",
        arguments: [
            "test@[255.255.255.255]", "test@[IPv6:1111:2222:3333:4444:5555:6666:7777:8888]", "test@[IPv6:::]",
            "test@iana.123", "test@255.255.255.255", "\"test\"@iana.org", "\"\"@iana.org", "\"\\a\"@iana.org",
            "\"test\\ test\"@iana.org",
        ]
    )
    func stricter(_ text: String) { #expect(EmailAddress(text) == nil) }

    @Test(
        "Internationalised addresses in NFC are accepted",
        arguments: [
            "josé@exämple.org", "用户@例子.广告", "अजय@डाटा.भारत", "квіточка@пошта.укр", "θσερ@εχαμπλε.ψομ",
            "Dörte@Sörensen.example.com",
        ]
    )
    func otherScripts(_ text: String) { #expect(EmailAddress(text) != nil) }

    @Test(
        "Addresses with invisible or look-alike characters are refused",
        arguments: [
            "ana\u{200B}@example.org", "\u{FEFF}ana@example.org", "a\u{AD}na@example.org", "ana\u{202E}@example.org",
            "ana\u{2060}@example.org", "ana\u{3164}@example.org", "ana\u{FE0F}@example.org", "ana\u{34F}@example.org",
            "ana\u{E0041}@example.org", "ana@exam\u{200D}ple.org", "ana\u{A0}@example.org", "ana\u{2028}@example.org",
            "jose\u{301}@example.org", "ana@exa\u{308}mple.org", "mi\u{212A}e@example.org", "ana@\u{301}example.org",
            "ana@ex_ample.org", "ana@example\u{3002}org", "\u{1F642}@example.org", "\u{E000}@example.org",
        ]
    )
    func misleading(_ text: String) { #expect(EmailAddress(text) == nil) }
}
