import Storage
import Testing

/// The expected names are those of UTS 46, non-transitional, as browsers convert them.
@Suite("Domain names")
struct DomainNameTests {
    @Test(
        "Every spelling of a domain has the same A-labels",
        arguments: [
            ("exämple.org", "xn--exmple-cua.org"), ("EXÄMPLE.org", "xn--exmple-cua.org"),
            ("exa\u{308}mple.org", "xn--exmple-cua.org"), ("例え。テスト", "xn--r8jz45g.xn--zckzah"),
            ("ｅxample.org", "example.org"), ("exa\u{200B}mple.org", "example.org"),
            ("faß.example", "xn--fa-hia.example"),
            ("xn--exmple-cua.exämple", "xn--exmple-cua.xn--exmple-cua"), ("example.org", "example.org"),
        ]
    )
    func spellings(name: String, ascii: String) { #expect(DomainName.ascii(name) == ascii) }

    @Test(
        "A name that is no domain has no ASCII form",
        arguments: [
            "ä ö.org", "ä@b.org", "ä/b", "ä:80", "%41ä.org", "ä\u{0}.org", "ä-.org", "xn--ä.org",
            String(repeating: "ä", count: 70) + ".org", String(repeating: "ä", count: 2000),
        ]
    )
    func none(name: String) { #expect(DomainName.ascii(name) == nil) }
}
