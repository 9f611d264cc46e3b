import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CameraConfiguration {
    /// The name that the user sees: 1 to 100 characters.
    public var name: String {
        get { self[member: "name"]?.string ?? "" }
        set { self[member: "name"] = .string(newValue) }
    }

    /// The scene.
    public var preset: CameraPreset {
        get { CameraPreset(rawValue: self[member: "preset"]?.string ?? "") }
        set { self[member: "preset"] = .string(newValue.rawValue) }
    }

    /// The codec of videos.
    public var videoFormat: VideoFormat {
        get { VideoFormat(rawValue: self[member: "video_format"]?.string ?? "") }
        set { self[member: "video_format"] = .string(newValue.rawValue) }
    }

    /// The size of a video's picture.
    public var resolution: VideoResolution {
        get { VideoResolution(rawValue: self[member: "resolution"]?.string ?? "") }
        set { self[member: "resolution"] = .string(newValue.rawValue) }
    }

    /// Pictures in a second: 1 to 240. It is 0 if the document has none that `Int` holds.
    public var frameRate: Int {
        get { self[member: "frame_rate"]?.number?.int64.flatMap { Int(exactly: $0) } ?? 0 }
        set { self[member: "frame_rate"] = .number(JSONNumber(Int64(newValue))) }
    }

    /// The exposure: all members of ``ExposureSettings`` are nil if the document has none.
    ///
    /// `exposure.iso = 400` notes the ISO alone. An assignment of other settings notes them as one value. To remove all,
    /// assign nil to `self["/exposure_settings"]`.
    public var exposure: ExposureSettings {
        get { ExposureSettings(self[member: "exposure_settings"]?.object ?? JSONObject()) }
        set { put(newValue) }
    }

    /// The time at which the item was made; nil before it is saved.
    public var createdAt: Date? { self[member: "created_at"]?.date }

    /// The time of the last edit; nil before it is saved.
    public var modifiedAt: Date? { self[member: "modified_at"]?.date }

    private subscript(member name: String) -> JSON? {
        get { content.object[name] }
        set { put(newValue, at: JSONPointer().appending(member: name)) }
    }

    private mutating func put(_ settings: ExposureSettings) {
        if let refused = settings.invalid {
            invalid = invalid ?? refused
        } else if settings.isEdit(of: exposure) {
            for (pointer, value) in settings.changes { put(value, at: pointer) }
        } else {
            put(.object(settings.content), at: ExposureSettings.pointer)
        }
    }
}
