/// An untrusted file with the type that its sender claimed.
package struct MediaFile: Sendable {
    /// The file's path.
    package let path: String
    /// The format for reading it; nil if it must not be read.
    package let format: MediaFormat?

    /// Names a file and its media type, such as "video/quicktime".
    package init(path: String, contentType: String) {
        self.path = path
        format = MediaFormat(contentType: contentType)
    }
}

/// The format for reading a file. It depends only on the claimed type, never on the content. A playlist with a video's
/// type is read as a video, and fails.
package enum MediaFormat: String, Sendable {
    /// QuickTime and MP4.
    case movie
    /// HEIC and HEIF. They have boxes like movies.
    case heif
    /// JPEG.
    case jpeg

    private static let byType: [String: MediaFormat] = [
        "video/quicktime": .movie, "video/mp4": .movie, "video/x-m4v": .movie,
        "image/heic": .heif, "image/heif": .heif, "image/jpeg": .jpeg,
    ]

    /// The format of a media type without its parameters; nil for an unsupported type.
    package init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard let format = Self.byType[type] else { return nil }
        self = format
    }

    /// True for a format with a duration.
    package var isMoving: Bool { self == .movie }

    /// ffmpeg's demuxer.
    var demuxer: String { self == .jpeg ? "jpeg_pipe" : "mov" }
}
