import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension CameraConfiguration {
    /// Makes a whole document: a new item, or one that takes the place of all members of the item with that id.
    ///
    /// The library adds `created_at` and `modified_at` when it is saved. Go on with the configuration that
    /// ``NeuroViews/save(_:)`` returns: this one would take the place of all members again.
    public init(
        id: UUID = UUID(),
        name: String,
        preset: CameraPreset = .auto,
        videoFormat: VideoFormat = .h265,
        resolution: VideoResolution = .fullHD1080p,
        frameRate: Int = 30,
        exposure: ExposureSettings? = nil
    ) {
        self.init(whole: Document(JSONObject()), id: id)
        self.name = name
        self.preset = preset
        self.videoFormat = videoFormat
        self.resolution = resolution
        self.frameRate = frameRate
        if let exposure { self.exposure = exposure }
    }

    /// Makes a whole document of JSON, such as a preset that was exported.
    ///
    /// Without an id in the argument and in the document it is a new item. Throws ``InvalidEdit`` if the value is no
    /// object, has more than 63 levels, or an `id` that is no UUID.
    public init(document: JSONValue, id: UUID? = nil) throws(InvalidEdit) {
        if document.isNested(deeperThan: JSON.documentLevelsMax) {
            throw InvalidEdit(pointer: "", reason: .tooDeep(maxLevels: JSON.documentLevelsMax))
        }
        guard let object = document.object else { throw InvalidEdit(pointer: "", reason: .notAnObject) }
        var own = id
        if own == nil, let written = object.exact["id"] {
            own = written.string.flatMap { UUID(uuidString: $0) }
            guard own != nil else { throw InvalidEdit(pointer: "/id", reason: .notAUUID) }
        }
        self.init(whole: Document(object.exact), id: own ?? UUID())
    }

    /// The whole document as JSON, for an export.
    public var document: JSONValue { JSONValue(.object(content.object)) }
}
