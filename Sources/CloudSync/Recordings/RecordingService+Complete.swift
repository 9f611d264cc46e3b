import NeuroViewsJSON
import Postgres

extension RecordingService {
    /// Stores the metadata of a completely uploaded recording. The recording is listed from then on, and its file is
    /// verified. A retry returns the same response, with the current status. Errors: `.notFound`, `.uploadIncomplete`,
    /// `.invalid`, `.conflict`, `.quotaExceeded`.
    package func complete(
        _ id: String,
        _ metadata: RecordingMetadata,
        for caller: Caller
    ) async throws -> Written<CompletedRecording> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let written: Written<CompletedRecording> = try await database.transaction(for: caller) { transaction in
            let (heads, files, senders) = try await transaction.run(
                writer.sql.lock(user),
                RecordingSQL.lockFile(user, item),
                RecordingSQL.sender(user)
            )
            guard let file = files.first else { return try await refuse(.problem(.notFound), heads.first, transaction) }
            guard file.upload == .complete else {
                let error = CloudSyncError.uploadIncomplete(offset: file.uploadOffset, size: file.size, file.phase)
                return try await refuse(error, heads.first, transaction)
            }
            let violations = SealedRecording.violations(ofNew: metadata, in: file.encryption)
            guard violations.isEmpty else { return try await refuse(.invalid(violations), heads.first, transaction) }
            let document = RecordingDocument(metadata, file.completed, from: file.describing(senders))
            let write = ItemWrite(
                kind: file.isSentAgain ? .replace : .create,
                id: id.lowercased(),
                spelledID: file.spelledID,
                content: document?.content,
                conditions: WriteConditions(),
                // The same metadata for another file are another request.
                sent: SentDigest("complete \(file.objectKey)", metadata.sentContent)
            )
            let more = [
                RecordingSQL.list(user, item, metadata, completes: true), JobSQL.enqueue(.verify, file, of: user, item),
            ]
            let (results, newest) = try await writer.write([write], by: Writer(caller), in: transaction, more: more)
            return Written(results[0], newest).map {
                CompletedRecording(receipt: $0, objectKey: file.objectKey, state: file.completed.state)
            }
        }
        wakeJobs()
        return written
    }

    /// Changes the metadata by a JSON Merge Patch (RFC 7396). Members that only the server writes are ignored. A patch
    /// without an effect writes nothing. A retry returns the first response. Errors: `.notFound`, `.conflict`,
    /// `.invalid`, `.patchedTooLarge`, `.quotaExceeded`.
    package func patch(
        _ id: String,
        _ patch: MergePatch,
        _ conditions: WriteConditions,
        by rules: @escaping @Sendable (JSONValue) throws(CloudSyncError) -> RecordingMetadata,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        return try await database.transaction(for: caller) { transaction in
            let heads: [AccountHead] = try await transaction.run(writer.sql.lock(user))
            let (files, stored, senders) = try await transaction.run(
                RecordingSQL.lockFile(user, item),
                RecordingSQL.get(user, item),
                RecordingSQL.sender(user)
            )
            guard let file = files.first, let stored = stored.first else {
                return try await refuse(.problem(.notFound), heads.first, transaction)
            }
            let made: PatchedRecording
            do {
                made = try PatchedRecording(patch, of: stored, file, from: file.describing(senders), by: rules)
            } catch let error as CloudSyncError {
                return try await refuse(error, heads.first, transaction)
            }
            let write = ItemWrite(
                kind: .replace,
                id: id.lowercased(),
                spelledID: file.spelledID,
                content: made.content,
                conditions: conditions,
                sent: patch.sent,
                changesNothing: made.changesNothing
            )
            let list = RecordingSQL.list(user, item, made.metadata, completes: false)
            let (results, newest) = try await writer.write([write], by: Writer(caller), in: transaction, more: [list])
            return Written(results[0], newest)
        }
    }

    /// Deletes a recording and its file, or cancels its upload. A retry returns the same response. Errors: `.notFound`,
    /// `.conflict`.
    package func delete(_ id: String, _ conditions: WriteConditions, for caller: Caller) async throws -> Written<
        WriteReceipt
    > {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let written = try await database.transaction(for: caller) { transaction in
            let (_, files) = try await transaction.run(writer.sql.lock(user), RecordingSQL.lockFile(user, item))
            let write = ItemWrite(
                kind: .delete,
                id: id.lowercased(),
                spelledID: files.first?.spelledID ?? id,
                content: nil,
                conditions: conditions,
                sent: SentDigest("delete"),
                isReserved: !files.isEmpty
            )
            let (results, newest) = try await writer.write(
                [write],
                by: Writer(caller),
                in: transaction,
                more: [RecordingSQL.deleteFile(user, item)] + files.map { JobSQL.enqueue(.remove, $0, of: user, item) }
            )
            return Written(results[0], newest)
        }
        wakeJobs()
        return written
    }

    /// Commits a rejected request, which spends its nonce, and returns the error with the head.
    private func refuse<Value>(
        _ error: CloudSyncError,
        _ head: AccountHead?,
        _ transaction: CallerTransaction
    ) async throws -> Written<Value> {
        try await transaction.commit([])
        return Written(.failure(error), head?.newest)
    }
}

extension RecordingFile {
    /// The file once its metadata are stored.
    fileprivate var completed: RecordingFile {
        var file = self
        if file.state == .uploading || file.isSentAgain { (file.state, file.failure) = (.pending, nil) }
        return file
    }
}

extension RecordingSQL {
    fileprivate static func list(
        _ user: Parameter,
        _ item: Parameter,
        _ metadata: RecordingMetadata,
        completes: Bool
    ) -> Step {
        list(
            user,
            item,
            .int(metadata.recordedAt.microseconds),
            .text(metadata.videoFormat),
            .texts(metadata.tags),
            .text(metadata.resolution),
            .int(metadata.durationMs),
            .bool(completes)
        )
    }
}

/// The result of a patch on a recording.
private struct PatchedRecording: Sendable {
    let metadata: RecordingMetadata
    let content: ItemContent?
    /// Compares the client's members by meaning. Those of the server may be of a file that is being sent again.
    let changesNothing: Bool

    init(
        _ patch: MergePatch,
        of stored: StoredRecording,
        _ file: RecordingFile,
        from sender: DeviceDescription?,
        by rules: (JSONValue) throws(CloudSyncError) -> RecordingMetadata
    ) throws {
        let current = try JSONParser.parse(stored.document, policy: .rfc8259)
        metadata = try rules(current.applying(mergePatch: patch.value).withOneTime(before: current))
        guard metadata.byteCount <= RecordingMetadata.maxBytes else {
            throw CloudSyncError.patchedTooLarge(maxBytes: RecordingMetadata.maxBytes)
        }
        let shown = current.object ?? JSONObject()
        let violations = SealedRecording.violations(of: metadata, in: file.encryption, shown: shown)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        content = RecordingDocument(metadata, file, from: sender)?.content
        let (before, type) = (try RecordingMetadata(current), file.contentType)
        changesNothing =
            metadata.filled(from: sender, contentType: type) == before.filled(from: sender, contentType: type)
    }
}

extension JSONValue {
    /// A changed recording without the time that the change has made old.
    fileprivate func withOneTime(before: JSONValue) -> JSONValue {
        guard var object = object, let before = before.object else { return self }
        object.dropOldTime(before)
        return .object(object)
    }
}
