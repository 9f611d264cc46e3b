import Testing

@testable import Storage

@Suite("Endpoints of S3 services")
struct S3EndpointTests {
    @Test(
        "An S3 endpoint has scheme, host and port, without the scheme's own port",
        arguments: [
            ("https://s3.example.org", "https://s3.example.org", "s3.example.org"),
            ("HTTPS://S3.example.org:443/", "https://s3.example.org", "s3.example.org"),
            ("http://127.0.0.1:9000", "http://127.0.0.1:9000", "127.0.0.1:9000"),
            ("http://store:80", "http://store", "store"), ("https://store:80", "https://store:80", "store:80"),
            ("http://[::1]:9000", "http://[::1]:9000", "[::1]:9000"),
            ("http://[fe80::1]", "http://[fe80::1]", "[fe80::1]"),
        ]
    )
    func valid(_ text: String, _ url: String, _ host: String) throws {
        let endpoint = try #require(S3Endpoint(text))
        #expect(endpoint.description == url && endpoint.host == host)
    }

    @Test(
        "A malformed S3 endpoint is refused",
        arguments: [
            "", "s3.example.org", "ftp://a", "https://", "https://a/b", "https://a?b", "https://a:b", "https://a:0",
            "https://a:65536",
            "https://user@a", "https://a b", "https://[::1", "https://[]", "https://[::1]x", "https://ä",
            "https://a:1:2", "https://a//",
        ]
    )
    func invalid(_ text: String) { #expect(S3Endpoint(text) == nil) }
}
