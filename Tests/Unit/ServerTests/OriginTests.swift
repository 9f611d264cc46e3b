import Testing

@testable import Settings

@Suite("Origins in the settings", .blocking)
struct OriginTests {
    @Test(
        "Origins are stored as browsers send them",
        arguments: [
            ("none", []), ("https://app.example.org", ["https://app.example.org"]),
            (
                "HTTPS://App.Example.org:443, http://localhost:3000",
                ["https://app.example.org", "http://localhost:3000"]
            ),
            ("http://[::1]:80,capacitor://localhost", ["http://[::1]", "capacitor://localhost"]),
            ("https://xn--bcher-kva.example", ["https://xn--bcher-kva.example"]),
        ]
    )
    func valid(text: String, origins: [String]) throws {
        #expect(try serve(["--cors-origins", text]).get().corsOrigins == origins)
    }

    @Test(
        "A malformed origin stops the start",
        arguments: [
            "*", "null", "app.example.org", "https://", "https://a.example/", "https://a.example/x", "https://a b",
            "https://a.example,", ",", "https://user@a.example", "https://a.example:0", "https://a.example:65536",
            "https://a.example:+80", "https://a.example:", "https://[::1", "https://*.example.org",
            "https://bücher.example",
            "1https://a.example", "https:/a.example", "none,https://a.example",
        ]
    )
    func invalid(text: String) {
        let sentence = sentence(serve(["--cors-origins", text]))
        #expect(sentence?.contains("https://app.example.org") == true, "\(sentence ?? "accepted")")
    }
}
