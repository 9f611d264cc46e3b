import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The table `upload`.
extension Store {
    private static let uploadColumns = """
        id, path, size, mtime_ns, inode, sha256, type, metadata, state, sent, attempts, not_before, problem, granted, added,
        part_size, seal
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
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
            """,
            .text(id),
            .text(SystemDefaults.stored(row.path)),
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
            .integer(row.isGranted ? row.replaces ? 2 : 1 : 0),
            .integer(row.addedMs),
            SQLValue(row.partSize),
            try seal(row.seal?.stored.serialized(), "upload", id, "seal")
        )
    }

    /// Keeps the tags of a sealed file.
    func save(_ tags: [UInt8], of upload: UUID) throws(ClientError) {
        let id = upload.lower
        let box = try seal(tags, "upload_tags", id, "tags")
        try run("INSERT OR REPLACE INTO upload_tags (upload, tags) VALUES (?1, ?2)", .text(id), box)
    }

    /// The tags of a sealed file; nil if they are not there, or can't be read.
    func segmentTags(_ upload: UUID) throws(ClientError) -> [UInt8]? {
        let id = upload.lower
        return try row("SELECT tags FROM upload_tags WHERE upload = ?1", [.text(id)]) { row throws(ClientError) in
            try readable { () throws(ClientError) in try unseal(row.blob(0), "upload_tags", id, "tags") } ?? nil
        }
    }

    /// The uploads that are not done: without this store the server would not get their files.
    func unfinishedUploads() throws(ClientError) -> Int {
        let sql = "SELECT count(*) FROM upload WHERE state != ?1"
        let count = try row(sql, [.text(UploadPhase.done.rawValue)]) { row throws(ClientError) in row.integer(0) }
        return Int(count ?? 0)
    }

    /// Stores how many bytes of an upload are on their way, unless it has been paused meanwhile.
    func note(sent bytes: Int64, of id: UUID) throws(ClientError) {
        let sql = "UPDATE upload SET sent = min(?2, size) WHERE id = ?1 AND state = ?3"
        try run(sql, .text(id.lower), .integer(bytes), .text(UploadPhase.sending.rawValue))
    }

    /// Removes an upload from the list.
    func removeUpload(_ id: UUID) throws(ClientError) {
        try step { () throws(ClientError) in
            try run("DELETE FROM upload WHERE id = ?1", .text(id.lower))
            try run("DELETE FROM upload_tags WHERE upload = ?1", .text(id.lower))
        }
    }

    private func readUpload(_ row: SQLRow) throws(ClientError) -> UploadRow {
        let metadata = try uploadJSON(row.blob(7), row.text(0) ?? "", "metadata")
        guard let known = metadata.flatMap({ RecordingMetadata(stored: $0) }), var upload = UploadRow(row, known) else {
            throw .store(.unreadable("an upload"))
        }
        upload.failure = try uploadJSON(row.blob(12), upload.id.lower, "problem").flatMap { UploadFailure($0) }
        upload.seal = try readSeal(row, upload.id.lower)
        return upload
    }

    private func readSeal(_ row: SQLRow, _ id: String) throws(ClientError) -> UploadSeal? {
        // Without its seal a file would go in the clear.
        guard let json = try unsealJSON(row.blob(16), "upload", id, "seal") else { return nil }
        guard let seal = UploadSeal(stored: json) else { throw .store(.unreadable("the seal of an upload")) }
        return seal
    }

    /// Ends the uploads whose metadata can't be read, and returns them. One whose file the server has goes on: nobody needs
    /// its metadata any more.
    func mendUploads() throws(ClientError) -> [UploadRow] {
        let sql = "SELECT \(Self.uploadColumns) FROM upload"
        var failed: [UploadRow] = []
        for id in try unreadable(sql, readUpload) {
            // Without its file nobody could go on with it.
            guard let mended = try self.row("\(sql) WHERE id = ?1", [.text(id)], salvageUpload) else {
                try run("DELETE FROM upload WHERE id = ?1", .text(id))
                continue
            }
            // `save` replaces the row of an id that is spelled in lower case.
            try run("DELETE FROM upload WHERE id = ?1", .text(id))
            try save(mended)
            if mended.failure == .unreadable { failed.append(mended) }
        }
        return failed
    }

    private func salvageUpload(_ row: SQLRow) throws(ClientError) -> UploadRow? {
        let id = row.text(0) ?? ""
        let metadata = try readable { () throws(ClientError) in try uploadJSON(row.blob(7), id, "metadata") } ?? nil
        let seal = try readable { () throws(ClientError) in try readSeal(row, id) }
        if let seal, let known = metadata.flatMap({ RecordingMetadata(stored: $0) }) {
            var mended = UploadRow(row, known)
            mended?.seal = seal
            return mended
        }
        var mended = UploadRow(row, RecordingMetadata())
        mended?.seal = seal ?? nil
        mended?.lose(withSeal: seal == nil)
        return mended
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

extension UploadRow {
    /// Reads the columns that are not encrypted; nil if they are no upload.
    fileprivate init?(_ row: SQLRow, _ metadata: RecordingMetadata) {
        guard let id = row.text(0).flatMap({ UUID(uuidString: $0) }), let path = row.text(1), !path.isEmpty,
            let size = row.integer(2), size > 0, let modifiedNs = row.integer(3), let inode = row.integer(4),
            let type = row.text(6), let phase = row.text(8).flatMap({ UploadPhase(rawValue: $0) })
        else { return nil }
        self.init(
            id: id,
            path: SystemDefaults.path(path),
            identity: FileIdentity(size: size, modifiedNs: modifiedNs, inode: inode),
            type: type,
            metadata: metadata,
            partSize: row.integer(15),
            addedMs: row.integer(14) ?? 0
        )
        (self.phase, sha256) = (phase, row.blob(5))
        (isGranted, replaces) = (row.bool(13), row.integer(13) == 2)
        (sent, attempts, notBeforeMs) = (row.integer(9) ?? 0, row.integer(10) ?? 0, row.integer(11) ?? 0)
    }
}
