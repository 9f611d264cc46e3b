import JSONSchema
import NeuroViewsJSON

/// The check of a document by a schema (draft 2020-12), with exact numbers.
enum SchemaCheck {
    private static let shownMax = 20

    /// Returns a line for each violation; none if the schema can't be used.
    static func complaints(document: String, schema: String) -> [String] {
        guard let rules = try? JSONParser.parse(Array(schema.utf8), policy: .rfc8259),
            let value = try? JSONParser.parse(Array(document.utf8), policy: .rfc8259),
            let schema = try? Schema(compiling: rules)
        else { return [] }
        return schema.violations(of: value).prefix(shownMax).map { violation in
            "\(violation.pointer.isEmpty ? "The document" : violation.pointer) \(violation.detail)."
        }
    }

    /// The fault of a text that is no JSON, with its line; nil if it is JSON.
    static func fault(ofText text: String) -> String? {
        do {
            _ = try JSONParser.parse(Array(text.utf8), policy: .requestBody)
            return nil
        } catch {
            let line = text.utf8.prefix(error.offset).filter { $0 == 0x0A }.count + 1
            return "Line \(line) of the document: \(error.reason)"
        }
    }
}
