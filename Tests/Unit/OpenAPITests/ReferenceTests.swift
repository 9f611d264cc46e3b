import JSON
import OpenAPI
import TestSupport
import Testing

@Suite("References in the OpenAPI document")
struct ReferenceTests {
    private static func references(_ document: InterfaceDocument) -> [String] {
        var found: [String] = []
        document.root.walk { value in
            if let reference = value["$ref"]?.string { found.append(reference) }
        }
        return found
    }

    @Test("Every $ref of the document resolves")
    func resolve() throws {
        let document = try InterfaceDocument()
        let references = Self.references(document)
        for reference in references {
            #expect(throws: Never.self, "nothing is at \(reference)") { try document.target(of: reference) }
        }
        #expect(references.count > 100)
    }

    @Test("Every component of the document is used, security schemes by name and others by $ref")
    func used() throws {
        let document = try InterfaceDocument()
        var used = Set(Self.references(document))
        let inSchemas = try Set(OpenAPIDocument.schemas.values.flatMap(Self.references).map { "schemas/\($0)" })
        for component in document.root["components"]?["schemas"]?.object?.members ?? [] {
            if let file = component.value["$ref"]?.string, inSchemas.contains(file) {
                used.insert("#/components/schemas/\(component.name)")
            }
        }
        for requirement in document.root["security"]?.array ?? [] {
            for scheme in requirement.object?.members ?? [] {
                used.insert("#/components/securitySchemes/\(scheme.name)")
            }
        }
        for kind in try #require(document.root["components"]?.object).members {
            for member in kind.value.object?.members ?? [] {
                let place = "#/components/\(kind.name)/\(member.name)"
                #expect(used.contains(place), "\(place) is used nowhere")
            }
        }
        for name in OpenAPIDocument.schemas.keys {
            #expect(used.contains("schemas/\(name)"), "\(name) is used nowhere")
        }
    }

    @Test("Schemas of bodies refer only to one another, and each is a component")
    func schemasStandAlone() throws {
        let components = try #require(try InterfaceDocument().root["components"]?["schemas"]?.object).members
        let files = Set(components.compactMap { $0.value["$ref"]?.string })
        for (name, text) in OpenAPIDocument.schemas {
            for reference in try Self.references(text) {
                #expect(files.contains("schemas/\(reference)"), "\(name)")
            }
        }
    }

    private static func references(_ schema: [UInt8]) throws -> [String] {
        var found: [String] = []
        try JSONParser.parse(schema, policy: .requestBody).walk { value in
            if let reference = value["$ref"]?.string { found.append(reference) }
        }
        return found
    }
}
