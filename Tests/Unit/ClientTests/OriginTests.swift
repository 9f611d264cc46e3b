import Testing

@testable import NeuroViewsClient

@Suite("Origins of the client's requests")
struct OriginTests {
    @Test(
        "Requests to localhost, 127.0.0.0/8 and ::1 stay on the device",
        arguments: [
            ("http://localhost:80/a", true), ("http://LOCALHOST", true), ("http://127.9.9.9:1", true),
            ("http://[::1]:8080/", true), ("http://localhost.example/", false), ("http://127.0.0.1.nip.io/", false),
            ("http://[::2]/", false), ("http://127.1/", false), ("http://127.0.0.256/", false),
            ("http://1.127.0.0/", false),
        ]
    )
    func loopback(url: String, isLoopback: Bool) {
        #expect(Origin(url)?.isLoopback == isLoopback)
    }

    @Test("The port is the scheme's, unless the URL has one")
    func ports() {
        #expect(Origin("https://a.b?c")?.port == 443)
        #expect(Origin("HTTP://a.b#c")?.port == 80)
        #expect(Origin("https://a.b:8443/c")?.port == 8443)
        #expect(Origin("https://a.b:443/c") == Origin("HTTPS://A.B"))
    }

    @Test(
        "A URL that two readers might read differently has no origin",
        arguments: [
            "", "a.b", "ftp://a.b", "https:/a.b", "https://", "https:///a", "https://:80", "https://a.b:",
            "https://a.b:0", "https://a.b:65536", "https://a.b:+1", "https://localhost@a.b",
            "https://a.b\\@localhost", "https://a b", "https://[::1",
            "https://[::1]a", "https://müller.example", "https://a.b:80:80", "https://a%2eb",
        ]
    )
    func refused(url: String) {
        #expect(Origin(url) == nil)
    }
}
