/// The media types of recordings' files. The schema of upload requests lists the same ones.
package enum RecordingType {
    /// The ending of a file's name, by media type.
    package static let endings = [
        "video/quicktime": "mov", "video/mp4": "mp4", "video/x-m4v": "m4v",
        "image/jpeg": "jpg", "image/heic": "heic", "image/heif": "heif", "image/png": "png", "image/x-adobe-dng": "dng",
        "audio/mp4": "m4a", "audio/x-m4a": "m4a", "audio/wav": "wav", "audio/aac": "aac", "audio/flac": "flac",
        "audio/mpeg": "mp3", "application/octet-stream": "bin",
    ]

    /// A media type in lower case, without its parameters (RFC 9110, 8.3.1).
    package static func essence(of contentType: String) -> String {
        contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " && $0 != "\t" }
    }

    /// The name of a file whose client gave none. It is valid in every file system.
    static func filename(of contentType: String, _ recordedAt: Timestamp) -> String {
        let time = String(recordedAt.text.map { $0 == ":" ? "-" : $0 })
        return endings[contentType].map { "\(time).\($0)" } ?? time
    }
}
