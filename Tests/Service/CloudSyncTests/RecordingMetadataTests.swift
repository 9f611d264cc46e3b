import JSONSchema
import NeuroViewsJSON
import OpenAPI
import Testing

@testable import CloudSync

@Suite("Metadata of recordings")
struct RecordingMetadataTests {
    private static let sender = DeviceDescription(name: "Phone", model: "iPhone17,1", appVersion: "3.2.0")

    private static func metadata(_ members: String) throws -> RecordingMetadata {
        try RecordingMetadata(try JSONParser.parse(Array("{\(members)}".utf8), policy: .rfc8259))
    }

    private static func filled(
        _ members: String,
        from sender: DeviceDescription? = sender,
        type: String = "video/quicktime"
    ) throws -> String {
        let object = try metadata(members).filled(from: sender, contentType: type)
        return String(decoding: JSONValue.object(object).serialized(), as: UTF8.self)
    }

    @Test("The specification's metadata get a file name and created_at, and are otherwise kept as they were sent")
    func specification() throws {
        let sent =
            #""creation_date":"2026-03-01T12:00:00Z","location":null,"device_model":"iPhone 15 Pro","#
            + #""app_version":"2.0","camera_position":1,"exposure_settings":{"iso":12800.0},"#
            + #""custom_tags":{"scene":"1"},"lens":[1.50]"#
        #expect(
            try Self.filled(sent)
                == #"{\#(sent),"filename":"2026-03-01T12-00-00Z.mov","created_at":"2026-03-01T12:00:00Z"}"#
        )
    }

    @Test(
        "Members that are missing or null come from the sender's device, or are empty",
        arguments: ["", #","device_model":null,"app_version":null,"camera_position":null,"custom_tags":null"#]
    )
    func missing(members: String) throws {
        let sent = #""filename":"A.mov","created_at":"2026-03-01T12:00:00Z""# + members
        func expected(_ model: String, _ version: String) throws -> JSONValue {
            let text =
                #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","creation_date":"2026-03-01T12:00:00Z","#
                + #""device_model":"\#(model)","app_version":"\#(version)","#
                + #""camera_position":"unspecified","custom_tags":{}}"#
            return try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
        }
        func read(_ sender: DeviceDescription?) throws -> JSONValue {
            try JSONParser.parse(Array(try Self.filled(sent, from: sender).utf8), policy: .rfc8259)
        }
        #expect(try read(Self.sender) == expected("iPhone17,1", "3.2.0"))
        #expect(try read(nil) == expected("", ""))
        #expect(try read(DeviceDescription(name: "x", model: nil, appVersion: nil)) == expected("", ""))
    }

    @Test(
        "creation_date is created_at without its fraction, and created_at is creation_date as it was sent",
        arguments: [
            (#""created_at":"2026-03-01T12:00:00.5+01:00""#, #""creation_date":"2026-03-01T11:00:00Z""#),
            (#""creation_date":"2026-03-01T12:00:00.5+01:00""#, #""created_at":"2026-03-01T12:00:00.5+01:00""#),
            (#""created_at":"9999-12-31T23:59:59-23:59""#, #""creation_date":"9999-12-31T23:59:59-23:59""#),
            (#""created_at":"0000-01-01T00:00:00+23:59""#, #""creation_date":"0000-01-01T00:00:00+23:59""#),
        ]
    )
    func times(sent: String, other: String) throws {
        let filled = try Self.filled(sent)
        #expect(filled.contains(other), "\(filled)")
        // The times of the filled document are one time, so that it can be written again.
        let again = try Self.metadata(String(filled.dropFirst().dropLast()))
        #expect(try again.recordedAt == Self.metadata(sent).recordedAt)
    }

    @Test(
        "Metadata without a time, or with two different ones, are refused with the place of the time",
        arguments: [
            ("", "required"), (#""created_at":null,"creation_date":null"#, "required"),
            (#""created_at":"2026-03-01T12:00:00Z","creation_date":"2026-03-01T12:00:01Z""#, "const"),
            (#""created_at":"2026-03-01T12:00:00Z","creation_date":"2026-03-01T12:00:00+01:00""#, "const"),
        ]
    )
    func refused(members: String, keyword: String) throws {
        let value = try JSONParser.parse(Array("{\(members)}".utf8), policy: .rfc8259)
        do throws(CloudSyncError) {
            _ = try RecordingMetadata(value, at: "/metadata")
            Issue.record("accepted")
        } catch {
            guard case .invalid(let violations) = error else { throw error }
            #expect(violations.map { "\($0.pointer) \($0.keyword)" } == ["/metadata/creation_date \(keyword)"])
        }
    }

    @Test(
        "A repetition of complete is the same request with a null more or less, and with the other name of the time",
        arguments: [
            #""n":1.0,"created_at":"2026-03-01T12:00:00.5Z""#,
            #""created_at":"2026-03-01T12:00:00.50Z","n":1,"location":null,"x":null"#,
            #""creation_date":"2026-03-01T13:00:00.5+01:00","created_at":null,"n":10e-1"#,
            #""creation_date":"2026-03-01T12:00:00Z","created_at":"2026-03-01T12:00:00.5Z","n":1"#,
        ]
    )
    func sameRequest(members: String) throws {
        let sent = try Self.metadata(#""created_at":"2026-03-01T12:00:00.5Z","n":1"#).sentContent
        #expect(try Self.metadata(members).sentContent == sent)
    }

    @Test(
        "Metadata with another time or another member are another request",
        arguments: [
            #""created_at":"2026-03-01T12:00:00Z","n":1"#, #""created_at":"2026-03-01T12:00:00.5Z","n":2"#,
            #""created_at":"2026-03-01T12:00:00.5Z""#, #""created_at":"2026-03-01T12:00:00.5Z","n":1,"tags":[]"#,
            #""created_at":"2026-03-01T12:00:00.5Z","n":[null]"#,
        ]
    )
    func otherRequest(members: String) throws {
        let sent = try Self.metadata(#""created_at":"2026-03-01T12:00:00.5Z","n":1"#).sentContent
        #expect(try Self.metadata(members).sentContent != sent)
    }

    @Test("The server ignores exactly those members of a recording in metadata that metadata do not describe")
    func serverMembers() throws {
        let document = try JSONParser.parse(OpenAPIDocument.text, policy: .rfc8259)
        let schemas = try #require(document["components"]?["schemas"])
        func names(_ schema: String) throws -> Set<String> {
            Set(try #require(schemas[schema]?["properties"]?.object).members.map(\.name))
        }
        #expect(try names("Recording").subtracting(names("RecordingMetadata")) == RecordingMetadata.serverMembers)
    }

    @Test("One time in two spellings is accepted")
    func sameTime() throws {
        let times = #""created_at":"2026-03-01T12:00:00.25Z","creation_date":"2026-03-01T13:00:00+01:00""#
        #expect(try Self.filled(times + #","filename":"A""#).hasPrefix("{\(times),"))
    }

    @Test(
        "A changed time takes the other one along, and two changed ones stay",
        arguments: [
            (#"{"created_at":"a2","creation_date":"b"}"#, #"{"created_at":"a2","creation_date":null}"#),
            (#"{"created_at":"a","creation_date":"b2"}"#, #"{"created_at":null,"creation_date":"b2"}"#),
            (#"{"created_at":"a2","creation_date":"b2"}"#, #"{"created_at":"a2","creation_date":"b2"}"#),
            (#"{"created_at":"a","creation_date":"b"}"#, #"{"created_at":"a","creation_date":"b"}"#),
            (#"{"creation_date":"b"}"#, #"{"creation_date":"b"}"#), ("{}", "{}"),
        ]
    )
    func changedTimes(patched: String, expected: String) throws {
        func object(_ text: String) throws -> JSONObject {
            try #require(try JSONParser.parse(Array(text.utf8), policy: .rfc8259).object)
        }
        var changed = try object(patched)
        changed.dropOldTime(try object(#"{"created_at":"a","creation_date":"b"}"#))
        #expect(try changed == object(expected))
    }

    @Test("The made name of a file has the ending of its media type")
    func names() throws {
        for (type, ending) in RecordingType.endings {
            let filled = try Self.filled(#""creation_date":"2026-03-01T12:00:00.75Z""#, type: type)
            #expect(filled.contains(#""filename":"2026-03-01T12-00-00Z.\#(ending)""#), "\(type): \(filled)")
        }
    }

    @Test("The schema of upload requests has exactly the media types with an ending")
    func types() throws {
        let text = try #require(OpenAPIDocument.schemas["upload-request.json"])
        let schema = try JSONParser.parse(text, policy: .rfc8259)
        let listed = try #require(schema["properties"]?["content_type"]?["enum"]?.array).compactMap(\.string)
        #expect(Set(listed) == Set(RecordingType.endings.keys))
    }

    @Test(
        "A media type is compared in lower case and without its parameters",
        arguments: ["video/mp4", "Video/MP4", "video/mp4; codecs=\"avc1\"", " VIDEO/mp4\t;", "video/mp4;"]
    )
    func essence(text: String) { #expect(RecordingType.essence(of: text) == "video/mp4") }
}
