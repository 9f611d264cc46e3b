import TestSupport
import Testing

/// Arbitrary bytes and the server's answers to them, one status for each message that it sees. A probe for `/healthz`
/// follows the bytes. Its 200 at the end proves that the server is still in step with the client.
struct Message: Sendable, CustomTestStringConvertible {
    let text: String
    let verdicts: [String]

    init(_ text: String, _ verdicts: String...) {
        self.text = text
        self.verdicts = verdicts
    }

    private init(_ text: String, _ verdicts: [String]) {
        self.text = text
        self.verdicts = verdicts
    }

    var bytes: [UInt8] { Array(text.utf8) }
    var testDescription: String { text.debugDescription }

    static let probe = Array("GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8)

    /// A GET with one more field line.
    private static func field(_ line: String, _ verdicts: String...) -> Message {
        Message("GET /healthz HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n", verdicts)
    }

    /// A POST with an invalid JSON body. The server reads the body, refuses it and changes nothing.
    private static func post(_ framing: String, _ body: String, _ verdicts: String...) -> Message {
        Message(
            "POST /v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n\(framing)\r\n\r\n\(body)",
            verdicts
        )
    }

    private static func chunks(_ body: String, _ verdicts: String...) -> Message {
        Message(
            "POST /v2/auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
                + body,
            verdicts
        )
    }
}

extension Message {
    /// Messages with a single interpretation. The server reads them and continues.
    static let legal: [Message] = [
        .field("X: y", "200", "200"),
        .field("x:y", "200", "200"),
        .field("X:  \t caf\u{E9} \t", "200", "200"),
        .field("X:", "200", "200"),
        .field("Content-Length: 0", "200", "200"),
        .field("Connection: keep-alive, x", "200", "200"),
        .field("Expect: 100-continue", "200", "200"),
        Message("GET /healthz HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n", "200", "200"),
        Message("GET http://b/healthz HTTP/1.1\r\nHost: a\r\n\r\n", "200", "200"),
        Message("GET /healthz? HTTP/1.1\r\nHost: a\r\n\r\n", "200", "200"),
        Message("GET /health%7A HTTP/1.1\r\nHost: a\r\n\r\n", "404 not-found", "200"),
        Message("\r\nGET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "200", "200"),
        Message("HEAD /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "200", "200"),
        Message("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "204", "200"),
        Message("get /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "501 method-not-implemented", "200"),
        Message("GET /healthz HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "200", "200"),
        // The client announced the end of the connection, so the server ignores the probe.
        Message("GET /healthz HTTP/1.0\r\n\r\n", "200"),
        .field("Connection: close", "200"),
        .field("Connection: upgrade\r\nConnection: Close", "200"),
        .post("Content-Length: 1", "{", "400 invalid-json", "200"),
        .post("Content-Length: 001", "{", "400 invalid-json", "200"),
        .post("content-length:\t 1", "{", "400 invalid-json", "200"),
        .post("Content-Length: 33", "GET /v2/version HTTP/1.1\r\nHost: a", "400 invalid-json", "200"),
        .chunks("0\r\n\r\n", "400 invalid-json", "200"),
        .chunks("1\r\n{\r\n0\r\n\r\n", "400 invalid-json", "200"),
        .chunks("1;a;b=c ; d = \"e\\\"f;\"\r\n{\r\n000\r\nX-Digest: a\r\n\r\n", "400 invalid-json", "200"),
        .chunks("00000006\r\n{0\r\n\r\n\r\n0\r\n\r\n", "400 invalid-json", "200"),
        .chunks("0\r\nContent-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n", "400 invalid-json", "200"),
    ]

    /// Two readers could see different requests in these messages. The first refusal ends the connection.
    static let ambiguous: [Message] = [
        .field("Content-Length: 0\r\nContent-Length: 0", "400 bad-request"),
        .field("Content-Length: 0, 0", "400 bad-request"),
        .field("Content-Length: +0", "400 bad-request"),
        .field("Content-Length: 0x0", "400 bad-request"),
        .field("Content-Length: -1", "400 bad-request"),
        .field("Content-Length: 0 0", "400 bad-request"),
        .field("Content-Length:", "400 bad-request"),
        .field("Content-Length: 18446744073709551616", "400 bad-request"),
        .field("Content-Length : 0", "400 bad-request"),
        .field("Content-Length: 0\r\nTransfer-Encoding: chunked", "400 bad-request"),
        .field("Transfer-Encoding: chunked\r\nContent-Length: 0", "400 bad-request"),
        .field("Transfer-Encoding: chunked, chunked", "400 bad-request"),
        .field("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "400 bad-request"),
        .field("Transfer-Encoding: gzip, chunked", "501 coding-not-implemented"),
        .field("Transfer-Encoding: identity", "501 coding-not-implemented"),
        .field("Transfer-Encoding: xchunked", "501 coding-not-implemented"),
        .field("Transfer-Encoding: \"chunked\"", "400 bad-request"),
        .field("Transfer-Encoding : chunked", "400 bad-request"),
        .field("Transfer-Encoding:\u{B}chunked", "400 bad-request"),
        .field("X: a\r\n Transfer-Encoding: chunked", "400 bad-request"),
        .field("X: a\nTransfer-Encoding: chunked", "400 bad-request"),
        .field("X: a\rTransfer-Encoding: chunked", "400 bad-request"),
        .field("X: a\u{0}", "400 bad-request"),
        .field("Host: b", "400 bad-request"),
        .field("Expect: 200-ok", "417 expectation-failed"),
        Message("GET /healthz HTTP/1.1\r\n\r\n", "400 bad-request"),
        Message("GET /healthz HTTP/1.1\r\nHost: a b\r\n\r\n", "400 bad-request"),
        Message("GET /healthz HTTP/1.1\r\n Host: a\r\n\r\n", "400 bad-request"),
        Message("GET /healthz HTTP/1.1\nHost: a\n\n", "400 bad-request"),
        Message("GET  /healthz HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
        Message("GET\t/healthz HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
        Message("GET /healthz\r\nHost: a\r\n\r\n", "400 bad-request"),
        Message("GET /healthz HTTP/2.0\r\nHost: a\r\n\r\n", "505 version-not-supported"),
        Message("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "505 version-not-supported"),
        Message("CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", "400 bad-request"),
        Message("POST /healthz HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("1\n{\n0\n\n", "400 bad-request"),
        .chunks("1 \r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("0x1\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("-1\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("000000001\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("100000001\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("1\r\n{}\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("2\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("1;a\nb\r\n{\r\n0\r\n\r\n", "400 bad-request"),
        .chunks("0\r\nX : y\r\n\r\n", "400 bad-request"),
        .chunks("0\r\n X: y\r\n\r\n", "400 bad-request"),
        // A legal first request does not make the second one legal.
        Message(
            "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
            "200",
            "400 bad-request"
        ),
    ]
}
