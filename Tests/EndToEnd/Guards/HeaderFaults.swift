import TestSupport

extension Fault {
    private static let badTags = [
        "", "x", "\"x", "x\"", "'x'", "\"a\" \"b\"", "\"a\";\"b\"", "W/", "w/\"a\"", "*, \"a\"", "\u{e9}",
    ]
    /// Bad values of header fields. No value of Prefer is ever an error (RFC 7240, 2).
    private static let badFields = [
        "If-Match": badTags, "If-None-Match": badTags,
        "Idempotency-Key": ["", String(repeating: "x", count: 256), "a b", "\u{e9}", "a\tb"], "Prefer": [],
        // An unknown coding gets another problem.
        "Content-Encoding": [],
        // The server ignores bad values of these fields.
        "Range": [], "If-Range": [], "X-Request-Id": [], "traceparent": [],
        // A malformed structured field is absent (RFC 9651, 4.2).
        "Upload-Draft-Interop-Version": [], "Upload-Complete": [], "Upload-Length": [], "Upload-Offset": [],
        "Content-Digest": [], "Repr-Digest": [], "Tus-Resumable": [],
        "Upload-Checksum": [],
    ]
    private static let single = ["Idempotency-Key"]

    /// Bad values of the header fields that the document declares. Throws for a field that is unknown here.
    static func ofHeader(_ operation: Operation) throws -> [Fault] {
        try operation.parameters(in: .header).flatMap { parameter in
            let name = parameter.name
            guard let values = badFields[name] else {
                throw Program.Failure(
                    "\(operation.testDescription): add bad values of the field \(name) to HeaderFaults"
                )
            }
            let bad = values.map { value in
                Fault(name: "\(name): \(value)", verdict: "400 invalid-header") { $0.set(name, value) }
            }
            guard single.contains(name) else { return bad }
            let twice = Fault(name: "\(name) twice", verdict: "400 invalid-header") { $0.set(name, "a", "a") }
            return bad + [twice]
        }
    }
}
