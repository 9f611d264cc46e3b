import Foundation
import JSONSchema
import NeuroViewsJSON
import TestSupport
import Testing

@Suite("The configuration schema")
struct ConfigurationSchemaTests {
    private static let valid = """
        {"id":"550e8400-e29b-41d4-a716-446655440000","name":"Night","preset":"night","video_format":"H.265",
         "resolution":"4K UHD","frame_rate":30,"exposure_settings":{"mode":"manual","iso":800,"shutter_speed":0.0166,
         "exposure_compensation":-0.5},"focus_settings":{"mode":"auto","anything":[1,{}]},
         "created_at":"2025-01-31T08:30:00Z","modified_at":"2025-01-31T08:30:00.25+01:00"}
        """

    private static func schema() throws -> Schema {
        let file = URL(fileURLWithPath: Repository.path + "/OpenAPI/schemas/camera-configuration.json")
        let bytes = [UInt8](try Data(contentsOf: file))
        return try Schema(compiling: try JSONParser.parse(bytes, policy: .requestBody))
    }

    private static func configuration(with members: String = "{}") throws -> JSONValue {
        var object = try #require(try JSONParser.parse(Array(valid.utf8), policy: .requestBody).object)
        let changes = try JSONParser.parse(Array(members.utf8), policy: .rfc8259)
        for member in try #require(changes.object).members { object.set(member.name, to: member.value) }
        return .object(object)
    }

    @Test("A configuration with unknown members is accepted")
    func accepted() throws {
        #expect(try Self.schema().violations(of: Self.configuration()) == [])
    }

    @Test(
        "One wrong member of a configuration gives one violation with the remedy",
        arguments: [
            (#"{"id":"x"}"#, "/id", "format", "must be a UUID such as 550e8400-e29b-41d4-a716-446655440000"),
            (#"{"name":""}"#, "/name", "minLength", "must have at least 1 character, has 0"),
            (#"{"name":7}"#, "/name", "type", "must be a string, is a number"),
            (
                #"{"preset":"party"}"#, "/preset", "enum",
                #"must be one of "auto", "portrait", "landscape", "macro", "sport", "night", "professional""#
            ),
            (#"{"frame_rate":241}"#, "/frame_rate", "maximum", "must be at most 240, is 241"),
            (#"{"frame_rate":0}"#, "/frame_rate", "minimum", "must be at least 1, is 0"),
            (#"{"frame_rate":29.97}"#, "/frame_rate", "type", "must be an integer, is 29.97"),
            (#"{"frame_rate":null}"#, "/frame_rate", "type", "must be an integer, is null"),
            (
                #"{"exposure_settings":{"shutter_speed":0.000124}}"#, "/exposure_settings/shutter_speed", "minimum",
                "must be at least 0.000125, is 0.000124"
            ),
            (#"{"exposure_settings":[]}"#, "/exposure_settings", "type", "must be an object, is an array"),
            (
                #"{"created_at":"2025-02-29T00:00:00Z"}"#, "/created_at", "format",
                "must be an RFC 3339 date and time with offset, such as 2025-01-31T08:30:00Z"
            ),
        ]
    )
    func violation(_ change: String, _ pointer: String, _ keyword: String, _ detail: String) throws {
        let violations = try Self.schema().violations(of: Self.configuration(with: change))
        #expect(violations.count == 1)
        #expect(violations.first?.pointer == pointer)
        #expect(violations.first?.keyword == keyword)
        #expect(violations.first?.detail == detail)
    }

    @Test("An empty configuration gives one violation for each required member, with its own pointer")
    func required() throws {
        let violations = try Self.schema().violations(of: .object(JSONObject()))
        #expect(
            violations.map(\.pointer) == [
                "/id", "/name", "/preset", "/video_format", "/resolution", "/frame_rate", "/created_at", "/modified_at",
            ]
        )
        #expect(violations.allSatisfy { $0.keyword == "required" && $0.detail == "is required" })
    }

    @Test("Lengths in a configuration count Unicode scalars, up to 100")
    func lengths() throws {
        let schema = try Self.schema()
        for character in ["a", "é", "€", "😀", "\u{301}"] {
            let fitting = String(repeating: character, count: 100)
            #expect(try schema.violations(of: Self.configuration(with: "{\"name\":\"\(fitting)\"}")) == [])
            let violations = try schema.violations(of: Self.configuration(with: "{\"name\":\"\(fitting + "a")\"}"))
            #expect(violations.map(\.detail) == ["must have at most 100 characters, has 101"])
        }
    }

    @Test("Numbers in a configuration are compared exactly in any spelling")
    func numbers() throws {
        let schema = try Self.schema()
        for (literal, isAccepted) in [
            ("240", true), ("240.0", true), ("24e1", true), ("240.00000000000000000000001", false), ("1e400", false),
            ("10e-1", true), ("0.99999999999999999999", false),
        ] {
            let value = try Self.configuration(with: "{\"frame_rate\":\(literal)}")
            #expect(schema.violations(of: value).isEmpty == isAccepted, "\(literal)")
        }
    }

    @Test("All violations of a configuration are reported in the order of the schema")
    func allAtOnce() throws {
        let change = #"{"exposure_settings":{"iso":1,"mode":"x"},"name":"","frame_rate":"30"}"#
        let violations = try Self.schema().violations(of: Self.configuration(with: change))
        #expect(
            violations.map(\.pointer) == ["/name", "/frame_rate", "/exposure_settings/mode", "/exposure_settings/iso"]
        )
    }
}
