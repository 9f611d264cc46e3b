import HTTP

/// If-Match and If-None-Match of requests that only read (RFC 9110, 13.2.2). Nothing here has a Last-Modified, so the fields
/// with dates are left alone; writes evaluate theirs in the database.
enum Preconditions {
    /// The answer that the conditions leave of `response`: itself, 304, or a problem.
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
            return Response(.notModified, fields: FieldBlock(kept))
        }
        return response
    }

    /// Who only reads needs no copy of what there is: the tag tells enough.
    private static func mismatch(_ tag: String?) -> Problem {
        var problem = Problem(.versionMismatch)
        let null = Array("null".utf8)
        problem.extensions = [("current", null), ("version", null)]
        if let tag { problem.fields = [("ETag", tag)] }
        return problem
    }
}
