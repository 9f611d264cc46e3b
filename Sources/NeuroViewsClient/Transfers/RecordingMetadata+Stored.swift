import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension RecordingMetadata {
    /// The media types that the server measures, by the endings of files' names.
    private static let types = [
        "mov": "video/quicktime", "qt": "video/quicktime", "mp4": "video/mp4", "m4v": "video/x-m4v",
        "jpg": "image/jpeg", "jpeg": "image/jpeg", "heic": "image/heic", "heif": "image/heif", "png": "image/png",
        "dng": "image/x-adobe-dng", "m4a": "audio/mp4", "wav": "audio/wav", "aac": "audio/aac", "flac": "audio/flac",
        "mp3": "audio/mpeg",
    ]

    /// The members of `upload-url` that come from the app.
    var wish: JSONObject {
        var wish = JSONObject()
        if let configurationID { wish.set("configuration_id", to: .string(configurationID.lower)) }
        if let configurationTag { wish.set("configuration_version", to: .string(configurationTag.text)) }
        return wish
    }

    /// For the store.
    var stored: JSON {
        var members = wish
        members.set("metadata", to: .object(content))
        if let contentType { members.set("content_type", to: .string(contentType)) }
        return .object(members)
    }

    /// Reads what `stored` has made; nil for anything else.
    init?(stored: JSON) {
        guard let content = stored["metadata"]?.object else { return nil }
        self.init(content)
        contentType = stored["content_type"]?.string
        configurationID = stored["configuration_id"]?.string.flatMap { UUID(uuidString: $0) }
        configurationTag = stored["configuration_version"]?.string.flatMap { VersionTag($0) }
    }

    /// The media type of a file.
    func type(of file: URL) -> String {
        contentType ?? Self.types[file.pathExtension.lowercased()] ?? Self.neutralType
    }

    /// The type of a file of which nobody says more.
    static let neutralType = "application/octet-stream"
}
