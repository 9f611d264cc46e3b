import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

/// One operation of the public interface, read from the OpenAPI document, with the data for a request.
struct Operation: Sendable, CustomTestStringConvertible {
    /// A body that the operation accepts.
    struct Body: Sendable {
        let mediaType: String
        /// The first of the document's examples.
        let example: JSONValue
        let schema: Schema
    }

    /// The document's `operationId`.
    let name: String
    let method: String
    /// The path on the server, with parameters in braces.
    let path: String
    let needsToken: Bool
    /// True if no query parameter is refused.
    let takesAnyQuery: Bool
    let parameters: [Parameter]
    /// Nil if the operation reads no JSON.
    let body: Body?
    /// True if a request without a body is refused.
    let needsBody: Bool
    /// The media type of a body that is not JSON; the first one if there are several.
    let bytesType: String?
    /// The document's description of each status.
    let answers: [String: String]

    var testDescription: String { "\(method) \(path)" }

    /// Every operation of the document. Throws if one lacks data for a request, such as an example.
    static func all() throws -> [Operation] { try documented.get() }

    /// The operations that need a token.
    static func secured() throws -> [Operation] { try all().filter(\.needsToken) }

    /// The operation with this `operationId`.
    static func named(_ name: String) throws -> Operation {
        guard let operation = try all().first(where: { $0.name == name }) else {
            throw Program.Failure("The document has no operation \(name).")
        }
        return operation
    }

    private static let documented = Result { try Operation.all(in: InterfaceDocument()) }

    func parameters(in place: Parameter.Place) -> [Parameter] { parameters.filter { $0.place == place } }

    /// True if the operation names one thing, which must exist and belong to the caller.
    var needsWhatIsNamed: Bool { answers["404"] != nil }

    /// True if the document lists this answer, such as `404 not-found`, under its status.
    func declares(_ verdict: String) -> Bool {
        let words = verdict.split(separator: " ").map(String.init)
        guard let status = words.first, let text = answers[status] else { return false }
        return words.count == 1 || text.contains("`\(words[1])`")
    }
}
