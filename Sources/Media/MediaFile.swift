/// A file that a stranger made, with the type that its sender claimed.
public struct MediaFile: Sendable {
    /// Where it lies.
    public let path: String
    /// How it may be read; nil: not at all.
    public let format: MediaFormat?

    /// Names a file and its media type, such as "video/quicktime".
    public init(path: String, contentType: String) {
        self.path = path
        format = MediaFormat(contentType: contentType)
    }
}

/// What a file may be read as. The claimed type chooses it, never the content: a playlist that is called a video is read
/// as a video, and can't be.
public enum MediaFormat: String, Sendable {
    /// QuickTime and MP4.
    case movie
    /// HEIC and HEIF, which are boxes like those of movies.
    case heif
    /// JPEG.
    case jpeg

    private static let byType: [String: MediaFormat] = [
        "video/quicktime": .movie, "video/mp4": .movie, "video/x-m4v": .movie,
        "image/heic": .heif, "image/heif": .heif, "image/jpeg": .jpeg,
    ]

    /// The format of a media type, whose parameters don't matter; nil for what is not read.
    public init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard let format = Self.byType[type] else { return nil }
        self = format
    }

    /// Whether there is time in it.
    public var isMoving: Bool { self == .movie }

    /// ffmpeg's demuxer.
    var demuxer: String { self == .jpeg ? "jpeg_pipe" : "mov" }
}
