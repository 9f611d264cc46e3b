/// The reason why a table of routes is rejected at the server's start.
public enum RouterError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The pattern is not a path of literal segments and `{name}` segments.
    case malformedPattern(String)
    /// The pattern has two parameters with this name.
    case repeatedParameter(name: String, pattern: String)
    /// Two routes of one method match the same path.
    case ambiguous(method: Method, first: String, second: String)

    /// One sentence for the author of the routes.
    public var description: String {
        switch self {
        case .malformedPattern(let pattern):
            "The route pattern \"\(pattern)\" is not a path of literal segments and {name} segments."
        case .repeatedParameter(let name, let pattern):
            "The route pattern \"\(pattern)\" has the parameter \"\(name)\" twice."
        case .ambiguous(let method, let first, let second):
            "A \(method.name) request could fit both \"\(first)\" and \"\(second)\"."
        }
    }
}
