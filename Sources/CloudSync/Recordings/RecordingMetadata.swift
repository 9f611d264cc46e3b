import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON

/// A client's metadata of a recording: valid by the schema, unknown members included.
package struct RecordingMetadata: Sendable {
    /// Limit of metadata in a body and after a patch. Small enough to be processed at once, within a transaction.
    package static let maxBytes = 64 << 10

    /// The client's members, without those of the server.
    let members: JSONObject
    /// `created_at` or `creation_date`: the time of the recording.
    let recordedAt: Timestamp

    /// Bytes of their text.
    var byteCount: Int { JSONValue.object(members).serialized().count }

    /// Members that only the server writes. Ignored in metadata, so that a client may send back the document it got.
    static let serverMembers: Set<String> = [
        "id", "processing_status", "failure", "device_id", "configuration_id", "configuration_version", "content_type",
        "thumbnail_url", "sha256", "uploaded_at", "probe", "receipt", "version", "encryption", "upload_offset",
        "expires_at", "urls", "urls_expire_at",
    ]

    /// Takes metadata that the schema accepts. `place` is their JSON Pointer in the request. Throws `.invalid` without
    /// a time, and for two times that differ.
    package init(_ value: JSONValue, at place: String = "") throws(CloudSyncError) {
        func broken(_ member: String, _ keyword: String, _ detail: String) -> CloudSyncError {
            .invalid([Violation(pointer: place + member, keyword: keyword, detail: detail)])
        }
        guard let object = value.object else { throw broken("", "type", "must be an object") }
        let (createdAt, creationDate) = (object.time("created_at"), object.time("creation_date"))
        guard let recordedAt = createdAt ?? creationDate else {
            throw broken("/creation_date", "required", "is required, unless there is created_at")
        }
        // Either may have lost its fraction on the way through a client.
        if let creationDate, creationDate.text != recordedAt.text {
            throw broken("/creation_date", "const", "must be the time in created_at, or be left out")
        }
        members = JSONObject(object.members.filter { !Self.serverMembers.contains($0.name) })
        self.recordedAt = recordedAt
    }

    /// `video_format`, for lists.
    var videoFormat: String? { members["video_format"]?.string }

    /// `resolution`, for usage.
    var resolution: String? { members["resolution"]?.string }

    /// `duration` in milliseconds, for usage; the schema bounds it.
    var durationMs: Int? {
        members["duration"]?.number.flatMap { Int(exactly: ($0.double * 1000).rounded()) }
    }

    /// The names in `tags`, for lists: each is a string, or has a `name`.
    var tags: [String] {
        guard case .array(let tags)? = members["tags"] else { return [] }
        return tags.compactMap { $0.string ?? $0["name"]?.string }
    }
}

/// A recording as clients read it, without its thumbnail's URL and its version: the metadata, and the server's members.
struct RecordingDocument: Sendable {
    let content: ItemContent

    /// `sender` is the device that sends the metadata, if it is known.
    init?(_ metadata: RecordingMetadata, _ file: RecordingFile, from sender: DeviceDescription? = nil) {
        let own = metadata.filled(from: sender, contentType: file.contentType)
        let object = Self.object(own.members, file)
        let text = JSONValue.object(object).serialized()
        guard let content = ItemContent(text[...], object) else { return nil }
        self.content = content
    }

    /// The document of an uncompleted upload in lists. It has no metadata yet, so the time of its request stands for
    /// the recording's.
    static func text(ofUpload file: RecordingFile) -> [UInt8] {
        let own: [JSONObject.Member] = [
            .init(name: "file_size", value: .number(JSONNumber(Int64(file.size)))),
            .init(name: "upload_offset", value: .number(JSONNumber(Int64(file.uploadOffset)))),
            .init(name: "expires_at", value: .string(file.expiresAt.text)),
        ]
        let filled = RecordingMetadata(recordedAt: file.askedAt).filled(from: nil, contentType: file.contentType)
        return JSONValue.object(object(own + filled.members, file)).serialized()
    }

    private static func object(_ own: [JSONObject.Member], _ file: RecordingFile) -> JSONObject {
        var object = JSONObject([.init(name: "id", value: .string(file.spelledID))] + own)
        func set(_ name: String, _ text: String?) { object.set(name, to: text.map { .string($0) } ?? .null) }
        set("processing_status", file.state.shown.rawValue)
        set("failure", file.failure)
        set("device_id", file.deviceID)
        set("configuration_id", file.configurationID)
        set("configuration_version", file.hasConfigurationVersion ? file.configurationVersion : nil)
        set("content_type", file.contentType)
        set("sha256", (file.verifiedSHA256 ?? file.sha256).map { Base64.padded.encode($0) })
        set("uploaded_at", file.uploadedAt?.text)
        object.set("probe", to: file.probe ?? .null)
        object.set("receipt", to: file.receipt ?? .null)
        if let encryption = file.encryption { object.set("encryption", to: encryption) }
        return object
    }
}

extension RecordingFile {
    /// The server's word that it has read the file back whole. A failed file has none: clients would delete their copies.
    fileprivate var receipt: JSONValue? {
        guard state != .failed, let digest = verifiedSHA256, let verifiedAt else { return nil }
        return .object(
            JSONObject([
                .init(name: "size", value: .number(JSONNumber(Int64(size)))),
                .init(name: "sha256", value: .string(Base64.padded.encode(digest))),
                .init(name: "verified_at", value: .string(verifiedAt.text)),
            ])
        )
    }
}
