/// A row of a table: bytes as text (with `\r\n` written out), and the parser's results.
struct RequestRow: Sendable, CustomStringConvertible {
    let text: String
    let expected: [String]

    init(_ text: String, _ expected: String...) {
        self.text = text
        self.expected = expected
    }

    /// A request with a complete head and one more field line.
    static func field(_ line: String, _ expected: String...) -> RequestRow {
        RequestRow(text: "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", expected: expected)
    }

    /// A chunked request with this body.
    static func chunks(_ body: String, _ expected: String...) -> RequestRow {
        RequestRow(
            text: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + body,
            expected: ["POST / 1.1 keep chunked"] + expected
        )
    }

    private init(text: String, expected: [String]) {
        self.text = text
        self.expected = expected
    }

    var bytes: [UInt8] { Array(text.utf8) }
    var description: String { text.debugDescription }
}

let acceptedRequests: [RequestRow] = [
    RequestRow(""),
    RequestRow("GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 keep none", "end"),
    RequestRow("GET /a?b=c?d HTTP/1.1\r\nhOST:a:80\r\n\r\n", "GET /a ?b=c?d 1.1 keep none", "end"),
    RequestRow("GET /? HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "GET / ? 1.1 keep none", "end"),
    RequestRow("GET /%2F%zz HTTP/1.1\r\nHost: a%20b\r\n\r\n", "GET /%2F%zz 1.1 keep none", "end"),
    RequestRow("get / HTTP/1.1\r\nHost: a\r\n\r\n", "get / 1.1 keep none", "end"),
    RequestRow("TRACE / HTTP/1.1\r\nHost: a\r\n\r\n", "TRACE / 1.1 keep none", "end"),
    RequestRow("GET / HTTP/1.7\r\nHost: a\r\n\r\n", "GET / 1.1 keep none", "end"),
    RequestRow("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS * 1.1 keep none", "end"),
    RequestRow("GET http://b:1/p?q HTTP/1.1\r\nHost: a\r\n\r\n", "GET /p ?q 1.1 keep none", "end"),
    RequestRow("GET HTTPS://b HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 keep none", "end"),
    RequestRow("GET http://b?q HTTP/1.1\r\nHost: a\r\n\r\n", "GET / ?q 1.1 keep none", "end"),
    RequestRow("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / 1.1 keep none", "end"),
    RequestRow("GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close none", "end"),
    RequestRow("GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", "GET / 1.0 keep none", "end"),
    RequestRow("GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", "GET / 1.0 close none", "end"),
    RequestRow(
        "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 1\r\n\r\nx",
        "POST / 1.0 close 1",
        "content x",
        "end"
    ),
    RequestRow("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", "POST / 1.1 keep 3", "content abc", "end"),
    RequestRow("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nab", "POST / 1.1 keep 3", "content ab", "waits"),
    RequestRow("GET / HTTP/1.1\r\nHost: a\r\n", "waits"),
    .field("Connection: close", "GET / 1.1 close none", "end"),
    .field("Connection: x,,\tCLOSE ,y", "GET / 1.1 close none", "end"),
    .field("Connection: closed", "GET / 1.1 keep none", "end"),
    .field("Connection: upgrade\r\nConnection: close", "GET / 1.1 close none", "end"),
    .field("Content-Length: 0", "GET / 1.1 keep 0", "end"),
    .field("Content-Length: \t 007", "GET / 1.1 keep 7", "waits"),
    .field("Content-Length: 9223372036854775807", "GET / 1.1 keep 9223372036854775807", "waits"),
    .field("Expect: 100-Continue", "GET / 1.1 keep none", "end"),
    .field("Expect: 100-Continue\r\nContent-Length: 2", "GET / 1.1 keep 2 expects", "waits"),
    .field("X:", "GET / 1.1 keep none", "end"),
    .field("X: caf\u{E9}\t ", "GET / 1.1 keep none", "end"),
    .field("Transfer-Encoding: Chunked", "GET / 1.1 keep chunked", "waits"),
]

let pipelinedRequests: [RequestRow] = [
    RequestRow(
        """
        POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nab\
        GET /2 HTTP/1.1\r\nHost: a\r\n\r\n\
        POST /3 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n\r\n\
        PUT /4 HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n\
        GET /5 HTTP/1.1\n
        """,
        "POST /1 1.1 keep 2",
        "content ab",
        "end",
        "GET /2 1.1 keep none",
        "end",
        "POST /3 1.1 keep chunked",
        "content abc",
        "end",
        "PUT /4 1.1 keep 0",
        "end",
        "400 bareLineFeed"
    )
]

let chunkedRequests: [RequestRow] = [
    .chunks("0\r\n\r\n", "end"),
    .chunks("3\r\nabc\r\n00A\r\n0123456789\r\n0\r\n\r\n", "content abc0123456789", "end"),
    .chunks("3\r\na\r\n\r\n0\r\n\r\n", "content a\r\n", "end"),
    .chunks("3;a;b=c ; d = \"e\\\"f;\"\r\nabc\r\n0;x\r\n\r\n", "content abc", "end"),
    .chunks("0\r\nX-Digest: abc\r\nContent-Length: 9\r\n\r\n", "end"),
    .chunks("3\r\nab", "content ab", "waits"),
    .chunks("00000003\r\nabc\r\n0\r\n\r\n", "content abc", "end"),
    .chunks("000000003\r\nabc\r\n", "400 malformedChunkSize"),
    .chunks("\r\n", "400 malformedChunkSize"),
    .chunks("x\r\n", "400 malformedChunkSize"),
    .chunks("-1\r\n", "400 malformedChunkSize"),
    .chunks("0x1\r\n", "400 malformedChunkSize"),
    .chunks(" 1\r\n", "400 malformedChunkSize"),
    .chunks("1 \r\na", "400 malformedChunkExtension"),
    .chunks("1;\r\na", "400 malformedChunkExtension"),
    .chunks("1;a=\r\na", "400 malformedChunkExtension"),
    .chunks("1;a=\"b\r\na", "400 malformedChunkExtension"),
    .chunks("1;a=\"b\\\"\r\na", "400 malformedChunkExtension"),
    .chunks("1;a=\"b\"c\r\na", "400 malformedChunkExtension"),
    .chunks("1;a b\r\na", "400 malformedChunkExtension"),
    .chunks("1\na", "400 bareLineFeed"),
    .chunks("1;a\nb\r\na", "400 bareLineFeed"),
    .chunks("1\ra", "400 bareCarriageReturn"),
    .chunks("1\u{0}\r\na", "400 controlCharacter"),
    .chunks("1\r\na\n0\r\n\r\n", "content a", "400 malformedChunkEnd"),
    .chunks("1\r\nab\r\n", "content a", "400 malformedChunkEnd"),
    .chunks("1\r\na\r0", "content a", "400 malformedChunkEnd"),
    .chunks("0\r\n\n", "400 bareLineFeed"),
    .chunks("0\r\nX y: z\r\n\r\n", "400 invalidFieldName"),
    .chunks("0\r\nX : z\r\n\r\n", "400 whitespaceBeforeColon"),
    .chunks("0\r\n X: z\r\n\r\n", "400 obsoleteLineFolding"),
]
