import HTTP
import NeuroViewsJSON

/// The query parameters of each operation, read from the OpenAPI document. A path with `x-any-query` takes any: its
/// links may get parameters on their way through other programs.
struct DocumentedQueries: Sendable {
    /// By method and path, such as `GET /v2/recordings`.
    private let operations: [String: QueryNames]

    init(_ document: JSONValue) {
        let components = document["components"]?["parameters"]
        var own: [String: [String]] = [:]
        for path in document["paths"]?.object?.members ?? [] where path.value["x-any-query"]?.bool != true {
            for operation in path.value.object?.members ?? [] where operation.value["operationId"] != nil {
                let listed = Self.parameters(operation.value) + Self.parameters(path.value)
                let names = listed.compactMap { Self.queryName($0, components) }
                own["\(operation.name.uppercased()) /v2\(path.name)"] = names
            }
        }
        let all = Set(own.values.joined())
        operations = own.mapValues { QueryNames(own: $0, all: all) }
    }

    /// The route with the names of its parameters. A route that is not documented takes any.
    func applied(to route: RouteEntry) -> RouteEntry {
        let names = operations["\(route.method.name) \(route.pattern)"]
        return (route.method, route.pattern, route.endpoint.taking(names))
    }

    private static func parameters(_ value: JSONValue) -> [JSONValue] { value["parameters"]?.array ?? [] }

    /// The name of a parameter in the query; nil for one in another place. A reference leads to a component.
    private static func queryName(_ listed: JSONValue, _ components: JSONValue?) -> String? {
        let name = listed["$ref"]?.string?.split(separator: "/").last.map(String.init)
        let parameter = name.flatMap { components?[$0] } ?? listed
        return parameter["in"]?.string == "query" ? parameter["name"]?.string : nil
    }
}
