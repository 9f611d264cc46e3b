import CloudSync
import HTTP
import JSONSchema
import NeuroViewsCrypto
import NeuroViewsJSON
import Storage

/// `/recordings`: the metadata that clients send. The list is in `RecordingRoutes+List.swift`.
struct RecordingRoutes: Sendable {
    let recordings: RecordingService
    let downloads: DownloadService
    let store: StoreIdentity
    let directUploads: DirectUploads?
    let desk: UploadDesk
    let schemas: Schemas
    let links: FileLinks

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
        guard try context.wantsURLs() else {
            let fields = FieldBlock(stored.version.map { [("ETag", EntityTag.of($0))] } ?? [])
            return .json(.ok, fields: fields, recordingText(context).whole(stored))
        }
        // No tag: the links differ each time.
        let urls = try await urls(of: [stored.id], context)
        return .json(.ok, recordingText(context, urls).whole(stored, members: urls.expiryMember))
    }

    /// Writes the recordings of one answer.
    func recordingText(_ context: RequestContext, _ urls: RecordingURLs? = nil) -> RecordingText {
        RecordingText(downloads.thumbnailLinks, publicURL: context.publicURL, urls)
    }

    /// A conflict with the recording in the form that clients read.
    private func shown(_ conflict: WriteConflict, _ context: RequestContext) async throws -> WriteConflict {
        var shown = conflict
        shown.subject = .recording
        guard let document = conflict.current else { return shown }
        let thumbnail = try await recordings.thumbnailObject(of: context.id(), for: context.caller())
        shown.current = recordingText(context).whole(document, thumbnail: thumbnail, conflict.version)
        return shown
    }

    private func shown<Value: Sendable>(
        _ written: Written<Value>,
        _ context: RequestContext
    ) async throws -> Written<Value> {
        guard case .failure(.conflict(let conflict)) = written.result else { return written }
        let inFull = try await shown(conflict, context)
        return written.mapConflict { _ in inFull }
    }

    private func uploadURL(_ context: RequestContext) async throws -> Response {
        let (id, schema) = (try context.id(), try schemas["upload-request.json"])
        let body = try await context.read { try JSONBody.value($0, schema, normalize: { $0.withPlainType }) }
        try await store.confirm()
        let (wish, caller) = (try UploadWish(body), try context.caller())
        let grant: UploadGrant
        do {
            grant = try await recordings.upload(id, wish, for: caller)
        } catch CloudSyncError.conflict(let conflict) {
            throw CloudSyncError.conflict(try await shown(conflict, context))
        }
        // Nobody has the new URL yet.
        if grant.isNew, wish.replaces { stopTransfer(of: id, caller) }
        guard let directUploads else { return ownUpload(grant, at: context.publicURL) }
        let firstPart = if case .number(let number)? = body["first_part"] { number.int64 ?? 1 } else { Int64(1) }
        return directUpload(grant, try await directUploads.offer(grant, firstPart: Int(firstPart)))
    }

    /// The response with the URL of an upload to this server.
    private func ownUpload(_ grant: UploadGrant, at publicURL: String) -> Response {
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
        writer.list("parts", parts) { part, writer in
            writer.member("number", integer: Int64(part.number))
            writer.member("size", integer: Int64(part.bytes))
            writer.member("url", string: part.url)
        }
    }

    private func complete(_ context: RequestContext) async throws -> Response {
        let (id, body) = (try context.id(), try await context.json(schemas.recordingBody))
        let metadata = try RecordingMetadata(body["metadata"] ?? .null, at: "/metadata")
        try await store.confirm()
        try await directUploads?.settle(id, for: context.caller())
        let written = try await recordings.complete(id, metadata, for: context.caller())
        return try await shown(written, context).response { completed in
            .json(.ok, fields: [("ETag", EntityTag.of(completed.version))]) { writer in
                writer.member("processing_status", string: completed.status)
                writer.member("thumbnail_url", string: recordingText(context).thumbnailURL(completed.objectKey))
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
                guard violations.isEmpty else { throw .invalid(violations) }
                return try RecordingMetadata(value)
            },
            for: context.caller()
        )
        return try await shown(patched, context).response { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("updated_at", string: receipt.changedAt)
            }
        }
    }

    private func stopTransfer(of id: String, _ caller: Caller) {
        desk.stop(UploadSeat.Recording(userID: caller.userID, id: id.lowercased()))
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        let (id, caller) = (try context.id(), try context.caller())
        let deleted = try await recordings.delete(id, context.writeConditions(), for: caller)
        if case .success = deleted.result { stopTransfer(of: id, caller) }
        return try await shown(deleted, context).response { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("deleted_at", string: receipt.changedAt)
            }
        }
    }
}

extension JSONValue {
    /// An upload request with its media type in the form that the schema lists.
    fileprivate var withPlainType: JSONValue {
        guard var object = object, let type = object["content_type"]?.string else { return self }
        object.set("content_type", to: .string(RecordingType.essence(of: type)))
        return .object(object)
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
        replaces = body["replace"] == .bool(true)
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
        if case .number(let number)? = body["part_size"], let bytes = number.int64 {
            let leastBytes = UploadPlan.leastPartBytes(ofFile: self.size)
            guard bytes >= leastBytes else {
                let detail = "must be at least \(leastBytes) for a file of \(size) bytes"
                throw CloudSyncError.invalid([Violation(pointer: "/part_size", keyword: "minimum", detail: detail)])
            }
            partBytes = Int(bytes)
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
