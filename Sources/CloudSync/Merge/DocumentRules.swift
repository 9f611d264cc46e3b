import JSONSchema
import NeuroViewsJSON

/// The rules for documents that the server makes. They are the rules for documents that clients send.
package struct DocumentRules: Sendable {
    /// Bytes that a body may have around a document.
    package static let envelopeBytes = 4 << 10
    /// The number of values that fit into a request body with its envelope.
    private static let valuesMax = JSONParser.Policy.requestBody.maxValues - 1

    private let schema: Schema
    private let maxBytes: Int

    /// Takes the schema, and the size limit of a document's text in bytes.
    package init(schema: Schema, maxBytes: Int) {
        self.schema = schema
        self.maxBytes = maxBytes
    }

    /// Returns `value` as a document. Throws `.invalid`, `.patchedTooLarge`.
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
