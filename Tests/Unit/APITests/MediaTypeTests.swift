import HTTP
import TestSupport
import Testing

@testable import API

@Suite("Media types of bodies")
struct MediaTypeTests {
    /// The status of a refusal; nil if the body is accepted.
    private static func refusal(_ media: MediaType, _ fields: [String]) throws -> Int? {
        let lines = ["POST /a HTTP/1.1", "Host: a", "Content-Length: 1"] + fields
        var parser = RequestParser()
        parser.input = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        guard case .head(let head) = try parser.next() else { throw TestSupportError("no head") }
        do throws(Problem) {
            try media.check(head)
            return nil
        } catch {
            return error.status.code
        }
    }

    @Test(
        "A body without a type, and one with URLSession's own type, are JSON",
        arguments: [
            [], ["Content-Type: application/x-www-form-urlencoded"],
            ["Content-Type: Application/X-WWW-Form-URLEncoded; charset=UTF-8"],
        ]
    )
    func assumed(fields: [String]) throws {
        #expect(try Self.refusal(.json, fields) == nil)
        #expect(try Self.refusal(.mergePatch, fields) == 415)
        #expect(try Self.refusal(.binary("image/jpeg"), fields) == 415)
        #expect(try Self.refusal(.json, fields + ["Origin: https://a.example"]) == 415)
    }

    @Test(
        "Another type, an empty one and another charset are no JSON",
        arguments: [
            "text/plain", "", "multipart/form-data; boundary=a", "application/jsonp",
            "application/x-www-form-urlencoded; charset=latin1",
        ]
    )
    func other(type: String) throws {
        #expect(try Self.refusal(.json, ["Content-Type: \(type)"]) == 415)
    }

    @Test("A page may send JSON that it declares")
    func page() throws {
        #expect(try Self.refusal(.json, ["Content-Type: application/json", "Origin: https://a.example"]) == nil)
    }
}
