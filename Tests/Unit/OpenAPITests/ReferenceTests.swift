import NeuroViewsJSON
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
    }

    @Test("The document is complete in itself: no $ref leads to a file")
    func selfContained() throws {
        for reference in Self.references(try InterfaceDocument()) { #expect(reference.hasPrefix("#/"), "\(reference)") }
    }
}
