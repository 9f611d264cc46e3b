import JSONSchema
import NeuroViewsJSON

/// Input: a schema, a zero byte, an instance. The validator's result depends only on the values, and its messages are
/// bounded.
enum SchemaValidatorTarget {
    static func check(_ bytes: [UInt8]) throws {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, case .success(let text) = try JSONParserTarget.parse(Array(parts[0]), .requestBody),
            case .success(let instance) = try JSONParserTarget.parse(Array(parts[1]), .requestBody),
            let schema = try compile(text)
        else { return }
        try check(schema, instance, schemaBytes: parts[0].count)
        try checkLogic(text, instance, accepts: schema.accepts(instance))
    }

    private static func compile(_ text: JSONValue) throws -> Schema? {
        do throws(SchemaError) {
            return try Schema(compiling: text)
        } catch {
            try property("a refusal says something", !error.description.isEmpty)
            return nil
        }
    }

    static func check(_ schema: Schema, _ instance: JSONValue, schemaBytes: Int) throws {
        let violations = schema.violations(of: instance)
        try property("both verdicts agree", violations.isEmpty == schema.accepts(instance))
        try property("the violations are bounded", violations.count <= Schema.maxViolations)
        for violation in violations { try check(violation, instance, schemaBytes) }
        let again = try JSONParser.parse(instance.serialized(), policy: .rfc8259)
        try property("the same text gets the same violations", schema.violations(of: again) == violations)
        guard let equal = try JSONParserTarget.canonicalValue(instance.canonical()) else { return }
        try property("an equal value gets the same verdict", schema.accepts(equal) == violations.isEmpty)
    }

    private static func check(_ violation: Violation, _ instance: JSONValue, _ schemaBytes: Int) throws {
        try property("the pointer is bounded", violation.pointer.utf8.count <= 1000)
        try property("the detail is bounded", violation.detail.utf8.count <= 4500 + schemaBytes)
        guard let pointer = JSONPointer(violation.pointer) else {
            throw BrokenProperty(description: "\(violation.pointer) is no pointer")
        }
        var place = JSONPointer()
        // The pointer to a missing member ends at its place in the parent. All other pointers lead to existing values.
        let isMissing = ["required", "dependentRequired"].contains(violation.keyword)
        for token in isMissing ? pointer.tokens.dropLast() : pointer.tokens[...] { place.append(member: token) }
        try property("\(violation.pointer) leads into the instance", place.evaluate(in: instance) != nil)
    }

    private static func checkLogic(_ text: JSONValue, _ instance: JSONValue, accepts: Bool) throws {
        // `$id` is allowed only at the root, so a schema with `$id` cannot be nested.
        guard text["$id"] == nil else { return }
        let never = JSONValue.bool(false)
        let wrapped: [(keyword: String, value: JSONValue, accepts: Bool)] = [
            ("not", text, !accepts), ("allOf", .array([text, text]), accepts),
            ("anyOf", .array([never, text]), accepts), ("oneOf", .array([text, never]), accepts),
            ("oneOf", .array([text, text]), false),
        ]
        for wrapper in wrapped {
            let member = JSONObject.Member(name: wrapper.keyword, value: wrapper.value)
            let schema = try Schema(compiling: .object(JSONObject([member])))
            try property("\(wrapper.keyword) follows from its schemas", schema.accepts(instance) == wrapper.accepts)
        }
    }
}
