import CloudSync
import Crypto
import HTTP
import JSON
import JSONSchema

/// `/recordings`: the metadata that clients send. The list is in `RecordingRoutes+List.swift`.
struct RecordingRoutes: Sendable {
    let recordings: RecordingService
    let store: StoreIdentity
    let directUploads: DirectUploads?
    let desk: UploadDesk
    let schemas: Schemas
    let publicURL: String

    var routes: [RouteEntry] {
        let metadata = EndpointPolicy.Body.collected(.bytes(RecordingMetadata.maxBytes))
        let usual = EndpointPolicy(.session, body: metadata)
        let patches = EndpointPolicy(.session, body: metadata, media: .mergePatch)
        return [
            (.get, "/v2/recordings", Endpoint(.session, list)),
            (.get, "/v2/recordings/{id}", Endpoint(.session, get)),
            (.patch, "/v2/recordings/{id}", Endpoint(patches, patch)),
            (.delete, "/v2/recordings/{id}", Endpoint(.session, delete)),
            (.post, "/v2/recordings/{id}/upload-url", Endpoint(usual, uploadURL)),
            (.post, "/v2/recordings/{id}/complete", Endpoint(usual, complete)),
        ]
    }

    private func get(_ context: RequestContext) async throws -> Response {
        let id = try context.id()
        let stored = try await recordings.get(id, for: context.caller())
        let fields = FieldBlock(stored.version.map { [("ETag", EntityTag.of($0))] } ?? [])
        return .json(.ok, fields: fields, text(stored.document, stored.id, stored.version))
    }

