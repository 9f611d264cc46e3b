import TestSupport
import Testing

@testable import Storage

@Suite("Documents fetched from other services", .blocking)
struct DocumentClientTests {
    @Test(
        "Cache-Control decides how long a document may be cached",
        arguments: [
            ("max-age=3600", 3600), ("public, max-age=21599, must-revalidate", 21599), ("Max-Age = \"60\"", 60),
            ("max-age=60, no-store", 0), ("no-cache", 0), ("private", nil), ("", nil), ("max-age=", nil),
            ("max-age=99999999999999999999", nil), ("s-maxage=5", nil),
        ] as [(String, Int?)]
    )
    func maxAge(field: String, seconds: Int?) {
        #expect(DocumentClient.maxAgeSeconds(field) == seconds)
    }

    @Test(
        "An answer that is no complete 200 within the permitted size is refused",
        arguments: [
            "", "HTTP/1.1 500 X\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 302 X\r\nLocation: http://127.0.0.1/\r\nContent-Length: 0\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nx",
            "HTTP/1.1 200 OK\r\nContent-Length: 101\r\n\r\n" + String(repeating: "x", count: 101),
            "HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 300_000),
        ]
    )
    func refused(answer: String) throws {
        let service = try ScriptedService(answer: answer)
        let url = try service.endpoint().description
        #expect(throws: StorageError.self) { try DocumentClient().fetch(url, maxBytes: 100, limitMs: 5000) }
        withExtendedLifetime(service) {}
    }

    @Test(
        "URLs of other schemes than HTTP are refused",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "x"]
    )
    func schemes(url: String) {
        #expect(throws: StorageError.self) { try DocumentClient().fetch(url, maxBytes: 100, limitMs: 1000) }
    }
}
