import Foundation

/// A camera configuration in the JSON text of a client.
package struct Preset: Sendable {
    /// The id, in the client's spelling.
    package var id: String
    /// The `name` member.
    package var name: String
    /// The `preset` member.
    package var kind: String
    /// The time of the edit, in minutes after 2025-06-01T00:00:00Z.
    package var minute: Int
    /// The `modified_at` member, if minutes are not precise enough.
    package var modifiedAt: String?
    /// The text of more members, beginning with a comma.
    package var more: String

    /// A preset with a new id by default.
    package init(
        _ name: String = "Sunset",
        id: String = UUID().uuidString,
        kind: String = "landscape",
        minute: Int = 0,
        modifiedAt: String? = nil,
        more: String = ""
    ) {
        self.id = id
        self.name = name
        self.kind = kind
        self.minute = minute
        self.modifiedAt = modifiedAt
        self.more = more
    }

    /// The same preset, edited.
    package func edited(_ name: String, minute: Int) -> Preset {
        var edited = self
        edited.name = name
        edited.minute = minute
        return edited
    }

    /// The document's JSON text.
    package var json: String {
        let time = modifiedAt ?? "2025-06-\(two(1 + minute / 1440))T\(two(minute / 60 % 24)):\(two(minute % 60)):00Z"
        return #"{ "id":"\#(id)", "name":"\#(name)","preset":"\#(kind)","video_format":"H.265","resolution":"4K UHD","#
            + #""frame_rate":60,"created_at":"2025-06-01T00:00:00Z","modified_at":"\#(time)"\#(more)}"#
    }

    private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
