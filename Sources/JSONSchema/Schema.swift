import NeuroViewsJSON

/// A compiled JSON Schema (draft 2020-12, the keywords that need neither references nor regular expressions).
///
/// Formats are checked. A schema with an unsupported part is rejected when compiled, never half understood.
public struct Schema: Sendable {
    /// The most violations that one check reports.
    public static let maxViolations = 100

    private let root: Node

    /// Compiles a schema; throws at the first keyword that is unknown, unsupported or malformed.
    public init(compiling schema: JSONValue) throws(SchemaError) {
        root = try Node(compiling: schema, at: JSONPointer())
    }

    /// The violations of the value, at most `maxViolations`, in the order of the schema's keywords.
    public func violations(of value: JSONValue) -> [Violation] {
        var check = Check(maxViolations: Self.maxViolations)
        check.apply(root, to: value, via: "schema")
        return check.violations
    }

    /// Returns true if the value conforms; stops at the first violation.
    public func accepts(_ value: JSONValue) -> Bool {
        Check.accepts(value, root)
    }
}
