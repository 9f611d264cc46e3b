/// The reason why a query is invalid. Each is a client error: 400.
public enum QueryError: Error, Sendable, Hashable, CustomStringConvertible {
    /// A `%` without two hexadecimal digits, or a byte that should have been encoded.
    case invalidPercentEncoding
    /// An encoded NUL, which no text may contain.
    case encodedNUL
    /// A name or value that is not UTF-8 when decoded.
    case invalidUTF8
    /// More items than `QueryParameters.itemsMaxCount`.
    case tooManyItems
    /// A parameter that may occur once was repeated.
    case repeated(name: String)

    /// One sentence for the client.
    public var description: String {
        switch self {
        case .invalidPercentEncoding: "The query contains an invalid percent-encoding."
        case .encodedNUL: "The query contains a NUL character."
        case .invalidUTF8: "The query is not UTF-8."
        case .tooManyItems: "The query has more than \(QueryParameters.itemsMaxCount) parameters."
        case .repeated(let name): "The query parameter \"\(name)\" is repeated."
        }
    }
}
