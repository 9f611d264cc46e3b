import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

/// A media type of a request or an answer, and its place for failure messages.
struct Content: CustomTestStringConvertible {
    let place: String
    let schema: JSONValue
    let examples: [JSONObject.Member]

    var testDescription: String { place }

    /// Bytes are no JSON that a schema could judge.
    var isBytes: Bool { schema["format"]?.string == "binary" }

    /// All parts of the document with a schema.
    static func all() throws -> [Content] {
        let document = try InterfaceDocument()
        return try document.operations.flatMap { operation in
            let request = try operation.value["requestBody"].map { [("request", try document.resolved($0))] } ?? []
            let answers = try document.responses(of: operation).map { ($0.status, $0.value) }
            return try (request + answers).flatMap { name, value in
                try (value["content"]?.object?.members ?? []).map { media in
                    Content(
                        place: "\(operation) \(name)",
                        schema: try document.inlined(try #require(media.value["schema"])),
                        examples: try (media.value["examples"]?.object?.members ?? []).map {
                            .init(name: $0.name, value: try document.resolved($0.value))
                        }
                    )
                }
            }
        }
    }
}

@Suite("Examples of the document")
struct ExampleTests {
    @Test("Every documented request and answer with content has an example", arguments: try Content.all())
    func exist(_ content: Content) {
        #expect(!content.examples.isEmpty)
    }

    @Test("Every documented example meets its schema", arguments: try Content.all().filter { !$0.isBytes })
    func valid(_ content: Content) throws {
        let schema = try Schema(compiling: content.schema)
        for example in content.examples {
            let violations = schema.violations(of: try #require(example.value["value"]))
            #expect(violations.isEmpty, "\(example.name)")
        }
    }

    @Test("No documented example has a member that its schema does not describe", arguments: try Content.all())
    func documented(_ content: Content) throws {
        guard let names = Self.members(of: content.schema) else { return }
        for example in content.examples {
            for member in example.value["value"]?.object?.members ?? [] {
                #expect(names.contains(member.name), "\(example.name)")
            }
        }
    }

    @Test("Every documented example of a parameter or a header meets its schema")
    func parameters() throws {
        let document = try InterfaceDocument()
        var described = document.root["components"]?["headers"]?.object?.members.map(\.value) ?? []
        for operation in document.operations { described += try document.parameters(of: operation) }
        for value in described {
            let schema = try Schema(compiling: document.inlined(try #require(value["schema"])))
            let example = try #require(value["example"], "\(value.text)")
            #expect(schema.violations(of: example).isEmpty, "\(value.text)")
        }
    }

    /// The names that a schema and its parts describe; nil if the schema describes none.
    private static func members(of schema: JSONValue) -> Set<String>? {
        var names = schema["properties"]?.object.map { Set($0.members.map(\.name)) }
        for keyword in ["allOf", "anyOf"] {
            for part in schema[keyword]?.array ?? [] {
                if let more = members(of: part) { names = (names ?? []).union(more) }
            }
        }
        return names
    }
}
