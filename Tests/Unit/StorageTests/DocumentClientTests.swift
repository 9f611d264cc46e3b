import Testing

@testable import Storage

@Suite("Documents of other services")
struct DocumentClientTests {
    @Test(
        "Cache-Control says for how long a document may be kept",
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
        "Nothing but HTTP is spoken, and the wait ends in time",
        arguments: ["file:///etc/passwd", "ftp://127.0.0.1/x", "x"]
    )
    func schemes(url: String) {
        #expect(throws: StorageError.self) { try DocumentClient().fetch(url, maxBytes: 100, limitMs: 1000) }
    }
}
