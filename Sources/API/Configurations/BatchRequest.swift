import CloudSync
import HTTP
import JSONSchema
import NeuroViewsJSON

/// The operations of a batch. Each document keeps its original text.
struct BatchRequest: Sendable {
    let isAtomic: Bool
    let operations: [ConfigurationOperation]

    /// The number of writes that the batch counts as. Each operation may leave a version that no quota counts, but a
    /// version weighs less than a request.
    var writes: Int { (operations.count + 9) / 10 }

    /// Reads the body. Throws `Problem`, and `CloudSyncError.invalid` with the violations of the operations.
    init(_ text: [UInt8], _ schema: Schema) throws {
        let body = try JSONBody.value(text, schema)
        guard let items = body["operations"]?.array,
            let range = JSONText.range(ofMember: "operations", in: text[...])
        else { throw Problem(.invalidJSON) }
        let ranges = JSONText.ranges(ofElementsIn: text[range])
        guard ranges.count == items.count else { throw Problem(.invalidJSON) }
        isAtomic = body["atomic"]?.bool ?? false
        operations = try zip(items, ranges).map { try Self.operation($0, text: text[$1]) }
        let violations = Self.idViolations(items, operations)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
    }

    private static func operation(_ item: JSONValue, text: ArraySlice<UInt8>) throws -> ConfigurationOperation {
        let conditions = WriteConditions(
            ifMatch: item["if_match"]?.string.map { VersionCondition(member: $0) },
            ifNoneMatch: item["if_none_match"]?.string.map { VersionCondition(member: $0) }
        )
        let kind = item["operation"]?.string
        if kind == "delete" { return .delete(item["id"]?.string ?? "", conditions) }
        guard let value = item["configuration"], let range = JSONText.range(ofMember: "configuration", in: text),
            let document = ConfigurationDocument(text: text[range], value: value)
        else { throw Problem(.invalidJSON) }
        return kind == "create" ? .create(document, conditions) : .replace(document, conditions)
    }

    /// Finds ids that occur twice, in any spelling, and ids that differ from the id of their document.
    private static func idViolations(_ items: [JSONValue], _ operations: [ConfigurationOperation]) -> [Violation] {
        var violations: [Violation] = []
        var first: [String: Int] = [:]
        for (index, operation) in operations.enumerated() {
            if let id = items[index]["id"]?.string, id.lowercased() != operation.id {
                violations.append(
                    Violation(
                        pointer: "/operations/\(index)/id",
                        keyword: "const",
                        detail: "must equal the id of the operation's configuration"
                    )
                )
            }
            if let other = first.updateValue(index, forKey: operation.id) {
                violations.append(
                    Violation(
                        pointer: "/operations/\(index)",
                        keyword: "uniqueItems",
                        detail: "must not have the same id as /operations/\(other)"
                    )
                )
            }
        }
        return Array(violations.prefix(Schema.maxViolations))
    }
}
