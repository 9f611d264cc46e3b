import Net
import Testing

@Suite("IP addresses and networks")
struct IPAddressTests {
    @Test(
        "IP addresses are compared by value, not by spelling",
        arguments: [
            ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("2001:DB8:0:0::1", "2001:db8::1"),
            ("::", "::"), ("::1", "::1"), ("192.0.2", nil), ("192.0.2.256", nil), ("192.0.2.01", nil), ("", nil),
            ("[::1]", nil), ("::1%lo", nil), ("192.0.2.1\u{0}", nil), ("localhost", nil),
        ] as [(String, String?)]
    )
    func addresses(text: String, expected: String?) {
        #expect(IPAddress(text)?.description == expected)
    }

    @Test("A subscriber is an IPv4 address or an IPv6 /64")
    func subscriber() throws {
        func subscriber(_ text: String) throws -> IPAddress { try #require(IPAddress(text)).subscriber }
        #expect(try subscriber("2001:db8:1:2:3::4") == subscriber("2001:db8:1:2:ffff::"))
        #expect(try subscriber("2001:db8:1:2::") != subscriber("2001:db8:1:3::"))
        #expect(try subscriber("192.0.2.1") != subscriber("192.0.2.2"))
        #expect(try subscriber("::ffff:192.0.2.1") == subscriber("192.0.2.1"))
    }

    @Test(
        "A network contains the addresses that begin with its bits",
        arguments: [
            ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false), ("0.0.0.0/0", "8.8.8.8", true),
            ("0.0.0.0/0", "::1", false), ("::/0", "::1", true), ("192.0.2.128/25", "192.0.2.128", true),
            ("192.0.2.128/25", "192.0.2.127", false), ("192.0.2.1", "192.0.2.1", true),
            ("2001:db8::/63", "2001:db8:0:1:ffff::", true), ("2001:db8::/63", "2001:db8:0:2::", false),
            ("2001:db8::/65", "2001:db8::7fff:0:0:0", true), ("2001:db8::/65", "2001:db8::8000:0:0:0", false),
        ]
    )
    func networks(network: String, address: String, isInside: Bool) throws {
        let network = try #require(IPNetwork(network))
        #expect(network.contains(try #require(IPAddress(address))) == isInside)
    }
}
