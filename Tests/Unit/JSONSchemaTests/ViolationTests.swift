import JSONSchema
import NeuroViewsJSON
import Testing

private func violations(_ schema: String, _ value: String) throws -> [Violation] {
    let schema = try JSONParser.parse(Array(schema.utf8), policy: .requestBody)
    let value = try JSONParser.parse(Array(value.utf8), policy: .rfc8259)
    return try Schema(compiling: schema).violations(of: value)
}

@Suite("Violations of a schema")
struct ViolationTests {
    /// A schema chosen by the member `a`.
    private static let choice = #"""
        {"discriminator":{"propertyName":"a"},"oneOf":[
         {"properties":{"a":{"enum":["x"]}}},{"properties":{"a":{"enum":["y"]}},"required":["b"]}]}
        """#

    @Test(
        "A schema violation has a pointer, a keyword and the requirement",
        arguments: [
            (#"false"#, "1", "", "schema", "is not allowed here"),
            (#"{"const":{"a":1}}"#, "2", "", "const", #"must be {"a":1}"#),
            (#"{"type":["string","null"]}"#, "true", "", "type", "must be null or a string, is true or false"),
            (#"{"exclusiveMinimum":1}"#, "1.0", "", "exclusiveMinimum", "must be above 1, is 1.0"),
            (#"{"exclusiveMaximum":1}"#, "1", "", "exclusiveMaximum", "must be below 1, is 1"),
            (#"{"multipleOf":0.5}"#, "1.2", "", "multipleOf", "must be a multiple of 0.5, is 1.2"),
            (#"{"minItems":2}"#, "[1]", "", "minItems", "must have at least 2 items, has 1"),
            (#"{"maxItems":1}"#, "[1,2]", "", "maxItems", "must have at most 1 item, has 2"),
            (
                #"{"uniqueItems":true}"#, #"[1,{"a":1,"b":2},{"b":2.0,"a":1}]"#, "", "uniqueItems",
                "must have unique items, items 1 and 2 are equal"
            ),
            (#"{"items":{"minimum":1}}"#, "[1,0]", "/1", "minimum", "must be at least 1, is 0"),
            (#"{"prefixItems":[true],"items":false}"#, "[1,0]", "/1", "items", "is not allowed here"),
            (
                #"{"contains":{"const":1}}"#, "[2]", "", "contains",
                "must have at least 1 item of the required kind, has 0"
            ),
            (
                #"{"contains":true,"maxContains":1}"#, "[2,3]", "", "maxContains",
                "must have at most 1 item of the limited kind, has 2"
            ),
            (#"{"minProperties":1}"#, "{}", "", "minProperties", "must have at least 1 member, has 0"),
            (
                #"{"properties":{"a":true},"additionalProperties":false}"#, #"{"a":1,"b/c":2}"#, "/b~1c",
                "additionalProperties", "is not allowed here"
            ),
            (
                #"{"propertyNames":{"maxLength":1}}"#, #"{"a":1,"bc":2}"#, "", "propertyNames",
                #"has a name that is not allowed: "bc""#
            ),
            (
                #"{"propertyNames":{"enum":["a","b"]}}"#, #"{"a":1,"bc":2}"#, "", "propertyNames",
                #"has a name that is not allowed: "bc", not one of "a", "b""#
            ),
            (
                #"{"dependentRequired":{"a":["b"]}}"#, #"{"a":1}"#, "/b", "dependentRequired",
                #"is required when "a" is present"#
            ),
            (#"{"anyOf":[false,false]}"#, "1", "", "anyOf", "must match at least one of 2 schemas, matches none"),
            (#"{"oneOf":[true,true]}"#, "1", "", "oneOf", "must match exactly one of 2 schemas, matches 2"),
            (
                #"{"oneOf":[{"required":["a"]},{"required":["b","c"]}]}"#, #"{"b":1}"#, "", "oneOf",
                "must have one of these, has 0: a; b, c"
            ),
            (
                #"{"oneOf":[{"required":["a"]},{"type":"object"}]}"#, #"{"a":1}"#, "", "oneOf",
                "must match exactly one of 2 schemas, matches 2"
            ),
            (Self.choice, #"{"a":"y"}"#, "/b", "required", "is required"),
            (Self.choice, #"{"a":"z"}"#, "/a", "enum", #"must be one of "x", "y""#),
            (Self.choice, #"{"b":1}"#, "/a", "required", "is required"),
            (#"{"not":{}}"#, "1", "", "not", "must not match the excluded schema"),
            (#"{"if":{"type":"string"},"else":false}"#, "1", "", "else", "is not allowed here"),
        ]
    )
    func details(_ schema: String, _ value: String, _ pointer: String, _ keyword: String, _ detail: String) throws {
        let found = try violations(schema, value)
        #expect(found.count == 1)
        #expect(found.first?.pointer == pointer)
        #expect(found.first?.keyword == keyword)
        #expect(found.first?.detail == detail)
    }

    @Test("At most 100 schema violations are reported")
    func bounded() throws {
        let items = Array(repeating: "0", count: 1000).joined(separator: ",")
        let found = try violations(#"{"items":{"minimum":1,"multipleOf":3,"enum":[1]}}"#, "[\(items)]")
        #expect(found.count == 100)
        let names = (0..<150).map { "\"m\($0)\"" }.joined(separator: ",")
        #expect(try violations("{\"required\":[\(names)]}", "{}").count == 100)
    }

    @Test("A schema violation shortens the value that it repeats")
    func echo() throws {
        let long = String(repeating: "9", count: 100_000)
        let value = "{\"\(long)\":\(long),\"a\":{\"\(long)\":1}}"
        let found = try violations(
            #"{"additionalProperties":{"maximum":1,"propertyNames":false},"propertyNames":{"maxLength":5}}"#,
            value
        )
        #expect(found.count == 3)
        #expect(found.allSatisfy { $0.detail.utf8.count < 200 && $0.pointer.utf8.count <= 1000 })
        #expect(found.contains { $0.detail == "must be at most 1, is \(String(repeating: "9", count: 40))…" })
    }

    @Test(
        "Dates and times follow RFC 3339 and exist in the calendar",
        arguments: [
            ("2024-02-29T00:00:00Z", true), ("2023-02-29T00:00:00Z", false), ("1900-02-29T00:00:00Z", false),
            ("2000-02-29t23:59:59.999999999z", true), ("2025-04-31T00:00:00Z", false), ("2025-00-01T00:00:00Z", false),
            ("2025-01-01 00:00:00Z", false), ("2025-01-01T00:00Z", false), ("2025-01-01T00:00:00", false),
            ("2025-01-01T00:00:00.Z", false), ("2025-01-01T00:00:00+0100", false), ("2025-01-01T00:00:00,5Z", false),
            ("2025-01-01T24:00:00Z", false), ("2025-01-01T00:00:00-23:59", true), ("2025-01-01T00:00:00+24:00", false),
            ("2016-12-31T23:59:60Z", true), ("2017-01-01T08:59:60.5+09:00", true), ("2017-01-01T00:59:60Z", false),
            ("2016-12-30T23:59:60Z", false), ("2016-12-30T23:59:60-00:00", false), ("2016-12-31T15:59:60-08:00", true),
            ("2016-06-30T00:29:60-23:30", true), ("2016-06-29T23:59:60-24:00", false), ("2016-06-30T23:58:60Z", false),
            ("2016-06-30T00:29:60+00:30", false), ("2016-07-01T00:29:60+00:30", true), ("2025-01-01T00:00:61Z", false),
            ("2016-12-31T00:00:60Z", false), ("", false), ("2025-01-01T00:00:0", false),
            ("2025-01-01T00:00:00.123", false),
        ]
    )
    func dateTimes(_ text: String, _ isValid: Bool) throws {
        let found = try violations(#"{"format":"date-time"}"#, "\"\(text)\"")
        #expect(found.isEmpty == isValid)
    }
}
