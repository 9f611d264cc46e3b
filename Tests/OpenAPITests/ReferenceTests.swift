import JSON
import OpenAPI
import TestSupport
import Testing

@Suite("References")
struct ReferenceTests {
    private static func references(_ document: InterfaceDocument) -> [String] {
        var found: [String] = []
        document.root.walk { value in
            if let reference = value["$ref"]?.string { found.append(reference) }
        }
        return found
    }

    @Test("Every $ref of the document leads somewhere")
    func resolve() throws {
        let document = try InterfaceDocument()
        let references = Self.references(document)
        for reference in references {
            #expect(throws: Never.self, "nothing is at \(reference)") { try document.target(of: reference) }
        }
        #expect(references.count > 100)
    }

    @Test("Every component is used: security schemes by name, the others by a $ref")
    func used() throws {
        let document = try InterfaceDocument()
        var used = Set(Self.references(document))
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

    @Test("The schemas that bodies are checked with refer to nothing: the validator knows no references")
    func schemasStandAlone() throws {
        for (name, text) in OpenAPIDocument.schemas {
            let schema = try JSONParser.parse(text, policy: .requestBody)
            schema.walk { #expect($0["$ref"] == nil, "\(name)") }
        }
    }
}
