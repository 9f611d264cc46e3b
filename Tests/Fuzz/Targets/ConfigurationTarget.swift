import JSONSchema
import NeuroViewsJSON
import OpenAPI

@testable import API
@testable import CloudSync

/// A write's body, from its bytes to the stored document.
enum ConfigurationTarget {
    private static let schema = Result { try Schemas().configurationBody }
    private static let schemaBytes = OpenAPIDocument.schemas["camera-configuration.json"]?.count ?? 0

    static func check(_ bytes: [UInt8]) throws {
        guard case .success(let body) = try JSONParserTarget.parse(bytes, .requestBody) else { return }
        let schema = try schema.get()
        try SchemaValidatorTarget.check(schema, body, schemaBytes: schemaBytes)
        guard schema.accepts(body) else { return }
        guard let value = body["configuration"],
            let range = JSONText.range(ofMember: "configuration", in: bytes[...]),
            let document = ConfigurationDocument(text: bytes[range], value: value)
        else { throw BrokenProperty(description: "a valid body has no document") }
        try check(document, value, bytes[range])
    }

    private static func check(
        _ document: ConfigurationDocument,
        _ value: JSONValue,
        _ text: ArraySlice<UInt8>
    ) throws {
        let stored = document.content.text(spelledID: document.spelledID)
        // The stored text differs from the sent text only if the id contains escapes; they are not stored.
        let isPlain = text.count - document.content.prefix.count - document.content.suffix.count == 36
        try property("the document is kept byte for byte", !isPlain || stored.elementsEqual(text))
        try property("the document is kept", try JSONParser.parse(stored, policy: .requestBody) == value)
        let otherID = "00000000-0000-4000-8000-000000000000"
        let moved = document.content.text(spelledID: otherID)
        guard var object = value.object else { throw BrokenProperty(description: "a document is no object") }
        object.set("id", to: .string(otherID))
        let expected = JSONValue.object(object)
        try property("only the id is replaced", try JSONParser.parse(moved, policy: .requestBody) == expected)
        let again = ConfigurationDocument(text: value.serialized()[...], value: value)
        try property("the digest is that of the value", again?.content.digest == document.content.digest)
    }
}
