import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("Whole configurations")
struct WholeConfigurationTests {
    @Test("A configuration that an app makes is a whole document")
    func made() throws {
        let configuration = CameraConfiguration(
            id: Preset.id,
            name: "Night",
            preset: .night,
            exposure: ExposureSettings(mode: .manual, iso: 400)
        )
        #expect(
            configuration.document
                == JSONValue(
                    text: """
                        {"id":"6f9619ff-8b86-4d11-b42d-00c04fc964ff","name":"Night","preset":"night","video_format":"H.265",
                        "resolution":"Full HD 1080p","frame_rate":30,"exposure_settings":{"mode":"manual","iso":400}}
                        """
                )
        )
        #expect(configuration.isWhole && configuration.id == Preset.id && configuration.createdAt == nil)
        #expect(CameraConfiguration(name: "a").id != CameraConfiguration(name: "a").id)
    }

    @Test("A document of JSON keeps its digits and unknown members")
    func document() throws {
        let exported = try #require(JSONValue(text: Preset.text))
        let configuration = try CameraConfiguration(document: exported)
        #expect(configuration.isWhole && configuration.id == Preset.id)
        #expect(
            configuration.text == Preset.text.replacingOccurrences(of: Preset.spelledID, with: Preset.id.lowercased)
        )
        #expect(configuration.modifiedAt == Date(timeIntervalSince1970: 1_795_284_000.25))
        let id = UUID()
        #expect(try CameraConfiguration(document: exported, id: id)["/id"] == .string(id.lowercased))
        #expect(try CameraConfiguration(document: [:]).id != CameraConfiguration(document: [:]).id)
    }

    @Test(
        "JSON that can be no configuration is refused",
        arguments: [
            (["name"], "", .notAnObject), ("night", "", .notAnObject), (["id": "x"], "/id", .notAUUID),
            (["id": .null], "/id", .notAUUID), (["a": Preset.nested(63)], "", .tooDeep(maxLevels: 63)),
        ] as [(JSONValue, String, InvalidEdit.Reason)]
    )
    func refused(document: JSONValue, pointer: String, reason: InvalidEdit.Reason) throws {
        #expect(throws: InvalidEdit(pointer: pointer, reason: reason)) { try CameraConfiguration(document: document) }
        #expect(try CameraConfiguration(document: ["a": Preset.nested(62)]).invalid == nil)
    }

    @Test("Configurations are equal if their documents mean the same")
    func equality() {
        let text = Preset.text.replacingOccurrences(of: "4e2", with: "400.0")
        #expect(Preset.stored(text) == Preset.stored())
        #expect(Preset.stored(text).hashValue == Preset.stored().hashValue)
        var other = Preset.stored()
        other.name = "Cafe"
        #expect(other != Preset.stored())
    }
}
