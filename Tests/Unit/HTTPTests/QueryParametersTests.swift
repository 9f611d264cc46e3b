import HTTP
import Testing

@Suite("Query parameters")
struct QueryParametersTests {
    @Test(
        "Query parameters are decoded in order, and a plus stays a plus",
        arguments: [
            ("", []), ("a=1", ["a", "1"]), ("a=1&b=2&a=3", ["a", "1", "b", "2", "a", "3"]), ("a", ["a", ""]),
            ("a=", ["a", ""]), ("=1", ["", "1"]), ("&&a=1&", ["a", "1"]), ("a=b=c", ["a", "b=c"]),
            ("t=2026-01-01T00:00:00+02:00", ["t", "2026-01-01T00:00:00+02:00"]), ("a%26=%3D%C3%a9", ["a&", "=é"]),
        ]
    )
    func items(query: String, expected: [String]) throws {
        #expect(try QueryParameters(query).items.flatMap { [$0.name, $0.value] } == expected)
    }

    @Test(
        "A query with malformed percent-encoding is refused",
        arguments: [
            ("a=%", .invalidPercentEncoding), ("a=%2", .invalidPercentEncoding), ("%zz=1", .invalidPercentEncoding),
            ("a=%2&3=4", .invalidPercentEncoding), ("a=é", .invalidPercentEncoding), ("a=%00", .encodedNUL),
            ("a=%ff", .invalidUTF8), ("a=%C3&b=%A9", .invalidUTF8), ("a=%ED%A0%80", .invalidUTF8),
        ] as [(String, QueryError)]
    )
    func refused(query: String, error: QueryError) {
        #expect(throws: error) { try QueryParameters(query) }
    }

    @Test("A target without a query has no parameters")
    func absent() throws {
        #expect(try QueryParameters(nil).items.isEmpty)
    }

    @Test("A query may have 64 parameters, and no more")
    func limit() throws {
        let items = Array(repeating: "a=1", count: 64).joined(separator: "&")
        #expect(try QueryParameters(items).values("a").count == 64)
        #expect(throws: QueryError.tooManyItems) { try QueryParameters(items + "&a") }
    }

    @Test("A repeated query parameter that may occur once is an error")
    func only() throws {
        let query = try QueryParameters("a=1&b=2&b=2")
        #expect(try query.only("a") == "1")
        #expect(try query.only("c") == nil)
        #expect(query.values("b") == ["2", "2"])
        #expect(throws: QueryError.repeated(name: "b")) { try query.only("b") }
    }
}
