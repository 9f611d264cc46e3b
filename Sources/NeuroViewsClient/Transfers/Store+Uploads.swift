import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The table `upload`.
extension Store {
    private static let uploadColumns = """
        id, path, size, mtime_ns, inode, sha256, type, metadata, state, sent, attempts, not_before, problem, granted, added
        """

    /// The uploads, the oldest first.
    func uploads() throws(ClientError) -> [UploadRow] {
        try rows("SELECT \(Self.uploadColumns) FROM upload ORDER BY added, id", [], readUpload)
    }

    /// The upload of a recording; nil if there is none.
    func upload(_ id: UUID) throws(ClientError) -> UploadRow? {
        try row("SELECT \(Self.uploadColumns) FROM upload WHERE id = ?1", [.text(id.lower)], readUpload)
    }

    /// Adds an upload, or replaces it.
    func save(_ row: UploadRow) throws(ClientError) {
        let id = row.id.lower
        try run(
            """
            INSERT OR REPLACE INTO upload (\(Self.uploadColumns))
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)
            """,
            .text(id),
            .text(row.path),
            .integer(row.identity.size),
            .integer(row.identity.modifiedNs),
            .integer(row.identity.inode),
            SQLValue(row.sha256),
            .text(row.type),
            try seal(row.metadata.stored.serialized(), "upload", id, "metadata"),
            .text(row.phase.rawValue),
            .integer(row.sent),
            .integer(row.attempts),
            .integer(row.notBeforeMs),
            try seal(row.failure?.json.serialized(), "upload", id, "problem"),
            SQLValue(row.isGranted),
            .integer(row.addedMs)
        )
    }

    /// The uploads that are not done: without this store the server would not get their files.
    func unfinishedUploads() throws(ClientError) -> Int {
        let sql = "SELECT count(*) FROM upload WHERE state != ?1"
        let count = try row(sql, [.text(UploadPhase.done.rawValue)]) { row throws(ClientError) in row.integer(0) }
        return Int(count ?? 0)
    }

    /// Removes an upload from the list.
    func removeUpload(_ id: UUID) throws(ClientError) {
        try run("DELETE FROM upload WHERE id = ?1", .text(id.lower))
    }

    private func readUpload(_ row: SQLRow) throws(ClientError) -> UploadRow {
        guard let text = row.text(0), let id = UUID(uuidString: text), let path = row.text(1),
            let size = row.integer(2),
            let modifiedNs = row.integer(3), let inode = row.integer(4), let type = row.text(6),
            let phase = row.text(8).flatMap({ UploadPhase(rawValue: $0) }),
            let metadata = try uploadJSON(row.blob(7), text, "metadata").flatMap({ RecordingMetadata(stored: $0) })
        else { throw .store(.damaged("an upload")) }
        var upload = UploadRow(
            id: id,
            path: path,
            identity: FileIdentity(size: size, modifiedNs: modifiedNs, inode: inode),
            type: type,
            metadata: metadata,
            addedMs: row.integer(14) ?? 0
        )
        upload.phase = phase
        upload.sha256 = row.blob(5)
        upload.sent = row.integer(9) ?? 0
        upload.attempts = row.integer(10) ?? 0
        upload.notBeforeMs = row.integer(11) ?? 0
        upload.failure = try uploadJSON(row.blob(12), text, "problem").flatMap { UploadFailure($0) }
        upload.isGranted = row.bool(13)
        return upload
    }

    private func uploadJSON(_ box: [UInt8]?, _ id: String, _ column: String) throws(ClientError) -> JSON? {
        guard let text = try unseal(box, "upload", id, column) else { return nil }
        return try? JSONParser.parse(text, policy: .rfc8259)
    }
}

extension UUID {
    /// As the interface and the store spell it.
    var lower: String { uuidString.lowercased() }
}
