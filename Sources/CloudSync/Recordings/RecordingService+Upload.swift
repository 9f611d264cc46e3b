import NeuroViewsCrypto
import Postgres
import Storage

/// An upload that a client may continue.
package struct UploadGrant: Sendable {
    let file: RecordingFile
    /// The last part of the upload URL. Anyone with it may write.
    package let token: String
    /// True if the upload is new.
    package let isNew: Bool

    /// The name of the upload's object.
    package var objectKey: String { file.objectKey }
    /// The time when the upload expires.
    package var expiresAt: Timestamp { file.expiresAt }
    /// The number of stored bytes.
    package var offset: Int { file.uploadOffset }
}

extension RecordingService {
    /// Opens an upload for a recording with the client's id. The same request returns the same upload. A failed
    /// recording may be sent again. Throws `.conflict` for another existing or deleted recording, and for an upload of
    /// another file, unless the wish replaces it. Throws `.invalid`, `.quotaExceeded`.
    package func upload(_ id: String, _ wish: UploadWish, for caller: Caller) async throws -> UploadGrant {
        let violations = SealedRecording.violations(of: wish)
        guard violations.isEmpty else { throw CloudSyncError.invalid(violations) }
        if limits.fileMaxBytes > 0, wish.size > limits.fileMaxBytes {
            throw CloudSyncError.quotaExceeded(
                QuotaExcess(quota: .fileBytes, limit: limits.fileMaxBytes, used: wish.size)
            )
        }
        let result = try await database.transaction(for: caller) { transaction in
            let result = try await open(id, wish, caller, transaction)
            // A rejected request is committed, too: it spends the nonce.
            try await transaction.commit([])
            return result
        }
        let grant = try result.get()
        // The bytes of the upload that was replaced go.
        if grant.isNew, wish.replaces { wakeJobs() }
        return grant
    }

