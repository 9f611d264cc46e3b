import Postgres

extension RecordingService {
    /// Stores a client's thumbnail of a recording. `check` must throw for anything that is no picture; `store` and
    /// `remove` must store and delete the named object. Throws `.notFound`, `.uploadIncomplete`, `.quotaExceeded`, and
    /// the errors of these functions.
    package func keepThumbnail(
        of id: String,
        bytes: Int,
        for caller: Caller,
        check: (_ isEncrypted: Bool) throws -> Void,
        store: (_ objectKey: String, _ isEncrypted: Bool) async throws -> Void,
        remove: (_ objectKey: String) async throws -> Void
    ) async throws {
        let (user, item) = (Parameter.text(caller.userID), Parameter.text(id.lowercased()))
        let file = try await database.readOne(for: caller, JobSQL.file(user, item))
        if file.state == .uploading {
            throw CloudSyncError.uploadIncomplete(offset: file.uploadOffset, size: file.size, file.phase)
        }
        let isEncrypted = file.encryption != nil
        try check(isEncrypted)
        try await reserveThumbnail(user, item, .text(file.objectKey), bytes, for: caller)
        let object = ThumbnailObject.key(of: file.objectKey)
        do {
            try await store(object, isEncrypted)
        } catch {
            // Reserved room keeps the server from storing its picture.
            let giveBack = ThumbnailSQL.giveBack(user, item, .text(file.objectKey), .int(bytes))
            _ = await database.aside("room of a thumbnail", giveBack)
            throw error
        }
        do {
            let keep = ThumbnailSQL.keep(user, item, .text(file.objectKey), .int(bytes))
            let kept = try await database.write(for: caller, keep)
            if kept.isEmpty { throw CloudSyncError.problem(.notFound) }
        } catch {
            // The recording or the account was erased meanwhile, before this object was stored. If this fails, the
            // sweep removes it. Errors of the store are counted there.
            let files = await database.aside("search for a recording", JobSQL.hasFile(.text(file.objectKey)))
            if files?.isEmpty == true { try? await remove(object) }
            throw error
        }
    }

    /// Reserves room before the thumbnail is stored. A recording with a thumbnail keeps room for its largest so far.
    /// So parallel thumbnails, and those that are never stored, can't exceed the account's quota. Throws `.notFound` if
    /// the recording has another object now: it was deleted, or is sent again.
    private func reserveThumbnail(
        _ user: Parameter,
        _ item: Parameter,
        _ object: Parameter,
        _ bytes: Int,
        for caller: Caller
    ) async throws {
        let refusal: CloudSyncError? = try await database.transaction(for: caller) { transaction in
            let (_, uses) = try await transaction.run(writer.sql.lock(user), ThumbnailSQL.use(user, item))
            let (used, room) = (uses.first?.bytes ?? 0, uses.first?.room ?? 0)
            let (limit, added) = (limits.accountMaxBytes, max(0, bytes - room))
            let isTooMuch = limit > 0 && added > 0 && used + added > limit
            var refusal: CloudSyncError?
            if isTooMuch {
                refusal = .quotaExceeded(QuotaExcess(quota: .recordingBytes, limit: limit, used: used))
            } else {
                let reserved = try await transaction.run(ThumbnailSQL.reserve(user, item, object, .int(bytes)))
                if reserved.isEmpty { refusal = .problem(.notFound) }
            }
            // A rejected request is committed, too: it spends the nonce.
            try await transaction.commit([])
            return refusal
        }
        if let refusal { throw refusal }
    }
}

/// $1 user, $2 id.
private enum ThumbnailSQL {
    /// The account's bytes, and the part that is reserved for this thumbnail.
    static let use = Query(
        """
        SELECT coalesce(sum(size + thumbnail_bytes), 0)::bigint, coalesce(max(thumbnail_bytes) FILTER (WHERE id = $2::uuid), 0)
        FROM recording_files WHERE user_id = $1::uuid
        """
    ) { columns throws(UnexpectedResult) in (bytes: try columns.next() as Int, room: try columns.next() as Int) }

    /// $3 object, $4 bytes.
    static let reserve = Query(
        """
        UPDATE recording_files SET thumbnail_bytes = greatest(thumbnail_bytes, $4::bigint)
        WHERE user_id = $1::uuid AND id = $2::uuid AND object_key = $3::text RETURNING true
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    /// Frees the room of a thumbnail that was not stored, if the recording has none. $3 object, $4 bytes.
    static let giveBack = Query(
        """
        UPDATE recording_files SET thumbnail_bytes = 0
        WHERE user_id = $1::uuid AND id = $2::uuid AND object_key = $3::text AND NOT has_thumbnail AND thumbnail_bytes = $4::bigint
        RETURNING true
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }

    /// Counts the bytes again: another thumbnail of that size may have given the room back. $3 object, $4 bytes.
    static let keep = Query(
        """
        UPDATE recording_files SET has_thumbnail = true, thumbnail_bytes = greatest(thumbnail_bytes, $4::bigint)
        WHERE user_id = $1::uuid AND id = $2::uuid AND object_key = $3::text RETURNING true
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as Bool }
}
