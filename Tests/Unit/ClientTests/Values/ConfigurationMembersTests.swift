import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The members of a configuration in the library")
struct ConfigurationMembersTests {
    /// An assignment to each member that an app may set.
    private static let assignments: [String: @Sendable (inout CameraConfiguration) -> Void] = [
        "/name": { $0.name = "Night" },
        "/preset": { $0.preset = .macro },
        "/video_format": { $0.videoFormat = .av1 },
        "/resolution": { $0.resolution = .uhd8K },
        "/frame_rate": { $0.frameRate = 60 },
        "/exposure_settings": { $0.exposure = ExposureSettings(iso: 100) },
        "/exposure_settings/mode": { $0.exposure.mode = .auto },
        "/exposure_settings/iso": { $0.exposure.iso = 50 },
        "/exposure_settings/shutter_speed": { $0.exposure.shutterSpeed = 0.5 },
        "/exposure_settings/exposure_compensation": { $0.exposure.exposureCompensation = 1.5 },
    ]
    private static let readOnly: Set = ["/id", "/created_at", "/modified_at"]
    private static let unchanged: [String: @Sendable (inout CameraConfiguration) -> Void] = [
        "/name": { $0.name = $0.name },
        "/preset": { $0.preset = $0.preset },
        "/video_format": { $0.videoFormat = $0.videoFormat },
        "/resolution": { $0.resolution = $0.resolution },
        "/frame_rate": { $0.frameRate = $0.frameRate },
        "/exposure_settings": { $0.exposure = $0.exposure },
        "/exposure_settings/mode": { $0.exposure.mode = $0.exposure.mode },
        "/exposure_settings/iso": { $0.exposure.iso = $0.exposure.iso },
        "/exposure_settings/shutter_speed": { $0.exposure.shutterSpeed = $0.exposure.shutterSpeed },
        "/exposure_settings/exposure_compensation": {
            $0.exposure.exposureCompensation = $0.exposure.exposureCompensation
        },
    ]

    private static func schema() throws -> JSON {
        let file = URL(fileURLWithPath: Repository.path + "/OpenAPI/schemas/camera-configuration.json")
        return try JSONParser.parse([UInt8](try Data(contentsOf: file)), policy: .rfc8259)
    }

    private static func pointers(_ schema: JSON, below place: String = "") -> [String] {
        (schema["properties"]?.object?.members ?? []).flatMap { member in
            ["\(place)/\(member.name)"] + pointers(member.value, below: "\(place)/\(member.name)")
        }
    }

    @Test("A member of the configuration's schema has a property in the library")
    func complete() throws {
        let known = Self.readOnly.union(Self.assignments.keys)
        #expect(Set(Self.pointers(try Self.schema())) == known)
        #expect(Set(Self.unchanged.keys) == Set(Self.assignments.keys))
    }

    @Test("The values of the configuration's schema have names in the library")
    func values() throws {
        let members = try #require(try Self.schema()["properties"])
        func values(_ member: JSON?) -> [String] { (member?["enum"]?.array ?? []).compactMap(\.string) }
        #expect(values(members["preset"]) == CameraPreset.known.map(\.rawValue))
        #expect(values(members["video_format"]) == VideoFormat.known.map(\.rawValue))
        #expect(values(members["resolution"]) == VideoResolution.known.map(\.rawValue))
        let exposure = members["exposure_settings"]?["properties"]
        #expect(values(exposure?["mode"]) == ExposureMode.known.map(\.rawValue))
    }

    @Test("A setter changes and notes its own member alone", arguments: assignments.keys.sorted())
    func setters(pointer: String) throws {
        var configuration = Preset.stored()
        let assign = try #require(Self.assignments[pointer])
        assign(&configuration)
        #expect(configuration.pointers == [pointer])
        #expect(configuration[pointer] != Preset.stored()[pointer])
        var others = configuration
        others[pointer] = Preset.stored()[pointer]
        #expect(others == Preset.stored())
    }

    @Test("A setter of the value that was there notes it and keeps each digit", arguments: assignments.keys.sorted())
    func sameValue(pointer: String) throws {
        var configuration = Preset.stored()
        let assign = try #require(Self.unchanged[pointer])
        assign(&configuration)
        #expect(configuration.pointers == [pointer])
        #expect(configuration.text == Preset.text)
    }

    @Test("A setter keeps unknown members and the spelling of other numbers")
    func spelling() {
        var configuration = Preset.stored()
        configuration.exposure.iso = 800
        configuration.name = "Night"
        let expected = Preset.text.replacingOccurrences(of: "4e2", with: "800")
            .replacingOccurrences(of: "Café", with: "Night")
        #expect(configuration.text == expected)
    }

    @Test("A number with more digits than a double keeps them")
    func manyDigits() {
        let digits = "0.02000000000000000000000001"
        var configuration = Preset.stored(#"{"exposure_settings":{"shutter_speed":\#(digits)}}"#)
        configuration.exposure.shutterSpeed = 0.02
        #expect(configuration.text == #"{"exposure_settings":{"shutter_speed":\#(digits)}}"#)
        #expect(configuration.pointers == ["/exposure_settings/shutter_speed"])
    }

    @Test("A document without the known members reads as empty")
    func empty() {
        let configuration = Preset.stored(#"{"name":7,"frame_rate":99999999999999999999,"exposure_settings":[]}"#)
        #expect(configuration.name.isEmpty && configuration.preset.rawValue.isEmpty && configuration.frameRate == 0)
        #expect(configuration.exposure == ExposureSettings() && configuration.createdAt == nil)
    }
}
