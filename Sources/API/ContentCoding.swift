import CloudSync
import Compression
import HTTP

/// The coding of a request's content (RFC 9110, 8.4). The signature covers the bytes as they are sent.
enum ContentCoding {
    /// Returns the content without its coding. Throws a problem if the route does not accept the coding, or the
    /// content does not have it. Also throws for more than `maxBytes` of unpacked content.
    static func decoded(_ body: [UInt8], of request: Request, _ policy: EndpointPolicy, maxBytes: Int) throws -> [UInt8]
    {
        try check(request.head.headers, policy)
        guard !names(request.head.headers).isEmpty else { return body }
        do {
            let text = try Gzip.unpacked(body, maxBytes: maxBytes)
            try request.body.keep(bytes: text.count)
            return text
        } catch let error as GzipError {
            throw problem(error, maxBytes: maxBytes)
        } catch let error as RequestBodyError {
            throw Problem(error, maxBytes: maxBytes)
        }
    }

    /// Throws a problem for a coding that the route does not accept.
    static func check(_ headers: Headers, _ policy: EndpointPolicy) throws(Problem) {
        let codings = names(headers)
        // RFC 9110, 8.4.1.3: x-gzip is gzip.
        guard codings.isEmpty || policy.codings == .gzip && (codings == ["gzip"] || codings == ["x-gzip"]) else {
            throw refusal(policy)
        }
    }

    /// Throws a problem for any coding. For streamed bodies before they are read: they are never unpacked.
    static func refuse(_ headers: Headers, _ policy: EndpointPolicy) throws(Problem) {
        guard names(headers).isEmpty else { throw refusal(policy) }
    }

    /// The codings of all lines of the field. `identity` is left out: it is no coding.
    private static func names(_ headers: Headers) -> [String] {
        guard headers.count(of: "content-encoding") > 0 else { return [] }
        return headers.values("content-encoding").flatMap { $0.split(separator: ",") }
            .map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
    }

    /// Accept-Encoding lists the accepted codings (RFC 9110, 12.5.3).
    private static func refusal(_ policy: EndpointPolicy) -> Problem {
        let taken = policy.codings == .gzip ? "gzip" : "identity"
        var problem = Problem(
            .unsupportedContentCoding,
            policy.codings == .gzip
                ? "Send Content-Encoding: gzip, or none." : "Send the body uncompressed, without Content-Encoding."
        )
        problem.fields = [("Accept-Encoding", taken)]
        return problem
    }

    private static func problem(_ error: GzipError, maxBytes: Int) -> Problem {
        switch error {
        case .tooLarge: Problem(.bodyTooLarge, "The decompressed body may have at most \(maxBytes) bytes.")
        case .truncated: Problem(.invalidContentCoding, "The gzip data end too early.")
        case .damaged: Problem(.invalidContentCoding, "The body is not gzip, or it is damaged.")
        case .trailingBytes: Problem(.invalidContentCoding, "Bytes follow the end of the gzip data.")
        case .noMemory: Problem(CloudSyncError.problem(.overloaded))
        }
    }
}
