import Testing

@testable import HTTP

@Suite("Size limits of requests")
struct WireLimitsTests {
    private static let limits = WireLimits(
        requestLineMaxBytes: 40,
        headMaxBytes: 100,
        fieldsMaxCount: 3,
        chunkExtensionsMaxBytes: 10,
        trailersMaxBytes: 20
    )

    @Test("A request exactly at a limit is accepted, and one above is refused", arguments: rows)
    func edge(row: RequestRow) {
        let bytes = row.bytes
        #expect(Transcript.whole(bytes, limits: Self.limits).lines == row.expected)
        #expect(Transcript.single(bytes, limits: Self.limits).lines == row.expected)
        let deviating = bytes.indices.first {
            Transcript.split(bytes, at: $0, limits: Self.limits).lines != row.expected
        }
        #expect(deviating == nil, "split at this offset")
    }

    private static let ok = ["GET / 1.1 keep none", "end"]

    private static let rows: [RequestRow] = [
        RequestRow(line(bytes: 40) + "\r\nHost: a\r\n\r\n", "GET /\(a(26)) 1.1 keep none", "end"),
        RequestRow(line(bytes: 41) + "\r\nHost: a\r\n\r\n", "414 requestLineTooLong"),
        RequestRow(line(bytes: 41), "414 requestLineTooLong"),
        RequestRow(line(bytes: 40), "waits"),
        RequestRow(head(bytes: 100), "GET / 1.1 keep none", "end"),
        RequestRow(head(bytes: 101), "431 headTooLarge"),
        RequestRow("\r\n" + head(bytes: 100), "GET / 1.1 keep none", "end"),
        .field("A: 1\r\nB: 2", "GET / 1.1 keep none", "end"),
        .field("A: 1\r\nB: 2\r\nC: 3", "431 tooManyFields"),
        .chunks("1;a=bcdef\r\nx\r\n0\r\n\r\n", "content x", "end"),
        .chunks("1;a=bcdef\r\nx\r\n0;a\r\n\r\n", "content x", "end"),
        .chunks("1;a=bcdefgh\r\nx\r\n0\r\n\r\n", "content x", "end"),
        .chunks("1;a=bcdefghi\r\nx\r\n0\r\n\r\n", "400 chunkExtensionsTooLarge"),
        .chunks("1;a=bcdef\r\nx\r\n0;ab\r\n\r\n", "content x", "400 chunkExtensionsTooLarge"),
        .chunks("1;\(a(20))", "400 chunkExtensionsTooLarge"),
        .chunks("0\r\nA: \(a(13))\r\n\r\n", "end"),
        .chunks("0\r\nA: \(a(14))\r\n\r\n", "431 trailersTooLarge"),
        .chunks("0\r\nA:\r\nB:\r\nC:\r\n\r\n", "end"),
        .chunks("0\r\nA:\r\nB:\r\nC:\r\nD:\r\n\r\n", "431 trailersTooLarge"),
    ]

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func line(bytes: Int) -> String { "GET /" + a(bytes - 14) + " HTTP/1.1" }

    private static func head(bytes: Int) -> String {
        "GET / HTTP/1.1\r\nHost: a\r\nX: " + a(bytes - 32) + "\r\n\r\n"
    }

    @Test("A head of up to 16 KiB that arrives byte by byte is parsed like one that arrives at once")
    func slowHead() {
        let text = "GET / HTTP/1.1\r\nHost: a\r\nX: " + Self.a(16384 - 32) + "\r\n\r\n"
        #expect(Transcript.whole(Array(text.utf8)).lines == Self.ok)
        #expect(Transcript.single(Array(text.utf8)).lines == Self.ok)
    }
}
