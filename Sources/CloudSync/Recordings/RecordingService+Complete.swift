import JSON
import Postgres

extension RecordingService {
    /// Takes the metadata of a recording whose bytes are all there; from then on it is listed, and its file is verified. The same request
    /// again gives the same answer. Refused with `.notFound`, `.uploadIncomplete`, `.conflict`, `.quotaExceeded`.
    public func complete(
        _ id: String,
        _ metadata: RecordingMetadata,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        return try await database.transaction(for: caller) { transaction in
            let (heads, files) = try await transaction.run(writer.sql.lock(user), RecordingSQL.lockFile(user, item))
            guard let head = heads.first, let file = files.first else { throw CloudSyncError.notFound }
            guard file.upload == .complete else {
                try await transaction.commit([])
                return Written(.failure(.uploadIncomplete(offset: file.uploadOffset, size: file.size)), head.newest)
            }
            let document = RecordingDocument(metadata, file.completed)
            let write = ItemWrite(
                kind: .create,
                id: id.lowercased(),
                spelledID: file.spelledID,
                content: document?.content,
                conditions: WriteConditions(),
                sent: SentDigest("complete", JSONValue.object(metadata.members).canonical()),
                editedAt: nil,
                loser: nil
            )
            let list = RecordingSQL.list(user, item, metadata)
            let (results, newest) = try await writer.write([write], by: Writer(caller), in: transaction, more: [list])
            return Written(results[0], newest)
        }
    }

    /// Changes the metadata by a JSON Merge Patch (RFC 7396); members that only the server writes are ignored. The same request again gives
    /// the first answer again. Refused with `.notFound`, `.conflict`, `.invalid`, `.quotaExceeded`.
    public func patch(
        _ id: String,
        _ patch: JSONValue,
        _ conditions: WriteConditions,
        by rules: @escaping @Sendable (JSONValue) throws(CloudSyncError) -> RecordingMetadata,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        return try await database.transaction(for: caller) { transaction in
            let heads: [AccountHead] = try await transaction.run(writer.sql.lock(user))
            let (files, stored) = try await transaction.run(RecordingSQL.lockFile(user, item), RecordingSQL.get(user, item))
            guard let head = heads.first, let file = files.first, let stored = stored.first else {
                throw CloudSyncError.notFound
            }
            let current = try JSONParser.parse(stored.document, policy: .rfc8259)
            let made = Result { () throws(CloudSyncError) in try rules(current.applying(mergePatch: patch)) }
            guard case .success(let metadata) = made, let document = RecordingDocument(metadata, file, receipt: current["receipt"])
            else {
                try await transaction.commit([])
                return Written(made.flatMap { _ in .failure(CloudSyncError.notFound) }, head.newest)
            }
            let write = ItemWrite(
                kind: .replace,
                id: id.lowercased(),
                spelledID: file.spelledID,
                content: document.content,
                conditions: conditions,
                sent: SentDigest("patch", patch.canonical()),
                editedAt: nil,
                loser: nil
            )
            let list = RecordingSQL.list(user, item, metadata)
            let (results, newest) = try await writer.write([write], by: Writer(caller), in: transaction, more: [list])
            return Written(results[0], newest)
        }
    }

    /// Deletes a recording and its file, or cancels its upload; again gives the same answer. Refused with `.notFound`, `.conflict`.
    public func delete(_ id: String, _ conditions: WriteConditions, for caller: Caller) async throws -> Written<WriteReceipt> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let write = ItemWrite(
            kind: .delete,
            id: id.lowercased(),
            spelledID: id,
            content: nil,
            conditions: conditions,
            sent: SentDigest("delete"),
            editedAt: nil,
            loser: nil
        )
        return try await database.transaction(for: caller) { transaction in
            let (results, newest) = try await writer.write(
                [write],
                by: Writer(caller),
                in: transaction,
                more: [RecordingSQL.deleteFile(user, item)]
            )
            return Written(results[0], newest)
        }
    }
}

extension RecordingFile {
    /// As it is once its metadata is there.
    fileprivate var completed: RecordingFile {
        var file = self
        if file.state == .uploading { file.state = .pending }
        return file
    }
}

extension RecordingSQL {
    fileprivate static func list(_ user: Parameter, _ item: Parameter, _ metadata: RecordingMetadata) -> Step {
        list(
            user,
            item,
            .int(metadata.recordedAt.microseconds),
            .text(metadata.videoFormat),
            .texts(metadata.tags)
        )
    }
}
