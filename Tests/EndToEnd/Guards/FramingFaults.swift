extension Fault {
    private static let chunked = ("Transfer-Encoding", "chunked")

    private static func framed(
        _ name: String,
        _ fields: [(String, String)],
        _ body: String = "{}",
        _ verdict: String = "400 bad-request",
        endsSending: Bool = false
    ) -> Fault {
        Fault(name: name, verdict: verdict, endsSending: endsSending) { draft in
            draft.fields += fields
            draft.body = Array(body.utf8)
        }
    }

    /// Bodies that are too large or end too early.
    static let ofLength: [Fault] = {
        let spaces = String(repeating: " ", count: 65536)
        let chunks = String(repeating: "10000\r\n\(spaces)\r\n", count: 17) + "0\r\n\r\n"
        return [
            framed("truncated", [("Content-Length", "100")], "{", endsSending: true),
            framed("a chunk cut off", [chunked], "10\r\n{", endsSending: true),
            framed("too large", [], String(repeating: spaces, count: 17), "413 body-too-large"),
            framed("declared too large", [("Content-Length", "99999999999")], "{", "413 body-too-large"),
            framed("too large in chunks", [chunked], chunks, "413 body-too-large"),
            framed(
                "too large, and waits for 100",
                [("Content-Length", "2000000"), ("Expect", "100-continue")],
                "",
                "413 body-too-large"
            ),
        ]
    }()

    /// Messages with an ambiguous length, or with features that HTTP/1.1 servers need not support.
    static let ofFraming = [
        framed("a chunk size that is none", [chunked], "zz\r\n{}\r\n0\r\n\r\n"),
        framed("a chunk longer than it says", [chunked], "1\r\n{}\r\n0\r\n\r\n"),
        framed("a chunk size beyond all bounds", [chunked], "ffffffffffffffffff\r\n{}\r\n0\r\n\r\n"),
        framed("a negative chunk size", [chunked], "-2\r\n{}\r\n0\r\n\r\n"),
        framed("length and chunks", [chunked, ("Content-Length", "2")]),
        framed("two lengths", [("Content-Length", "2"), ("Content-Length", "3")]),
        framed("a negative length", [("Content-Length", "-2")]),
        framed("a length in words", [("Content-Length", "two")]),
        framed("a length with a sign", [("Content-Length", "+2")]),
        framed("an unknown coding", [("Transfer-Encoding", "gzip")], "{}", "501 coding-not-implemented"),
        framed(
            "an unknown coding below chunks",
            [("Transfer-Encoding", "gzip, chunked")],
            "{}",
            "501 coding-not-implemented"
        ),
        framed(
            "an unknown expectation",
            [("Content-Length", "2"), ("Expect", "tea")],
            "{}",
            "417 expectation-failed"
        ),
    ]
}
