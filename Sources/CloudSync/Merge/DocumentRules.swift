import JSON
import JSONSchema

/// What a document that is made here has to keep to, as one that is sent does.
public struct DocumentRules: Sendable {
    /// As many as fit into a body with its envelope.
    private static let valuesMax = JSONParser.Policy.requestBody.maxValues - 1

    private let schema: Schema
    private let maxBytes: Int

    /// Names the schema, and how large a document's text may be.
    public init(schema: Schema, maxBytes: Int) {
        self.schema = schema
        self.maxBytes = maxBytes
    }

    /// The document that `value` is. Throws `.invalid`, `.patchedTooLarge`.
    func document(_ value: JSONValue) throws(CloudSyncError) -> ConfigurationDocument {
        let violations = schema.violations(of: value)
        guard violations.isEmpty else { throw .invalid(violations) }
        guard value.valueCount <= Self.valuesMax else {
            throw .invalid([
                Violation(pointer: "", keyword: "maxProperties", detail: "must have at most \(Self.valuesMax) values")
            ])
        }
        let text = value.serialized()
        guard text.count <= maxBytes else { throw .patchedTooLarge(maxBytes: maxBytes) }
        guard let document = ConfigurationDocument(text: text[...], value: value) else {
            throw .invalid([Violation(pointer: "", keyword: "type", detail: "must be a configuration")])
        }
        return document
    }
}
