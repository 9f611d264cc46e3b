import Net
import Testing

@testable import HTTP

@Suite("Forwarding fields of proxies")
struct ForwardedTests {
    /// The origin of a request from 10.0.0.1 with these lines, as "client scheme host".
    private func origin(_ lines: [String], _ fields: TrustedProxies.Fields = .xForwarded) throws -> String {
        var parser = RequestParser()
        parser.input = Array(
            ("GET / HTTP/1.1\r\nHost: h\r\n" + lines.map { $0 + "\r\n" }.joined() + "\r\n").utf8
        )
        guard case .head(let head) = try parser.next() else { return "no request" }
        var trusted = try #require(TrustedProxies("10.0.0.0/8, 2001:db8::/32"))
        trusted.fields = fields
        var origin = RequestOrigin(peer: SocketAddress("10.0.0.1:9"), scheme: "http", host: head.host)
        origin.follow(head.headers, trusted)
        return "\(origin.client?.description ?? "-") \(origin.scheme) \(origin.host ?? "-")"
    }

    @Test(
        "X-Forwarded-For gives the right-most address that is no trusted proxy",
        arguments: [
            ([], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: 192.0.2.1"], "192.0.2.1:0 http h"),
            (["X-Forwarded-For: 192.0.2.1:4711"], "192.0.2.1:4711 http h"),
            (["X-Forwarded-For: 2001:dead::1"], "[2001:dead::1]:0 http h"),
            (["X-Forwarded-For: [2001:dead::1]"], "[2001:dead::1]:0 http h"),
            (["X-Forwarded-For: [2001:dead::1]:80"], "[2001:dead::1]:80 http h"),
            // An entry by the client itself is to the left of the client's address.
            (["X-Forwarded-For: 203.0.113.9, 192.0.2.1"], "192.0.2.1:0 http h"),
            (["X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 192.0.2.1"], "192.0.2.1:0 http h"),
            (["X-Forwarded-For: 203.0.113.9, 192.0.2.1, 10.0.0.7,10.0.0.8"], "192.0.2.1:0 http h"),
            (["X-Forwarded-For: 10.0.0.7"], "10.0.0.7:0 http h"),
            (["X-Forwarded-For: 192.0.2.1, ::ffff:10.0.0.7, 2001:db8::5"], "192.0.2.1:0 http h"),
            // An entry to the left of an unreadable one has an unknown author.
            (["X-Forwarded-For: 192.0.2.1, unknown"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: 192.0.2.1, , 10.0.0.7"], "10.0.0.7:0 http h"),
            // Longer chains are none.
            (["X-Forwarded-For: 192.0.2.1" + String(repeating: ",10.0.0.7", count: 31)], "192.0.2.1:0 http h"),
            (["X-Forwarded-For: 192.0.2.1" + String(repeating: ",10.0.0.7", count: 32)], "10.0.0.7:0 http h"),
            (["X-Forwarded-For: 192.0.2.256"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: a b"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For:"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: [::1"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"], "192.0.2.1:0 https h"),
            (
                ["X-Forwarded-Proto: HTTPS", "X-Forwarded-Host: cloud.example.org:8443"],
                "10.0.0.1:9 https cloud.example.org:8443"
            ),
            (
                ["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: gopher", "X-Forwarded-Host: a/b"],
                "192.0.2.1:0 http h"
            ),
            (
                ["X-Forwarded-For: 1.1.1.1, 192.0.2.1, 10.0.0.7", "X-Forwarded-Proto: gopher, https, http"],
                "192.0.2.1:0 https h"
            ),
            (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https, http"], "192.0.2.1:0 http h"),
            (["Forwarded: for=192.0.2.1"], "10.0.0.1:9 http h"),
        ] as [([String], String)]
    )
    func xForwarded(lines: [String], expected: String) throws {
        #expect(try origin(lines) == expected)
    }

    @Test(
        "Forwarded (RFC 7239) gives the same address, and a malformed line and those before it are ignored",
        arguments: [
            (["Forwarded: for=192.0.2.1"], "192.0.2.1:0 http h"),
            (
                ["Forwarded: For=\"192.0.2.1:4711\";proto=https;host=cloud.example.org;by=10.0.0.1"],
                "192.0.2.1:4711 https cloud.example.org"
            ),
            (["Forwarded: for=\"[2001:dead::1]\""], "[2001:dead::1]:0 http h"),
            (["Forwarded: for=\"[2001:dead::1]:80\""], "[2001:dead::1]:80 http h"),
            (["Forwarded: for=203.0.113.9;proto=https, for=192.0.2.1"], "192.0.2.1:0 http h"),
            (
                ["Forwarded: for=203.0.113.9", "Forwarded: for=192.0.2.1;proto=https, for=10.0.0.7"],
                "192.0.2.1:0 https h"
            ),
            (["Forwarded: for=192.0.2.1, for=_hidden;proto=https"], "10.0.0.1:9 https h"),
            (["Forwarded: for=unknown"], "10.0.0.1:9 http h"),
            (["Forwarded: for=\"\\1\\92.0.2.1\""], "192.0.2.1:0 http h"),
            (["Forwarded: ;for=192.0.2.1;"], "192.0.2.1:0 http h"),
            (["Forwarded: , for=192.0.2.1 ,"], "192.0.2.1:0 http h"),
            (["Forwarded: for=\"192.0.2.1"], "10.0.0.1:9 http h"),
            (["Forwarded: for=\"", "Forwarded: for=192.0.2.1"], "192.0.2.1:0 http h"),
            (["Forwarded: for=192.0.2.1", "Forwarded: for=\""], "10.0.0.1:9 http h"),
            (["Forwarded: for=\"192.0.2.1\\"], "10.0.0.1:9 http h"),
            (["Forwarded: for=192.0.2.1;for=192.0.2.2"], "10.0.0.1:9 http h"),
            (["Forwarded: for = 192.0.2.1"], "10.0.0.1:9 http h"),
            (["Forwarded: for"], "10.0.0.1:9 http h"),
            (["Forwarded: for="], "10.0.0.1:9 http h"),
            (["Forwarded: for=[2001:dead::1]"], "10.0.0.1:9 http h"),
            (["Forwarded:"], "10.0.0.1:9 http h"),
            (["X-Forwarded-For: 192.0.2.1", "X-Forwarded-Proto: https"], "10.0.0.1:9 http h"),
        ] as [([String], String)]
    )
    func forwarded(lines: [String], expected: String) throws {
        #expect(try origin(lines, .forwarded) == expected)
    }

    @Test("A peer in a configured network is a trusted proxy, and any other is not")
    func trust() throws {
        let trusted = try #require(TrustedProxies("127.0.0.1, 10.0.0.0/8,2001:db8::/32"))
        for address in ["127.0.0.1", "10.255.0.1", "::ffff:10.0.0.1", "2001:db8::7"] {
            #expect(trusted.contains(peer: SocketAddress(host: address, port: 1)), "\(address)")
        }
        for address in ["127.0.0.2", "11.0.0.1", "::1", "2001:db9::7", "::10.0.0.1"] {
            #expect(!trusted.contains(peer: SocketAddress(host: address, port: 1)), "\(address)")
        }
        #expect(!trusted.contains(peer: nil))
        #expect(try #require(TrustedProxies("unix")).contains(peer: nil))
        #expect(TrustedProxies().isEmpty)
        for text in [
            "localhost", "10.0.0.0/33", "10.0.0.1/8", "10.0.0.0/", "::/129", "10.0.0.0/8 11.0.0.0/8", "10.0.0.0/-1",
        ] {
            #expect(TrustedProxies(text) == nil, "\(text)")
        }
    }
}
