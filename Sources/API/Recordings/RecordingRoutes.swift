import CloudSync
import Crypto
import HTTP
import JSON
import JSONSchema

/// `/recordings`: what clients say of them. The list is in `RecordingRoutes+List.swift`.
struct RecordingRoutes: Sendable {
    let recordings: RecordingService
    let schemas: Schemas
    let publicURL: String

    var routes: [RouteEntry] {
        let usual = EndpointPolicy(.session, body: .collected(.usual))
        return [
            (.get, "/v2/recordings", Endpoint(.session, list)),
            (.get, "/v2/recordings/{id}", Endpoint(.session, get)),
            (.patch, "/v2/recordings/{id}", Endpoint(usual, patch)),
            (.delete, "/v2/recordings/{id}", Endpoint(.session, delete)),
            (.post, "/v2/recordings/{id}/upload-url", Endpoint(usual, uploadURL)),
            (.post, "/v2/recordings/{id}/complete", Endpoint(usual, complete)),
        ]
    }

    private func get(_ context: RequestContext) async throws -> Response {
        let id = try context.id()
        let stored = try await recordings.get(id, for: context.caller())
        return .json(.ok, fields: [("ETag", EntityTag.of(stored.version))], text(stored, id))
    }

    /// The document with what depends on the server's address and the version.
    func text(_ stored: StoredConfiguration, _ id: String) -> [UInt8] {
        var text = Array(stored.document.dropLast())
        append(endOf: id, stored.version.text, to: &text)
        return text
    }

    /// What closes a recording's document.
    func append(endOf id: String, _ tag: String, to text: inout [UInt8]) {
        text.append(contentsOf: #","thumbnail_url":""#.utf8)
        text.append(contentsOf: thumbnailURL(id).utf8)
        text.append(contentsOf: #"","version":""#.utf8)
        text.append(contentsOf: tag.utf8)
        text.append(contentsOf: #""}"#.utf8)
    }

    private func thumbnailURL(_ id: String) -> String { "\(publicURL)/recordings/\(id)/thumbnail" }

    private func uploadURL(_ context: RequestContext) async throws -> Response {
        let (id, body) = (try context.id(), try context.json(schemas.uploadRequest))
        let grant = try await recordings.upload(id, try UploadWish(body), for: context.caller())
        return .json(.ok) { writer in
            writer.member("upload_url", string: "\(publicURL)/uploads/\(grant.token)")
            writer.member("expires_at", string: grant.expiresAt.text)
            writer.member("upload_offset", integer: Int64(grant.offset))
        }
    }

    private func complete(_ context: RequestContext) async throws -> Response {
        let (id, body) = (try context.id(), try context.json(schemas.recordingBody))
        guard let metadata = body["metadata"].flatMap({ RecordingMetadata($0) }) else { throw Problem(.invalidJSON) }
        let written = try await recordings.complete(id, metadata, for: context.caller())
        return try written.answer { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("processing_status", string: RecordingState.pending.rawValue)
                writer.member("thumbnail_url", string: thumbnailURL(receipt.id))
            }
        }
    }

    private func patch(_ context: RequestContext) async throws -> Response {
        let (id, patch) = (try context.id(), try context.mergePatch())
        let patched = try await recordings.patch(
            id,
            patch,
            try context.writeConditions(),
            by: { [schemas] value throws(CloudSyncError) in
                let violations = schemas.recordingMetadata.violations(of: value)
                guard violations.isEmpty, let metadata = RecordingMetadata(value) else { throw .invalid(violations) }
                return metadata
            },
            for: context.caller()
        )
        return try patched.answer { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("updated_at", string: receipt.changedAt)
            }
        }
    }

    private func delete(_ context: RequestContext) async throws -> Response {
        let deleted = try await recordings.delete(context.id(), context.writeConditions(), for: context.caller())
        return try deleted.answer { receipt in
            .json(.ok, fields: [("ETag", EntityTag.of(receipt.version))]) { writer in
                writer.member("deleted_at", string: receipt.changedAt)
            }
        }
    }
}

extension UploadWish {
    /// Reads what the schema accepts.
    fileprivate init(_ body: JSONValue) throws(Problem) {
        guard case .number(let number)? = body["file_size"], let size = number.int64, let type = body["content_type"]?.string
        else { throw Problem(.invalidJSON) }
        self.init(size: Int(size), contentType: type)
        deviceID = body["device_id"]?.string
        if let id = body["configuration_id"]?.string {
            configuration = (id.lowercased(), body["configuration_version"]?.string)
        }
        if let text = body["sha256"]?.string {
            guard let digest = Base64.padded.decode(text), digest.count == SHA256.digestBytes else {
                throw Problem(.invalidParameter, "sha256 is the Base64 of 32 bytes.")
            }
            sha256 = digest
        }
        if let encryption = body["encryption"], encryption.object != nil { self.encryption = encryption }
    }
}
