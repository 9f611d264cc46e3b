import JSON
import OpenAPI
import Testing

@Suite("References")
struct ReferenceTests {
    @Test("Every $ref of the document leads somewhere")
    func resolve() throws {
        let document = try Document()
        var count = 0
        document.root.walk { value in
            guard let reference = value["$ref"]?.string else { return }
            count += 1
            #expect(throws: Never.self, "\(reference)") { try document.target(of: reference) }
        }
        #expect(count > 100)
    }

    @Test("Every schema, parameter, header, response and example of the components is used")
    func used() throws {
        let document = try Document()
        var used: Set<String> = []
        document.root.walk { value in
            if let reference = value["$ref"]?.string { used.insert(reference) }
        }
        for kind in ["schemas", "parameters", "headers", "responses", "examples"] {
            for member in document.root["components"]?[kind]?.object?.members ?? [] {
                #expect(used.contains("#/components/\(kind)/\(member.name)"), "\(kind)/\(member.name)")
            }
        }
        for name in OpenAPIDocument.schemas.keys { #expect(used.contains("schemas/\(name)"), "\(name)") }
    }

    @Test("The schemas that bodies are checked with refer to nothing: the validator knows no references")
    func schemasStandAlone() throws {
        for (name, text) in OpenAPIDocument.schemas {
            let schema = try JSONParser.parse(text, policy: .requestBody)
            schema.walk { #expect($0["$ref"] == nil, "\(name)") }
        }
    }
}
