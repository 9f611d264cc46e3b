import JSON
import JSONSchema
import TestSupport
import Testing

/// One operation of the public interface with all that a request for it needs, read from the OpenAPI document.
struct Operation: Sendable, CustomTestStringConvertible {
    /// A body that the operation takes.
    struct Body: Sendable {
        let mediaType: String
        /// The first of the document's examples.
        let example: JSONValue
        let schema: Schema
    }

    /// The document's `operationId`.
    let name: String
    let method: String
    /// On the server, with parameters in braces.
    let path: String
    let needsToken: Bool
    let parameters: [Parameter]
    /// Nil where no JSON is read.
    let body: Body?
    /// The media type of the bytes that are read instead, the first of several.
    let bytesType: String?
    /// What the document says of each status.
    let answers: [String: String]

    var testDescription: String { "\(method) \(path)" }

    /// Every operation of the document. Throws when one lacks what a request for it needs, such as an example.
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

    /// The parameters that stand in a place.
    func parameters(in place: Parameter.Place) -> [Parameter] { parameters.filter { $0.place == place } }

    /// Whether it is about one thing that must be there, and must be the caller's.
    var needsWhatIsNamed: Bool { answers["404"] != nil }

    /// Whether the document lists this answer, such as `404 not-found`, under its status.
    func declares(_ verdict: String) -> Bool {
        let words = verdict.split(separator: " ").map(String.init)
        guard let status = words.first, let text = answers[status] else { return false }
        return words.count == 1 || text.contains("`\(words[1])`")
    }
}
