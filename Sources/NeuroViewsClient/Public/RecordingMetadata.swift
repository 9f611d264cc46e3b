import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an app knows of a file that it uploads. Only the time is required; a member that is nil is not sent.
///
/// Values that JSON or the library can't keep, such as NaN, are refused: the member stays as it was, ``invalid`` has the first
/// of them, and the upload throws it. The server judges the rest.
public struct RecordingMetadata: Sendable {
    /// The first assignment that was refused, if there was one: no file can be uploaded with these metadata.
    public private(set) var invalid: InvalidEdit?

    /// All members, known or not.
    private(set) var content: JSONObject
    /// The file's media type, such as `video/mp4`. Nil: by the ending of the file's name, and `application/octet-stream` for an
    /// unknown one, which is stored and verified, but not measured.
    public var contentType: String?
    /// The configuration that the file was recorded with.
    public var configurationID: UUID?
    /// The version of that configuration.
    public var configurationTag: VersionTag?

    /// The metadata of a file that was recorded at this time.
    public init(creationDate: Date = Date()) {
        content = JSONObject()
        self.creationDate = creationDate
    }

    init(_ content: JSONObject) { self.content = content }
}

extension RecordingMetadata {
    /// The time of the recording, in whole seconds.
    public var creationDate: Date {
        get { content["creation_date"]?.date ?? Date(timeIntervalSince1970: 0) }
        set {
            guard let time = Instant(within: newValue) else { return refuse("creation_date", .notATime) }
            content.set("creation_date", to: .string(time.documentText))
        }
    }

    /// The name for a local file of other devices. Unless set, that of the uploaded file.
    public var filename: String? {
        get { content["filename"]?.string }
        set { self[string: "filename"] = newValue }
    }

    /// The model of the camera. Unless set, the server has that of the device.
    public var deviceModel: String? {
        get { content["device_model"]?.string }
        set { self[string: "device_model"] = newValue }
    }

    /// The version of the app. Unless set, the server has that of the device.
    public var appVersion: String? {
        get { content["app_version"]?.string }
        set { self[string: "app_version"] = newValue }
    }

    /// A word such as `back`, `front` or `external`.
    public var cameraPosition: String? {
        get { content["camera_position"]?.string }
        set { self[string: "camera_position"] = newValue }
    }

    /// The codec.
    public var videoFormat: VideoFormat? {
        get { content["video_format"]?.string.map { VideoFormat(rawValue: $0) } }
        set { self[string: "video_format"] = newValue?.rawValue }
    }

    /// The size of the picture.
    public var resolution: VideoResolution? {
        get { content["resolution"]?.string.map { VideoResolution(rawValue: $0) } }
        set { self[string: "resolution"] = newValue?.rawValue }
    }

    /// Frames a second.
    public var frameRate: Double? {
        get { content["frame_rate"]?.number?.double }
        set { self[number: "frame_rate"] = newValue }
    }

    /// The length in seconds.
    public var duration: Double? {
        get { content["duration"]?.number?.double }
        set { self[number: "duration"] = newValue }
    }

    /// The place of the recording.
    public var location: Location? {
        get { content["location"].flatMap { Location($0) } }
        set {
            let numbers = newValue.map { [$0.latitude, $0.longitude, $0.altitude ?? 0] } ?? []
            guard numbers.allSatisfy(\.isFinite) else { return refuse("location", .notFinite) }
            put(newValue?.json, "location")
        }
    }

    /// What the camera used. These are facts, so they have no bounds.
    public var exposure: ExposureSettings? {
        get { content["exposure_settings"]?.object.map { ExposureSettings($0) } }
        set {
            if let refused = newValue?.invalid { return invalid = invalid ?? refused }
            put((newValue?.content).map { .object($0) }, "exposure_settings")
        }
    }

    /// The names of tags. Colours and other members of tags are at `["tags"]`.
    public var tags: [String] {
        get { (content["tags"]?.array ?? []).compactMap { $0.string ?? $0["name"]?.string } }
        set { put(newValue.isEmpty ? nil : .array(newValue.map { .string($0) }), "tags") }
    }

    /// Values of the app's own.
    public var customTags: [String: String] {
        get {
            let members = content["custom_tags"]?.object?.members ?? []
            return Dictionary(members.compactMap { member in member.value.string.map { (member.name, $0) } }) { $1 }
        }
        set {
            let sorted = newValue.sorted { $0.key < $1.key }
            let members = sorted.map { JSONObject.Member(name: $0.key, value: .string($0.value)) }
            put(members.isEmpty ? nil : .object(JSONObject(members)), "custom_tags")
        }
    }

    /// Any member by its name; assigning nil removes it. The server keeps members that it does not know.
    public subscript(name: String) -> JSONValue? {
        get { content[name].map { JSONValue($0) } }
        set {
            guard newValue?.isNested(deeperThan: JSON.documentLevelsMax - 1) != true else {
                return refuse(name, .tooDeep(maxLevels: JSON.documentLevelsMax))
            }
            put(newValue.map { JSON($0) }, name)
        }
    }

    private subscript(string name: String) -> String? {
        get { content[name]?.string }
        set { put(newValue.map { .string($0) }, name) }
    }

    private subscript(number name: String) -> Double? {
        get { content[name]?.number?.double }
        set {
            guard let newValue else { return put(nil, name) }
            guard let number = JSONNumber(nearest: newValue) else { return refuse(name, .notFinite) }
            put(.number(number), name)
        }
    }

    private mutating func refuse(_ name: String, _ reason: InvalidEdit.Reason) {
        let pointer = JSONPointer().appending(member: name).description
        invalid = invalid ?? InvalidEdit(pointer: pointer, reason: reason)
    }

    private mutating func put(_ value: JSON?, _ name: String) {
        guard let value else { return content = JSONObject(content.members.filter { !$0.name.hasSameBytes(as: name) }) }
        content.set(name, to: value)
    }
}

extension RecordingMetadata: Hashable {
    /// True if all members mean the same.
    public static func == (left: RecordingMetadata, right: RecordingMetadata) -> Bool { left.stored == right.stored }

    /// Equal metadata have equal hashes.
    public func hash(into hasher: inout Hasher) { hasher.combine(stored) }
}
