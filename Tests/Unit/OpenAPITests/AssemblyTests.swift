import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("Assembly of openapi.json")
struct AssemblyTests {
    private static let folder = Repository.path + "/OpenAPI"
    private static let frame = #"{ "openapi": "3.1.0", "paths": {} }"#

    private static func assemble(_ folder: String, _ options: String...) throws -> Program {
        try Program.run([Self.folder + "/assemble"] + options + [folder])
    }

    /// A folder with a frame and the files of features.
    private static func folder(frame: String = frame, _ features: [String: String]) throws -> String {
        let folder = Sandbox.makeFolder()
        try FileManager.default.createDirectory(atPath: folder + "/features", withIntermediateDirectories: true)
        let files = ["frame.json": frame].merging(features.map { ("features/\($0).json", $1) }) { $1 }
        for (name, text) in files { try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8) }
        return folder
    }

    @Test("openapi.json equals its assembly from the frame and the features")
    func current() throws {
        let program = try Self.assemble(Self.folder, "--check")
        #expect(program.status == 0, "\(program.complaint)")
    }

    @Test("Paths and components of all files are assembled with their text unchanged")
    func whole() throws {
        let folder = try Self.folder(
            frame: #"{ "openapi": "3.1.0", "paths": {}, "components": { "schemas": { "A": { } } } }"#,
            ["one": #"{ "paths": { "/one": {"get":1.0} } }"#, "two": #"{ "components": { "schemas": { "B": [ ] } } }"#]
        )
        #expect(try Self.assemble(folder).status == 0)
        let text = try String(contentsOfFile: folder + "/openapi.json", encoding: .utf8)
        #expect(
            text == """
                {
                  "openapi": "3.1.0",
                  "paths": {
                    "/one": {"get":1.0}
                  },
                  "components": {
                    "schemas": {
                      "A": { },
                      "B": [ ]
                    }
                  }
                }

                """
        )
        #expect(try Self.assemble(folder, "--check").status == 0)
        let edited = text.replacing(#""get":1.0"#, with: #""get":1"#)
        try edited.write(toFile: folder + "/openapi.json", atomically: true, encoding: .utf8)
        #expect(try Self.assemble(folder, "--check").complaint.hasPrefix("openapi.json, line 4:"))
    }

    @Test("Responses get the headers of every response, and their own headers replace them")
    func headers() throws {
        let own = #"{ "description": "B", "headers": { "Cache-Control": true } }"#
        let responses = #"{ "A": { "description": "A" }, "B": \#(own), "C": { "$ref": "A" } }"#
        let folder = try Self.folder(["one": #"{ "components": { "responses": \#(responses) } }"#])
        #expect(try Self.assemble(folder).status == 0)
        let text = try String(contentsOfFile: folder + "/openapi.json", encoding: .utf8)
        let made = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)["components"]?["responses"]
        func names(_ response: String) -> [String]? { made?[response]?["headers"]?.object?.members.map(\.name) }
        #expect(names("A") == ["X-Request-Id", "Server-Timing", "Cache-Control"])
        #expect(names("B") == ["Cache-Control", "X-Request-Id", "Server-Timing"])
        #expect(made?["B"]?["headers"]?["Cache-Control"]?.bool == true)
        #expect(names("C") == nil)
    }

    @Test("A component that names a file of schemas has its schema, and a file in no component is refused")
    func files() throws {
        let schemas = #"{ "A": { "$ref": "schemas/a.json" }, "B": { "$ref": "schemas/b.json" } }"#
        let folder = try Self.folder(["one": #"{ "components": { "schemas": \#(schemas) } }"#])
        try FileManager.default.createDirectory(atPath: folder + "/schemas", withIntermediateDirectories: true)
        func write(_ name: String, _ text: String) throws {
            try text.write(toFile: "\(folder)/schemas/\(name)", atomically: true, encoding: .utf8)
        }
        try write("a.json", #"{ "items": { "$ref": "b.json" } }"#)
        try write("b.json", #"{ "type": "string" }"#)
        #expect(try Self.assemble(folder).status == 0)
        let text = try String(contentsOfFile: folder + "/openapi.json", encoding: .utf8)
        let made = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)["components"]?["schemas"]
        #expect(made?["A"]?["items"]?["$ref"]?.string == "#/components/schemas/B")
        #expect(made?["B"]?["type"]?.string == "string")
        try write("c.json", "{}")
        #expect(try Self.assemble(folder).complaint.contains("schemas/c.json is in no component"))
        try write("c.json", #"{ "$ref": "d.json" }"#)
        try write("a.json", #"{ "$ref": "d.json" }"#)
        #expect(try Self.assemble(folder).complaint.contains("schemas/d.json is in no component"))
    }

    @Test("A component gets the properties of the one that it names, and its own in their place")
    func properties() throws {
        let schemas = #"{ "A": { "properties": { "x": { "a": 1 }, "y": 2 } }, "B": \#(Self.derived) }"#
        let folder = try Self.folder(["one": #"{ "components": { "schemas": \#(schemas) } }"#])
        #expect(try Self.assemble(folder).status == 0)
        let text = try String(contentsOfFile: folder + "/openapi.json", encoding: .utf8)
        let made = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)["components"]?["schemas"]?["B"]
        let expected = #"{ "type": "object", "properties": { "x": { "a": 1 }, "y": 3, "z": 4 } }"#
        #expect(try made == JSONParser.parse(Array(expected.utf8), policy: .rfc8259))
        #expect(try Self.assemble(folder, "--check").status == 0)
        let alone = try Self.folder(["one": #"{ "components": { "schemas": { "B": \#(Self.derived) } } }"#])
        #expect(try Self.assemble(alone).complaint.hasPrefix("B has the properties of A, which is no component"))
    }

    private static let derived = #"{ "type": "object", "propertiesOf": "A", "properties": { "y": 3, "z": 4 } }"#

    @Test(
        "Duplicate definitions and forbidden members of features are refused with the files' names",
        arguments: [
            (
                [#"{ "paths": { "/a": {} } }"#, #"{ "paths": { "/a": {} } }"#],
                "features/1.json: /a is defined twice, in features/0.json and in features/1.json"
            ),
            (
                [#"{ "paths": { "/a": {}, "/a": {} } }"#],
                "features/0.json: /a is defined twice, in features/0.json and in features/0.json"
            ),
            (
                [#"{ "components": { "schemas": { "A": 1 } } }"#, #"{ "components": { "schemas": { "A": 1 } } }"#],
                "features/1.json: A is defined twice, in features/0.json and in features/1.json"
            ),
            (
                [#"{ "info": {} }"#],
                "features/0.json: info can be in frame.json only; features/0.json can have paths and components"
            ),
            (["{ \"paths\": {\n,"], "features/0.json: Expecting property name enclosed in double quotes: line 2"),
            (["[]"], "features/0.json: the file must be an object"),
        ]
    )
    func refused(features: [String], complaint: String) throws {
        let named = Dictionary(uniqueKeysWithValues: features.enumerated().map { ("\($0.offset)", $0.element) })
        let program = try Self.assemble(Self.folder(named))
        #expect(program.status == 1)
        #expect(program.complaint.hasPrefix(complaint), "\(program.complaint)")
    }
}
