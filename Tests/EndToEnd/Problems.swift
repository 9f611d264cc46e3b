import Foundation
import TestSupport
import Testing

/// Checks for error responses. They apply to every error.
enum Problems {
    /// Checks that the response is a problem+json with all members of RFC 9457, and has one of these verdicts.
    static func check(_ answer: HTTPAnswer, _ verdicts: String..., at location: SourceLocation = #_sourceLocation) {
        check(answer, verdicts, of: "", at: location)
    }

    /// The same; `name` identifies the request in a failure message.
    static func check(_ answer: HTTPAnswer, _ verdicts: [String], of name: String, at location: SourceLocation) {
        #expect(verdicts.contains(answer.verdict), "\(name)", sourceLocation: location)
        guard verdicts.contains(answer.verdict) else { return }
        #expect(answer.field("content-type") == "application/problem+json", "\(name)", sourceLocation: location)
        #expect(answer.int("status") == answer.status, "\(name)", sourceLocation: location)
        #expect(answer.string("type").contains("/v2/problems/"), "\(name)", sourceLocation: location)
        for member in ["title", "detail", "instance"] {
            #expect(!answer.string(member).isEmpty, "\(name) \(member)", sourceLocation: location)
        }
        if answer.status == 401 {
            #expect(answer.field("www-authenticate") != nil, "\(name)", sourceLocation: location)
        }
    }

    /// Sends raw bytes and checks the refusal. Then the connection either serves the next request or ends.
    static func exchange(
        _ client: APIClient,
        _ bytes: [UInt8],
        endsSending: Bool = false,
        _ verdicts: [String],
        of name: String = "",
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let connection = try HTTPConnection(port: client.port)
        // The server may answer and close before it has read all bytes.
        try? connection.send(bytes)
        if endsSending { connection.endSending() }
        let answer = try #require(try connection.receive(), "\(name)", sourceLocation: location)
        check(answer, verdicts, of: name, at: location)
        if endsSending || answer.field("connection") == "close" {
            #expect(try connection.isClosed(), "\(name): the connection stays open", sourceLocation: location)
        } else {
            try connection.send(APIClient.request("GET", "/healthz", host: "127.0.0.1"))
            let next = try connection.receive()
            #expect(next?.status == 200, "\(name): the connection is out of step", sourceLocation: location)
        }
        #expect(try client.send("GET", "/healthz").status == 200, "\(name)", sourceLocation: location)
    }
}
