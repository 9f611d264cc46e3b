import JSONSchema
import NeuroViewsJSON
import TestSupport

extension Operation {
    /// Every operation of a document.
    static func all(in document: InterfaceDocument) throws -> [Operation] {
        try document.operations.map { documented in
            do {
                return try Operation(documented, document)
            } catch {
                throw Program.Failure("\(documented): \(error)")
            }
        }
    }

    private init(_ documented: InterfaceDocument.Operation, _ document: InterfaceDocument) throws {
        name = documented.value["operationId"]?.string ?? ""
        method = documented.method
        path = try document.target(of: documented)
        needsToken = (documented.value["security"] ?? document.root["security"])?.array?.isEmpty == false
        takesAnyQuery = documented.pathItem["x-any-query"]?.bool == true
        parameters = try document.parameters(of: documented).map { try Parameter(document.inlined($0)) }
        let content = try documented.value["requestBody"].map { try document.resolved($0) }
        needsBody = content?["required"]?.bool == true
        bytesType = content.flatMap(Self.bytesType)
        body = try bytesType == nil ? content.map { try Body($0, document) } : nil
        answers = Dictionary(
            uniqueKeysWithValues: try document.responses(of: documented).map {
                ($0.status, $0.value["description"]?.string ?? "")
            }
        )
    }
}

extension Operation {
    /// Nil if the body can be JSON.
    private static func bytesType(_ body: JSONValue) -> String? {
        let media = body["content"]?.object?.members ?? []
        let isBytes = media.allSatisfy { !$0.name.hasSuffix("json") }
        return isBytes ? media.first?.name : nil
    }
}

extension Operation.Body {
    fileprivate init(_ documented: JSONValue, _ document: InterfaceDocument) throws {
        guard let media = documented["content"]?.object?.members, let content = media.first,
            media.count == 1 || !content.name.hasSuffix("json")
        else { throw Program.Failure("the matrices know bodies of one media type only") }
        guard let example = content.value["examples"]?.object?.members.first,
            let value = try document.resolved(example.value)["value"]
        else { throw Program.Failure("the body has no example") }
        mediaType = content.name
        self.example = value
        schema = try Schema(compiling: document.inlined(content.value["schema"] ?? .null))
    }
}
