import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A recording on the server: the metadata as they were sent, and what the server knows.
public struct Recording: Identifiable, Hashable, Sendable {
    /// The recording's place on its way. There may be more than those that are named here.
    public struct Status: RawRepresentable, Hashable, Sendable {
        /// The text in the document.
        public let rawValue: String

        /// Takes the text in the document, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Bytes or metadata are missing.
        public static let uploading = Status(rawValue: "uploading")
        /// To be verified.
        public static let pending = Status(rawValue: "pending")
        /// To be verified; only in filters.
        public static let processing = Status(rawValue: "processing")
        /// Verified.
        public static let ready = Status(rawValue: "ready")
        /// ``Recording/failure`` has the reason.
        public static let failed = Status(rawValue: "failed")
    }

    /// All members.
    private let content: JSONObject
    /// The recording's id.
    public let id: UUID
    /// The recording's place on its way.
    public let status: Status
    /// The time of the recording.
    public let createdAt: Date
    /// The name for a local file.
    public let filename: String
    /// True if hidden metadata are among the members.
    private var isRevealed = false

    /// Reads a recording; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let content = json.object, let id = content["id"]?.string.flatMap({ UUID(uuidString: $0) }),
            let status = content["processing_status"]?.string, let createdAt = content["created_at"]?.date,
            let filename = content["filename"]?.string
        else { return nil }
        (self.content, self.id, self.createdAt, self.filename) = (content, id, createdAt, filename)
        self.status = Status(rawValue: status)
    }
}

/// Recordings that the server can't read.
extension Recording {
    /// How a recording is sealed.
    public struct Seal: Hashable, Sendable {
        /// The ``RecordingKey/id`` of the key that it was sealed with; nil if a newer app sealed it in another way.
        public let keyID: String?
        /// True if this device has the key, and shows the metadata that were hidden from the server.
        public let isOpen: Bool
    }

    /// Nil for a recording that the server can read.
    public var seal: Seal? {
        guard let envelope = content["encryption"], envelope != .null else { return nil }
        return Seal(keyID: try? RecordingEnvelope(envelope).keyID, isOpen: isRevealed)
    }

    /// The recording's own key; nil for a recording that the server can read.
    func fileKey(by keys: [RecordingKey]) throws(SealingError) -> [UInt8]? {
        guard let envelope = content["encryption"], envelope != .null else { return nil }
        return try RecordingEnvelope(envelope).fileKey(of: id, by: keys)
    }

    /// The recording with the metadata that were hidden from the server; the same one without the key.
    func revealed(by keys: [RecordingKey]) -> Recording {
        guard let fileKey = try? self.fileKey(by: keys), let sealed = content["sealed_metadata"]?.string,
            let shown = HiddenMetadata.reveal(sealed, in: content, fileKey), var revealed = Recording(.object(shown))
        else { return self }
        revealed.isRevealed = true
        return revealed
    }
}

extension Recording {
    /// The reason why the recording failed, such as `wrong digest`.
    public var failure: String? { content["failure"]?.string }
    /// The file's media type.
    public var contentType: String? { content["content_type"]?.string }
    /// The SHA-256 of the file: what was read back, before that what the sending device said.
    public var sha256: [UInt8]? { content["sha256"]?.digest }
    /// The server's word that it has read the file back; nil until then.
    public var receipt: Receipt? { content["receipt"].flatMap { Receipt($0) } }
    /// The time when the last byte arrived.
    public var uploadedAt: Date? { content["uploaded_at"]?.date }
    /// The device that made the recording.
    public var deviceID: String? { content["device_id"]?.string }
    /// The configuration that the recording was made with.
    public var configurationID: UUID? { content["configuration_id"]?.string.flatMap { UUID(uuidString: $0) } }
    /// The version of that configuration.
    public var configurationTag: VersionTag? { content["configuration_version"]?.string.flatMap { VersionTag($0) } }
    /// The length in seconds, as the app said.
    public var duration: Double? { content["duration"]?.number?.double }
    /// The codec, as the app said.
    public var videoFormat: VideoFormat? { content["video_format"]?.string.map { VideoFormat(rawValue: $0) } }
    /// The size of the picture, as the app said.
    public var resolution: VideoResolution? { content["resolution"]?.string.map { VideoResolution(rawValue: $0) } }
    /// A link to the thumbnail, good for a day and without a token; nil where there will be none.
    public var thumbnailURL: URL? { content["thumbnail_url"]?.string.flatMap { URL(string: $0) } }
    /// The name of this version of the recording; nil before its upload is complete.
    public var tag: VersionTag? { content["version"]?.string.flatMap { VersionTag($0) } }

    /// The document as the server sent it, with the metadata that were hidden from it if ``seal`` is open.
    public var json: JSONValue { JSONValue(.object(content)) }

    /// Any member by its name, such as `location` or `probe`.
    public subscript(name: String) -> JSONValue? { content[name].map { JSONValue($0) } }
}
