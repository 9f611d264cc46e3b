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
    /// Sound in an MP4.
    case m4a
    /// Sound by the names of its formats.
    case wav, aac, flac, mp3

    private static let byType: [String: MediaFormat] = [
        "video/quicktime": .movie, "video/mp4": .movie, "video/x-m4v": .movie,
        "image/heic": .heif, "image/heif": .heif, "image/jpeg": .jpeg,
        "audio/mp4": .m4a, "audio/x-m4a": .m4a, "audio/wav": .wav, "audio/aac": .aac, "audio/flac": .flac,
        "audio/mpeg": .mp3,
    ]

    /// The media types of files with a picture, of which thumbnails are made.
    package static let picturedTypes = byType.filter { $0.value.hasPicture }.keys.sorted()

    /// The format of a media type without its parameters; nil for an unsupported type.
    package init?(contentType: String) {
        let type = contentType.prefix { $0 != ";" && $0 != " " }.lowercased()
        guard let format = Self.byType[type] else { return nil }
        self = format
    }

    /// True for videos.
    package var isMoving: Bool { self == .movie }

    /// True for videos and photos. The cover in a file of sound is no picture of the recording.
    package var hasPicture: Bool {
        switch self {
        case .movie, .heif, .jpeg: true
        case .m4a, .wav, .aac, .flac, .mp3: false
        }
    }

    /// True for pictures that do not move.
    package var isPhoto: Bool { hasPicture && !isMoving }

    /// True for a format with a duration.
    var hasDuration: Bool { isMoving || !hasPicture }

    /// True for sound whose beginning has all that is measured. Sound in boxes may have its tables at the end.
    package var isMeasuredByBeginning: Bool {
        switch self {
        case .movie, .heif, .jpeg, .m4a: false
        case .wav, .aac, .flac, .mp3: true
        }
    }

    /// ffmpeg's demuxer. Photos of `heif` are read by libheif's programs.
    var demuxer: String {
        switch self {
        case .movie, .heif, .m4a: "mov"
        case .jpeg: "jpeg_pipe"
        case .wav, .aac, .flac, .mp3: rawValue
        }
    }
}
