import Foundation
import TestSupport
import Testing

/// What every refusal must look like, whatever was wrong.
enum Problems {
    /// problem+json with all members of RFC 9457, and no 5xx.
    static func check(_ answer: HTTPAnswer, _ verdicts: String..., at location: SourceLocation = #_sourceLocation) {
        check(answer, verdicts, at: location)
    }

    static func check(_ answer: HTTPAnswer, _ verdicts: [String], at location: SourceLocation) {
        #expect(verdicts.contains(answer.verdict), sourceLocation: location)
        #expect((400..<500).contains(answer.status), sourceLocation: location)
        #expect(answer.field("content-type") == "application/problem+json", sourceLocation: location)
        #expect(answer.int("status") == answer.status, sourceLocation: location)
        #expect(answer.string("type").contains("/v2/problems/"), sourceLocation: location)
        for member in ["title", "detail", "instance"] {
            #expect(!answer.string(member).isEmpty, "\(member)", sourceLocation: location)
        }
        if answer.status == 401 { #expect(answer.field("www-authenticate") != nil, sourceLocation: location) }
    }

    /// Sends raw bytes, checks the refusal, and that the connection either serves the next request or ends.
    static func exchange(
        _ client: APIClient,
        _ bytes: [UInt8],
        endsSending: Bool = false,
        _ verdicts: [String],
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let connection = try HTTPConnection(port: client.port)
        // The server may answer and close before it has read everything.
        try? connection.send(bytes)
        if endsSending { connection.endSending() }
        let answer = try #require(try connection.receive(), sourceLocation: location)
        check(answer, verdicts, at: location)
        if endsSending || answer.field("connection") == "close" {
            #expect(try connection.isClosed(), "the connection stays open", sourceLocation: location)
        } else {
            try connection.send(APIClient.request("GET", "/healthz", host: "127.0.0.1"))
            #expect(try connection.receive()?.status == 200, "the connection is out of step", sourceLocation: location)
        }
        #expect(try client.send("GET", "/healthz").status == 200, sourceLocation: location)
    }
}
