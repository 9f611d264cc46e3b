import HTTP
import Problems
import Testing

@testable import API

@Suite("Names of query parameters")
struct QueryNamesTests {
    private static let all: Set = ["before", "limit", "to", "tag", "offset", "last_sync"]

    /// The detail of the refusal of a query; nil if it is accepted.
    private static func refusal(_ text: String, own: [String]) throws -> String? {
        let query = try QueryParameters(text)
        do throws(Problem) {
            try QueryNames(own: own, all: all).check(query)
            return nil
        } catch {
            #expect(error.type == .invalidParameter && error.detail.hasSuffix("."))
            #expect(error.violations.map { "\($0.pointer.dropFirst()) \($0.detail)." } == [error.detail])
            return error.detail
        }
    }

    @Test(
        "A parameter of another operation is refused with the own ones, and a misspelt own one with the right name",
        arguments: [
            ("offset=5", "offset", ", which has before, limit, to, tag."), ("limt=5", "limt", ": write limit."),
            ("LIMIT=5", "LIMIT", ": write limit."), ("limit=5&befroe=1", "befroe", ": write before."),
            ("tags=a", "tags", ": write tag."), ("last_sync", "last_sync", ", which has before, limit, to, tag."),
        ]
    )
    func refused(query: String, name: String, remedy: String) throws {
        let detail = try Self.refusal(query, own: ["before", "limit", "to", "tag"])
        #expect(detail == "\(name) is no parameter of this operation\(remedy)")
    }

    @Test("An operation without parameters refuses those of others")
    func none() throws {
        let detail = try Self.refusal("limit=5", own: [])
        #expect(detail == "limit is no parameter of this operation, which has none.")
        #expect(try Self.refusal("limt=5", own: []) == nil)
    }

    @Test(
        "Own parameters are accepted, and unknown ones are ignored",
        arguments: ["", "limit=5&before=x", "limit=1&limit=2", "verbose=1&utm_source=a", "x=1&id=2&page=3", "%C3%A9=1"]
    )
    func accepted(query: String) throws {
        #expect(try Self.refusal(query, own: ["before", "limit", "to", "tag"]) == nil)
    }
}
