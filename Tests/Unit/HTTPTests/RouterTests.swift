import HTTP
import Testing

@Suite("Routes")
struct RouterTests {
    private static let table: [(method: HTTP.Method, pattern: String, endpoint: Int)] = [
        (.get, "/", 0),
        (.get, "/v2/items", 1),
        (.post, "/v2/items", 2),
        (.get, "/v2/items/{id}", 3),
        (.put, "/v2/items/special", 4),
        (.delete, "/v2/items/{key}", 5),
        (.get, "/v2/items/{id}/parts/{part_no}", 6),
        (.options, "/v2/own", 7),
        (.other("REPORT"), "/v2/own", 8),
        (.head, "/v2/own", 9),
    ]

    /// A match as text, for tables.
    private static func words(_ match: RouteMatch<Int>) -> String {
        func names(_ methods: [HTTP.Method]) -> String { methods.map(\.name).joined(separator: ",") }
        switch match {
        case .found(let route, let parameters):
            let pairs = zip(parameters.names, parameters.values).map { " \($0)=\($1)" }.joined()
            return "\(route.endpoint) \(route.pattern)\(pairs)"
        case .options(let allow): return "options \(names(allow))"
        case .methodNotAllowed(let allow): return "405 \(names(allow))"
        case .notFound: return "404"
        case .badPath: return "400"
        }
    }

    @Test(
        "A method and a path find their route or the reason for none",
        arguments: [
            (.get, "/", "0 /"),
            (.get, "/v2/items", "1 /v2/items"),
            (.head, "/v2/items", "1 /v2/items"),
            (.head, "/v2/own", "9 /v2/own"),
            (.get, "/v2/items/a%2Fb%20c", "3 /v2/items/{id} id=a/b c"),
            (.get, "/v2/items/%E2%82%AC", "3 /v2/items/{id} id=€"),
            (.get, "/v2/items/a+b", "3 /v2/items/{id} id=a+b"),
            (.get, "/v2/items/..", "3 /v2/items/{id} id=.."),
            (.get, "/v2/items/special", "405 PUT,OPTIONS"),
            (.put, "/v2/items/special", "4 /v2/items/special"),
            (.delete, "/v2/items/special/", "404"),
            (.get, "/v2/items/a/parts/b", "6 /v2/items/{id}/parts/{part_no} id=a part_no=b"),
            (.options, "/v2/own", "7 /v2/own"),
            (.other("REPORT"), "/v2/own", "8 /v2/own"),
            (.patch, "/v2/items/special", "405 PUT,OPTIONS"),
            (.patch, "/v2/items/x", "405 GET,HEAD,DELETE,OPTIONS"),
            (.put, "/v2/items/x", "405 GET,HEAD,DELETE,OPTIONS"),
            (.get, "/v2/own", "405 OPTIONS,REPORT,HEAD"),
            (.other("get"), "/", "405 GET,HEAD,OPTIONS"),
            (.options, "/v2/items", "options GET,HEAD,POST,OPTIONS"),
            (.options, "*", "options GET,HEAD,POST,PUT,DELETE,OPTIONS,REPORT"),
            (.get, "*", "404"),
            (.get, "/v2", "404"),
            (.get, "/v2/", "404"),
            (.get, "/v2/items/", "404"),
            (.get, "//v2/items", "404"),
            (.get, "/v2/./items", "404"),
            (.get, "/v2/%69tems", "404"),
            (.get, "/V2/items", "404"),
            (.get, "/v2/items/a/parts/", "404"),
            (.options, "/nothing", "404"),
            (.get, "/v2/items/%", "400"),
            (.get, "/v2/items/%2", "400"),
            (.get, "/v2/items/%2/parts/b", "400"),
            (.get, "/v2/items/%GG", "400"),
            (.get, "/v2/items/%00", "400"),
            (.get, "/v2/items/%FF", "400"),
            (.get, "/nothing/%C3/%A9", "400"),
            (.get, "/v2/items/é", "400"),
            (.get, "v2/items", "400"),
            (.get, "", "400"),
        ] as [(HTTP.Method, String, String)]
    )
    func matches(method: HTTP.Method, path: String, expected: String) throws {
        let router = try Router(Self.table)
        #expect(Self.words(router.match(method, path: path)) == expected)
    }

    @Test("Path parameters are found by name")
    func parameters() throws {
        let router = try Router(Self.table)
        guard case .found(_, let parameters) = router.match(.get, path: "/v2/items/1/parts/2") else {
            return #expect(Bool(false), "not found")
        }
        #expect(parameters["id"] == "1")
        #expect(parameters["part_no"] == "2")
        #expect(parameters["part"] == nil)
    }

    @Test("The router lists its routes as they were given")
    func listing() throws {
        let listed = try Router(Self.table).routes.map { "\($0.method.name) \($0.pattern) \($0.endpoint)" }
        #expect(listed == Self.table.map { "\($0.method.name) \($0.pattern) \($0.endpoint)" })
    }

    @Test(
        "Two path patterns of one method that fit the same path are refused",
        arguments: [
            ("/a", "/a", true), ("/a/{x}", "/a/{y}", true), ("/a/{x}", "/a/b", true), ("/a/b", "/{x}/b", true),
            ("/{x}/b", "/a/{y}", true), ("/a", "/b", false), ("/a", "/a/b", false), ("/a/{x}", "/b/{x}", false),
            ("/{x}/b", "/a/c", false), ("/", "/{x}", false), ("/a", "/A", false),
        ]
    )
    func ambiguity(first: String, second: String, isAmbiguous: Bool) throws {
        let expected = isAmbiguous ? RouterError.ambiguous(method: .get, first: first, second: second) : nil
        #expect(Self.error([(.get, first, 0), (.get, second, 0)]) == expected)
        #expect(Self.error([(.get, first, 0), (.put, second, 0)]) == nil)
        if let expected {
            #expect(expected.description.contains("\"\(first)\" and \"\(second)\""))
        }
    }

    @Test(
        "Malformed path patterns are refused",
        arguments: [
            "", "a", "//", "/a/", "/a//b", "/a b", "/a?b", "/%61", "/{}", "/{a", "/a}", "/x{a}", "/{a}x", "/{a-b}",
            "/é",
        ]
    )
    func malformed(pattern: String) {
        #expect(Self.error([(.get, pattern, 0)]) == .malformedPattern(pattern))
    }

    @Test("A path pattern that repeats a parameter's name is refused")
    func repeated() {
        #expect(Self.error([(.get, "/{a}/{a}", 0)]) == .repeatedParameter(name: "a", pattern: "/{a}/{a}"))
    }

    private static func error(_ routes: [(method: HTTP.Method, pattern: String, endpoint: Int)]) -> RouterError? {
        do throws(RouterError) {
            _ = try Router(routes)
            return nil
        } catch {
            return error
        }
    }
}
