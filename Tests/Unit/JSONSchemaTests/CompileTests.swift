import JSONSchema
import NeuroViewsJSON
import Testing

private func refusal(_ schema: String) throws -> SchemaError? {
    let value = try JSONParser.parse(Array(schema.utf8), policy: .requestBody)
    do throws(SchemaError) {
        _ = try Schema(compiling: value)
        return nil
    } catch {
        return error
    }
}

@Suite("Compilation of schemas")
struct CompileTests {
    @Test(
        "An unknown or unsupported schema keyword is refused with its place",
        arguments: [
            "pattern", "patternProperties", "$ref", "$defs", "$anchor", "$dynamicRef", "$dynamicAnchor", "$vocabulary",
            "unevaluatedItems", "unevaluatedProperties", "contentEncoding", "contentMediaType", "contentSchema",
            "definitions", "dependencies", "minlength", "x-note", "",
        ]
    )
    func unknown(_ keyword: String) throws {
        let error = try refusal(#"{"properties":{"a/b":{"allOf":[true,{"\#(keyword)":{}}]}}}"#)
        #expect(error?.reason == .unknownKeyword(keyword))
        #expect(error?.pointer.description == "/properties/a~1b/allOf/1/\(keyword)")
    }

    @Test(
        "A malformed schema keyword is refused with its place",
        arguments: [
            (#"{"minLength":"x"}"#, "/minLength"), (#"{"minLength":-1}"#, "/minLength"),
            (#"{"maxItems":1.5}"#, "/maxItems"), (#"{"minimum":"1"}"#, "/minimum"), (#"{"type":"text"}"#, "/type"),
            (#"{"type":[]}"#, "/type"), (#"{"type":["string","string"]}"#, "/type"), (#"{"enum":1}"#, "/enum"),
            (#"{"required":["a",1]}"#, "/required"), (#"{"required":["a","a"]}"#, "/required"),
            (#"{"multipleOf":0}"#, "/multipleOf"), (#"{"multipleOf":-2}"#, "/multipleOf"),
            (#"{"properties":[]}"#, "/properties"), (#"{"allOf":[]}"#, "/allOf"), (#"{"anyOf":{}}"#, "/anyOf"),
            (#"{"uniqueItems":1}"#, "/uniqueItems"), (#"{"title":1}"#, "/title"),
            (#"{"then":{"minLength":"x"}}"#, "/then/minLength"),
            (#"{"if":true,"else":{"minLength":"x"}}"#, "/else/minLength"), (#"{"minContains":"x"}"#, "/minContains"),
            (#"{"contains":true,"maxContains":-1}"#, "/maxContains"), (#"{"readOnly":"x"}"#, "/readOnly"),
            (#"{"dependentRequired":{"a":"b"}}"#, "/dependentRequired/a"), (#"{"format":1}"#, "/format"),
            (#"{"additionalProperties":true,"properties":1}"#, "/properties"), (#"{"examples":1}"#, "/examples"),
        ]
    )
    func malformed(_ schema: String, _ pointer: String) throws {
        let error = try #require(try refusal(schema))
        guard case .malformed = error.reason else { throw error }
        #expect(error.pointer.description == pointer)
        #expect(error.description.hasPrefix("\(pointer): must be "))
    }

    @Test("A value that is no schema, an unknown format and an unknown dialect are refused")
    func others() throws {
        #expect(try refusal("1")?.reason == .notASchema)
        #expect(try refusal(#"{"items":null}"#)?.reason == .notASchema)
        #expect(try refusal(#"{"format":"hostname"}"#)?.reason == .unknownFormat("hostname"))
        #expect(try refusal(#"{"$schema":"http://json-schema.org/draft-07/schema#"}"#)?.reason == .unknownDialect)
        #expect(try refusal(#"{"not":{"$id":"urn:x"}}"#)?.reason == .nestedIdentifier)
        #expect(try refusal(#"{"$id":"urn:x","$comment":"c","default":1,"examples":[],"deprecated":true}"#) == nil)
        let unlisted = #"{"discriminator":{"propertyName":"a"},"oneOf":[{"properties":{"a":{"type":"string"}}}]}"#
        #expect(
            try refusal(unlisted)?.reason == .malformed(expected: "schemas that list the values of a in enum")
        )
    }
}