    private func open(
        _ id: String,
        _ wish: UploadWish,
        _ caller: Caller,
        _ transaction: CallerTransaction
    ) async throws -> Result<UploadGrant, CloudSyncError> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let (heads, _, items, stored, files, uses) = try await transaction.run(
            writer.sql.lock(user),
            RecordingSQL.dropEnded(user, item),
            writer.sql.item(user, item, .null, .text(caller.sessionID)),
            RecordingSQL.get(user, item),
            RecordingSQL.lockFile(user, item),
            RecordingSQL.use(user)
        )
        guard let head = heads.first else { return .failure(.accountGone) }
        let (taken, file, use) = (items.first?.item, files.first, uses.first)
        let conflict = conflict(taken, stored.first)
        if taken != nil, file?.state != .failed { return .failure(conflict) }
        var wish = wish
        // The tag is stored as requested, even if unknown: the same request must give the same upload after syncs and
        // restores. A malformed tag is dropped: no history will ever have it.
        let tag = wish.configuration?.version.flatMap { VersionTag($0) }
        wish.configuration?.version = tag?.text
        let open = file.flatMap { $0.isUnderWay ? $0 : nil }
        if let open, open.isAsked(for: wish) {
            return .success(grant(try await prolonged(open, user, item, transaction), isNew: false))
        }
        if let open, !wish.replaces || open.isFile(of: wish) { return .failure(conflict) }
        let broken: QuotaExcess? =
            file.map { excess(wish, replacing: $0, use?.bytes ?? 0) }
            ?? excess(wish, use?.bytes ?? 0, open: use?.open ?? 0, head.use)
        if let broken { return .failure(.quotaExceeded(broken)) }
        // A recording belongs to the device that asks, unless the request names another one.
        wish.deviceID = wish.deviceID ?? file?.deviceID ?? head.deviceID
        if open != nil { _ = try await transaction.run(UploadSQL.replace(user, item)) }
        return try await store(wish, id, user, isFirst: file?.state != .failed, transaction)
    }

    /// An open upload that is asked for again in the second half of its time gets the whole time once more. Otherwise a
    /// file that takes longer on a slow network would never arrive.
    private func prolonged(
        _ file: RecordingFile,
        _ user: Parameter,
        _ item: Parameter,
        _ transaction: CallerTransaction
    ) async throws -> RecordingFile {
        let lifetime = limits.uploadLifetimeSeconds
        guard file.phase == .open, file.secondsLeft < lifetime / 2 else { return file }
        let moved: [RecordingFile] = try await transaction.run(RecordingSQL.prolong(user, item, .int(lifetime)))
        return moved.first ?? file
    }

    private func conflict(_ taken: StoredItem?, _ stored: StoredRecording?) -> CloudSyncError {
        let reason: WriteConflict.Reason = taken?.isDeleted == true ? .deleted : .exists
        return .conflict(WriteConflict(reason: reason, current: stored?.document, version: taken?.version))
    }

    /// Stores a new upload: the first one of a recording, or another one of a failed recording.
    private func store(
        _ wish: UploadWish,
        _ id: String,
        _ user: Parameter,
        isFirst: Bool,
        _ transaction: CallerTransaction
    ) async throws -> Result<UploadGrant, CloudSyncError> {
        let asked = try values(id, wish, user)
        let query = isFirst ? RecordingSQL.insertFile(asked + [.text(id)]) : RecordingSQL.sendAgain(asked)
        let made: [RecordingFile] = try await transaction.run(query)
        return made.first.map { .success(grant($0, isNew: true)) } ?? .failure(CloudSyncError.problem(.notFound))
    }

    /// Returns the exceeded quota, if any. An open upload counts as an item, so that it can later be completed.
    private func excess(_ wish: UploadWish, _ usedBytes: Int, open: Int, _ use: AccountUse) -> QuotaExcess? {
        let (items, quotas) = (use.items + open, writer.quotas)
        let rules: [(QuotaExcess.Quota, limit: Int, used: Int, added: Int)] = [
            (.openUploads, limits.openUploadsMax, open, 1),
            (.recordingBytes, limits.accountMaxBytes, usedBytes, wish.size),
            (.items, quotas.itemsMax, items, 1), (.tombstones, quotas.tombstonesMax, use.tombstones, 1),
        ]
        let broken = rules.first { $0.limit > 0 && $0.used + $0.added > $0.limit }
        return broken.map { QuotaExcess(quota: $0.0, limit: $0.limit, used: $0.used) }
    }

    /// A recording that is sent again is an item already. Its old file makes room.
    private func excess(_ wish: UploadWish, replacing file: RecordingFile, _ usedBytes: Int) -> QuotaExcess? {
        let (limit, addedBytes) = (limits.accountMaxBytes, wish.size - file.size)
        guard limit > 0, addedBytes > 0, usedBytes + addedBytes > limit else { return nil }
        return QuotaExcess(quota: .recordingBytes, limit: limit, used: usedBytes)
    }

    /// The first parameters of `insertFile` and `sendAgain`.
    private func values(_ id: String, _ wish: UploadWish, _ user: Parameter) throws -> [Parameter] {
        [
            user,
            .text(id.lowercased()),
            .text(Hex.encode(try SecureRandom.bytes(16))),
            .int(wish.size),
            .text(wish.contentType),
            wish.sha256.map { .bytes($0) } ?? .null,
            wish.encryption.map { .utf8($0.serialized()[...]) } ?? .null,
            .text(wish.deviceID),
            .text(wish.configuration?.id),
            .text(wish.configuration?.version),
            .int(limits.uploadLifetimeSeconds),
            .int(UploadPlan(bytes: wish.size, partBytes: wish.partBytes).partBytes),
        ]
    }

    private func grant(_ file: RecordingFile, isNew: Bool) -> UploadGrant {
        UploadGrant(file: file, token: uploadToken(file.objectKey), isNew: isNew)
    }
}
