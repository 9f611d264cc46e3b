import Crypto
import Postgres

/// An upload that a client may go on with.
public struct UploadGrant: Sendable {
    /// What the upload URL ends with. Whoever has it may write.
    public let token: String
    /// When the upload ends.
    public let expiresAt: Timestamp
    /// How many bytes are there.
    public let offset: Int
    /// Whether it was made now.
    public let isNew: Bool
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
        let user = Parameter.text(caller.userID)
        return try await database.transaction(for: caller) { transaction in
            let (heads, items) = try await transaction.run(
                writer.sql.lock(user),
                writer.sql.item(user, .text(id), .null, .text(caller.sessionID))
            )
            guard !heads.isEmpty else { throw CloudSyncError.notFound }
            if let item = items.first?.item {
                throw CloudSyncError.conflict(
                    WriteConflict(reason: item.isDeleted ? .deleted : .exists, current: nil, version: item.version)
                )
            }
            let (files, use) = try await transaction.run(
                RecordingSQL.lockFile(user, .text(id)),
                RecordingSQL.use(user)
            )
            if let file = files.first {
                guard file.upload == .open || file.upload == .complete, file.isAsked(for: wish) else {
                    throw CloudSyncError.conflict(WriteConflict(reason: .exists, current: nil, version: nil))
                }
                try await transaction.commit([])
                return grant(file, isNew: false)
            }
            try check(wish, use.first?.bytes ?? 0, open: use.first?.open ?? 0)
            let made: [RecordingFile] = try await transaction.run(try insert(id, wish, user))
            guard let file = made.first else { throw CloudSyncError.notFound }
            try await transaction.commit([])
            return grant(file, isNew: true)
        }
    }

    private func check(_ wish: UploadWish, _ usedBytes: Int, open: Int) throws {
        if limits.openUploadsMax > 0, open >= limits.openUploadsMax {
            throw CloudSyncError.quotaExceeded(
                QuotaExcess(quota: .openUploads, limit: limits.openUploadsMax, used: open)
            )
        }
        if limits.accountMaxBytes > 0, usedBytes + wish.size > limits.accountMaxBytes {
            throw CloudSyncError.quotaExceeded(
                QuotaExcess(quota: .recordingBytes, limit: limits.accountMaxBytes, used: usedBytes)
            )
        }
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
        UploadGrant(
            token: uploadToken(file.objectKey),
            expiresAt: file.expiresAt,
            offset: file.uploadOffset,
            isNew: isNew
        )
    }
}
