import FoundationEssentials
import NeuroViewsJSON
import NeuroViewsRules

@testable import NeuroViewsClient

/// A stored preset with spelled numbers and unknown members, and short ways to compare it.
enum Preset {
    static let spelledID = "6F9619FF-8B86-4D11-B42D-00C04FC964FF"
    static let id = UUID(uuidString: spelledID) ?? UUID()
    static let text = """
        {"id":"\(spelledID)","name":"Café","preset":"night","video_format":"H.265",\
        "resolution":"4K UHD","frame_rate":30.0,"exposure_settings":{"mode":"manual","shutter_speed":0.020,"iso":4e2,\
        "exposure_compensation":-0.30,"bracket":[1,0.10]},"lens":{"zoom":1.50},"created_at":"2026-11-20T18:00:00Z",\
        "modified_at":"2026-11-21T18:00:00.25Z"}
        """

    static func json(_ text: String) -> JSON { (try? JSONParser.parse(Array(text.utf8), policy: .rfc8259)) ?? .null }

    static func document(_ text: String = Preset.text) -> Document { Document(json(text)) ?? Document(JSONObject()) }

    static func stored(_ text: String = Preset.text) -> CameraConfiguration {
        CameraConfiguration(document(text), id: id)
    }

    static func at(_ second: Int64) -> Instant { Instant(seconds: 1_800_000_000 + second) }

    static func item(_ text: String = Preset.text) -> Item {
        var item = Item(id: id.lowercased)
        item.copy = Copy(tag: "1-a", document: document(text))
        return item
    }

    /// An array in an array and so on.
    static func nested(_ levels: Int) -> NeuroViewsClient.JSONValue {
        (0..<levels).reduce(.null) { value, _ in .array([value]) }
    }
}

extension CameraConfiguration {
    /// The noted pointers.
    var pointers: [String] { noted.all.map(\.description) }

    /// The document, byte for byte.
    var text: String { String(decoding: content.text, as: UTF8.self) }
}

extension UUID {
    /// The text in lower case.
    var lowercased: String { uuidString.lowercased() }
}
