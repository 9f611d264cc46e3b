import HTTP

/// If-Match and If-None-Match of requests that only read (RFC 9110, 13.2.2). Nothing here has a Last-Modified, so
/// conditions with dates are ignored. Writes evaluate theirs in the database.
enum Preconditions {
    /// Applies the conditions to `response`. Returns it or a 304, or throws a problem.
    static func apply(_ head: RequestHead, to response: Response) throws -> Response {
        guard head.method == .get || head.method == .head, response.status.code == 200 else { return response }
        let headers = head.headers
        guard headers.bytes(of: "if-match") != nil || headers.bytes(of: "if-none-match") != nil else { return response }
        let tag = response.fields.value("ETag")
        if let listed = try EntityTag.listed("if-match", in: headers), !EntityTag.names(listed, tag, strong: true) {
            throw mismatch(tag)
        }
        if let listed = try EntityTag.listed("if-none-match", in: headers),
            EntityTag.names(listed, tag, strong: false)
        {
            let kept = ["ETag", "Cache-Control"].compactMap { name in response.fields.value(name).map { (name, $0) } }
            var unchanged = Response(.notModified, fields: FieldBlock(kept))
            unchanged.isPage = response.isPage
            return unchanged
        }
        return response
    }

    private static let otherTag = "It has another ETag by now. Repeat the request without If-Match to read it."
    private static let noTag = "It has no ETag. Repeat the request without If-Match to read it."

    /// A reader needs no copy of the current state: the tag is enough.
    private static func mismatch(_ tag: String?) -> Problem {
        var problem = Problem(.versionMismatch, tag == nil ? noTag : otherTag)
        let null = Array("null".utf8)
        problem.extensions = [("current", null), ("version", null)]
        if let tag { problem.fields = [("ETag", tag)] }
        return problem
    }
}