    /// The document with the members that depend on the server's address and on the version.
    func text(_ document: [UInt8], _ id: String, _ version: VersionTag?) -> [UInt8] {
        var text = Array(document.dropLast())
        append(thumbnailURLBy: { $0.append(contentsOf: id.utf8) }, to: &text)
        if let version {
            text.append(contentsOf: #","version":""#.utf8)
            text.append(contentsOf: version.text.utf8)
            text.append(UInt8(ascii: "\""))
        }
        text.append(UInt8(ascii: "}"))
        return text
    }

    /// The same for a recording in libpq's memory. Its document was already appended without its last byte.
    func append(endOf recording: DeltaItem, to text: inout [UInt8]) {
        append(thumbnailURLBy: recording.appendID, to: &text)
        text.append(contentsOf: #","version":""#.utf8)
        recording.appendTag(to: &text)
        text.append(contentsOf: #""}"#.utf8)
    }

    private func append(thumbnailURLBy appendID: (inout [UInt8]) -> Void, to text: inout [UInt8]) {
        text.append(contentsOf: #","thumbnail_url":""#.utf8)
        text.append(contentsOf: publicURL.utf8)
        text.append(contentsOf: "/recordings/".utf8)
        appendID(&text)
        text.append(contentsOf: #"/thumbnail""#.utf8)
    }

    /// A conflict with the recording in the form that clients read.
    private func shown(_ conflict: WriteConflict) -> WriteConflict {
        var conflict = conflict
        conflict.subject = .recording
        guard let document = conflict.current, let id = JSONText.range(ofMember: "id", in: document[...]) else {
            return conflict
        }
        let spelledID = String(decoding: document[id].dropFirst().dropLast(), as: UTF8.self)
        conflict.current = text(document, spelledID, conflict.version)
        return conflict
    }

    private func thumbnailURL(_ id: String) -> String { "\(publicURL)/recordings/\(id)/thumbnail" }

    private func uploadURL(_ context: RequestContext) async throws -> Response {
        let (id, body) = (try context.id(), try await context.json(schemas["upload-request.json"]))
        try await store.confirm()
        let grant: UploadGrant
        do {
            grant = try await recordings.upload(id, try UploadWish(body), for: context.caller())
        } catch CloudSyncError.conflict(let conflict) {
            throw CloudSyncError.conflict(shown(conflict))
        }
        guard let directUploads else { return ownUpload(grant) }
        let firstPart = if case .number(let number)? = body["first_part"] { number.int64 ?? 1 } else { Int64(1) }
        return directUpload(grant, try await directUploads.offer(grant, firstPart: Int(firstPart)))
    }

    /// The response with the URL of an upload to this server.
    private func ownUpload(_ grant: UploadGrant) -> Response {
        .json(.ok) { writer in
            let url = "\(publicURL)/uploads/\(grant.token)"
            writer.member("upload_url", string: url)
            // For clients that resume without a 104.
            writer.member("location", string: url)
            writer.member("expires_at", string: grant.expiresAt.text)
            writer.member("upload_offset", integer: Int64(grant.offset))
        }
    }

    /// The response with the URLs of an upload straight to S3.
    private func directUpload(_ grant: UploadGrant, _ upload: DirectUpload) -> Response {
        .json(.ok, reservingBytes: 1024 * (upload.parts.count + 1)) { writer in
            writer.member("upload_url", string: upload.url)
            writer.member("headers")
            writer.beginObject()
            for (name, value) in upload.fields { writer.member(name, string: value) }
            writer.endObject()
            writer.member("expires_at", string: grant.expiresAt.text)
            writer.member("upload_offset", integer: Int64(upload.offset))
            writer.member("multipart")
            writer.beginObject()
            writer.member("part_size", integer: Int64(upload.partBytes))
            writer.member("part_count", integer: Int64(upload.partCount))
            write(upload.parts, to: &writer)
            writer.endObject()
        }
    }

    private func write(_ parts: [DirectUpload.Part], to writer: inout JSONWriter) {
        writer.member("parts")
        writer.beginArray()
        for part in parts {
            writer.beginObject()
            writer.member("number", integer: Int64(part.number))
            writer.member("size", integer: Int64(part.bytes))
            writer.member("url", string: part.url)
            writer.endObject()
        }
        writer.endArray()
    }

    private func complete(_ context: RequestContext) async throws -> Response {
        let (id, body) = (try context.id(), try await context.json(schemas.recordingBody))
        guard let metadata = body["metadata"].flatMap({ RecordingMetadata($0) }) else { throw Problem(.invalidJSON) }
        try await store.confirm()
        try await directUploads?.settle(id, for: context.caller())
        let written = try await recordings.complete(id, metadata, for: context.caller())
        return try written.mapConflict(shown).response { completed in
            .json(.ok, fields: [("ETag", EntityTag.of(completed.version))]) { writer in
                writer.member("processing_status", string: completed.status)
                writer.member("thumbnail_url", string: thumbnailURL(completed.id))
            }
        }
    }

    private func patch(_ context: RequestContext) async throws -> Response {
        let (id, patch) = (try context.id(), try await context.mergePatch())
        let schema = try schemas["recording-metadata.json"]
        let patched = try await recordings.patch(
            id,
            patch,
            try context.writeConditions(),
            by: { value throws(CloudSyncError) in
                let violations = schema.violations(of: value)
                guard violations.isEmpty, let metadata = RecordingMetadata(value) else { throw .invalid(violations) }
                return metadata
            },
            for: context.caller()
        )
        return try patched.mapConflict(shown).response { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("updated_at", string: receipt.changedAt)
            }
        }
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        let (id, caller) = (try context.id(), try context.caller())
        let deleted = try await recordings.delete(id, context.writeConditions(), for: caller)
        if case .success = deleted.result {
            desk.stop(UploadSeat.Recording(userID: caller.userID, id: id.lowercased()))
        }
        return try deleted.mapConflict(shown).response { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("deleted_at", string: receipt.changedAt)
            }
        }
    }
}

extension UploadWish {
    /// Reads a body that the schema accepted.
    fileprivate init(_ body: JSONValue) throws {
        guard case .number(let number)? = body["file_size"], let size = number.int64,
            let type = body["content_type"]?.string
        else { throw Problem(.invalidJSON) }
        self.init(size: Int(size), contentType: type)
        deviceID = body["device_id"]?.string
        if let id = body["configuration_id"]?.string {
            configuration = (id.lowercased(), body["configuration_version"]?.string)
        }
        if let text = body["sha256"]?.string {
            guard let digest = Base64.padded.decode(text), digest.count == SHA256.digestBytes else {
                let violation = Violation(pointer: "/sha256", keyword: "format", detail: "must be Base64 of 32 bytes")
                throw CloudSyncError.invalid([violation])
            }
            sha256 = digest
        }
        guard let envelope = body["encryption"], envelope.object != nil else { return }
        let byteCount = envelope.serialized().count
        guard byteCount <= Self.encryptionMaxBytes else {
            let detail = "must have at most \(Self.encryptionMaxBytes) bytes as JSON, has \(byteCount)"
            throw CloudSyncError.invalid([Violation(pointer: "/encryption", keyword: "maxLength", detail: detail)])
        }
        encryption = envelope
    }
}
