import Crypto
import Postgres

/// An upload that a client may go on with.
public struct UploadGrant: Sendable {
    let file: RecordingFile
    /// What the upload URL ends with. Whoever has it may write.
    public let token: String
    /// Whether it was made now.
    public let isNew: Bool

    /// The object that it becomes.
    public var objectKey: String { file.objectKey }
    /// When the upload ends.
    public var expiresAt: Timestamp { file.expiresAt }
    /// How many bytes are there.
    public var offset: Int { file.uploadOffset }
}

extension RecordingService {
    /// Opens an upload for a recording whose id the client has chosen; asked again for the same file, gives the same upload. Throws
    /// `.conflict` for a recording that is there or was deleted, and for an upload of another file; `.quotaExceeded`.
    public func upload(_ id: String, _ wish: UploadWish, for caller: Caller) async throws -> UploadGrant {
        if limits.fileMaxBytes > 0, wish.size > limits.fileMaxBytes {
            throw CloudSyncError.quotaExceeded(
                QuotaExcess(quota: .fileBytes, limit: limits.fileMaxBytes, used: wish.size)
            )
        }
        let result = try await database.transaction(for: caller) { transaction in
            let result = try await open(id, wish, caller, transaction)
            // A refusal is committed, too: it spends the nonce.
            try await transaction.commit([])
            return result
        }
        return try result.get()
    }

    private func open(
        _ id: String,
        _ wish: UploadWish,
        _ caller: Caller,
        _ transaction: CallerTransaction
    ) async throws -> Result<UploadGrant, CloudSyncError> {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let (heads, _, items, stored, files, use) = try await transaction.run(
            writer.sql.lock(user),
            RecordingSQL.dropEnded(user),
            writer.sql.item(user, item, .null, .text(caller.sessionID)),
            RecordingSQL.get(user, item),
            RecordingSQL.lockFile(user, item),
            RecordingSQL.use(user)
        )
        guard let head = heads.first else { return .failure(.accountGone) }
        if let taken = items.first?.item {
            return .failure(
                .conflict(
                    WriteConflict(
                        reason: taken.isDeleted ? .deleted : .exists,
                        current: stored.first?.document,
                        version: taken.version
                    )
                )
            )
        }
        var wish = wish
        // Kept as it was asked for, known or not, so that the same request is the same upload whatever is synced or lost meanwhile. What is no
        // tag no history will ever have.
        let tag = wish.configuration?.version.flatMap { VersionTag($0) }
        wish.configuration?.version = tag?.text
        if let file = files.first {
            let isSame = file.isAsked(for: wish)
            let conflict = WriteConflict(reason: .exists, current: nil, version: nil)
            return isSame ? .success(grant(file, isNew: false)) : .failure(.conflict(conflict))
        }
        if let excess = excess(wish, use.first?.bytes ?? 0, open: use.first?.open ?? 0, head.use) {
            return .failure(.quotaExceeded(excess))
        }
        let made: [RecordingFile] = try await transaction.run(try insert(id, wish, user))
        return made.first.map { .success(grant($0, isNew: true)) } ?? .failure(CloudSyncError.notFound)
    }

    /// What there would be too much of. An open upload counts as an item: what was uploaded can then be completed.
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

    private func insert(_ id: String, _ wish: UploadWish, _ user: Parameter) throws -> BoundQuery<RecordingFile> {
        RecordingSQL.insertFile(
            user,
            .text(id.lowercased()),
            .text(id),
            .text(Hex.encode(try SecureRandom.bytes(16))),
            .int(wish.size),
            .text(wish.contentType),
            wish.sha256.map { .bytes($0) } ?? .null,
            wish.encryption.map { .utf8($0.serialized()[...]) } ?? .null,
            .text(wish.deviceID),
            .text(wish.configuration?.id),
            .text(wish.configuration?.version),
            .int(limits.uploadLifetimeSeconds)
        )
    }

    private func grant(_ file: RecordingFile, isNew: Bool) -> UploadGrant {
        UploadGrant(file: file, token: uploadToken(file.objectKey), isNew: isNew)
    }
}
