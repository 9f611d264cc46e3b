import Media
import Net
import Postgres
import Storage

/// Compares recordings with the store, both ways. For an operator; a server may run meanwhile.
///
/// A row exists before the first byte of its object. So an object that is listed and then has no row belongs to no
/// recording. A file that the list lacks may have been added since, so it is looked up again.
package struct StorageAudit: Sendable {
    /// A mismatch.
    package enum Finding: Sendable, Equatable {
        /// The database's files were in another store; this one is unclaimed.
        case otherStore
        /// A recording without its file.
        case missing(String)
        /// A recording's file has the wrong size.
        case wrongSize(String, bytes: Int, expected: Int)
        /// A recording's file has other bytes than verified.
        case wrongDigest(String)
        /// A recording that failed because its file was missing or unreadable; the file exists now.
        case unverified(String)
        /// A recording's thumbnail is missing.
        case missingThumbnail(String)
        /// A recording's preview is missing.
        case missingPreview(String)
        /// A file or an upload without a recording.
        case orphan(String, bytes: Int)
    }

    /// The result of a run.
    package struct Report: Sendable {
        /// Files in the store.
        package var files = 0
        /// Their bytes.
        package var bytes = 0
        /// Recordings that should have a file.
        package var recordings = 0
        /// Files that were read for their digest.
        package var readCount = 0
        /// The mismatches.
        package var findings: [Finding] = []
        /// The number of mismatches that were repaired, or that a job will repair.
        package var mendedCount = 0
        /// Recordings that a job will measure again. They are no mismatches: a file may be unreadable.
        package var remeasuredCount = 0
    }

    private struct Row {
        let objectKey: String
        let size: Int
        /// The digest of the file; nil if unknown.
        let sha256: [UInt8]?
        let isComplete: Bool
        /// True if the recording failed for a reason other than its bytes.
        let mayBeVerified: Bool
        let hasThumbnail: Bool
        let hasPreview: Bool
        /// True if the recording is ready and not encrypted, and has no measurements.
        let isUnmeasured: Bool
        let contentType: String
    }

    /// Used by `run` alone, one statement at a time.
    private nonisolated(unsafe) let session: BlockingSession
    private let storage: ObjectStorage

    /// Reads the database as the tables' owner. The session must be allowed to take that role.
    package init(_ session: BlockingSession, _ storage: ObjectStorage) {
        self.session = session
        self.storage = storage
    }

    /// Compares, and repairs if `repairs`. `readsFiles` also checks digests, which reads every file. Blocks during
    /// statements. Throws `DatabaseError` and `StorageError`.
    package func run(repairs: Bool, readsFiles: Bool = false) async throws -> Report {
        var report = Report()
        try session.execute("SET ROLE \(DatabaseRole.ownerName)")
        switch try await standing(session) {
        case .own: break
        case .unclaimed: report.findings.append(.otherStore)
        case .foreign: throw StorageError.unavailable("it belongs to another database")
        }
        // Objects with foreign names do not belong to this server: they are neither compared nor deleted.
        var objects: [String: Int] = [:]
        try await storage.forEachPage { page in
            for object in page where RecordingObject.isOwn(object.key) {
                objects[object.key.description] = object.bytes
            }
        }
        let uploads = try await storage.uploads().filter { RecordingObject.isOwn($0.key) }
        let rows = try Self.rows(session)
        (report.files, report.bytes) = (objects.count, objects.values.reduce(0, +))
        report.recordings = rows.values.count(where: \.isComplete)
        for row in rows.values where row.isComplete {
            try await check(row, objects, &report)
            if readsFiles { try await checkDigest(row, &report) }
        }
        for row in rows.values where row.mayBeVerified {
            if try await size(row.objectKey, objects) == row.size { report.findings.append(.unverified(row.objectKey)) }
        }
        for (name, bytes) in objects where rows[RecordingObject.base(of: name)] == nil {
            report.findings.append(.orphan(name, bytes: bytes))
        }
        for upload in uploads where rows[RecordingObject.base(of: upload.key.description)] == nil {
            report.findings.append(.orphan(upload.key.description, bytes: upload.bytes))
        }
        if repairs { try await repair(rows, &report) }
        return report
    }

    private func repair(_ rows: [String: Row], _ report: inout Report) async throws {
        // If this run claims the store, nothing else is repaired: the operator should check the other findings first.
        let isClaim = report.findings.contains(.otherStore)
        for finding in isClaim ? [.otherStore] : report.findings {
            if try await mend(finding, session) { report.mendedCount += 1 }
        }
        guard !isClaim else { return }
        for row in rows.values where row.isUnmeasured && MediaFormat(contentType: row.contentType) != nil {
            report.remeasuredCount += try session.execute(MendingSQL.measure, [row.objectKey]).count
        }
    }

    /// An unclaimed store is treated as the database's own if no store was claimed before.
    private func standing(_ session: BlockingSession) async throws -> StoreIdentity.Standing {
        let row = try StoreRow(reading: session)
        let found = try await StoreIdentity.id(in: storage)
        return StoreIdentity.standing(found ?? (row.isClaimed ? nil : row.id), row.id)
    }

    private func takeStore(_ session: BlockingSession) async throws {
        let row = try StoreRow(reading: session)
        try StoreRow.take(with: session)
        try await StoreIdentity.write(row.id, to: storage)
    }

    private func check(_ row: Row, _ objects: [String: Int], _ report: inout Report) async throws {
        let bytes = try await size(row.objectKey, objects)
        if let bytes, bytes != row.size {
            report.findings.append(.wrongSize(row.objectKey, bytes: bytes, expected: row.size))
        } else if bytes == nil {
            report.findings.append(.missing(row.objectKey))
        }
        let thumbnail = ThumbnailObject.key(of: row.objectKey)
        if row.hasThumbnail, try await size(thumbnail, objects) == nil {
            report.findings.append(.missingThumbnail(row.objectKey))
        }
        if row.hasPreview, try await size(PreviewObject.key(of: row.objectKey), objects) == nil {
            report.findings.append(.missingPreview(row.objectKey))
        }
    }

    /// Files that are missing or have another size have a finding already.
    private func checkDigest(_ row: Row, _ report: inout Report) async throws {
        guard let expected = row.sha256, let key = ObjectKey(row.objectKey) else { return }
        do {
            let reader = try await storage.read(key)
            guard reader.objectBytes == row.size else { return }
            let digest = try await reader.sha256()
            report.readCount += 1
            if digest != expected { report.findings.append(.wrongDigest(row.objectKey)) }
        } catch StorageError.missing {
            return
        }
    }

    private func size(_ name: String, _ objects: [String: Int]) async throws -> Int? {
        if let bytes = objects[name] { return bytes }
        guard let key = ObjectKey(name) else { return nil }
        do {
            return try await storage.size(of: key)
        } catch StorageError.missing {
            return nil
        }
    }

    private static func rows(_ session: BlockingSession) throws -> [String: Row] {
        let found = try session.execute(
            """
            SELECT object_key, size, coalesce(verified_sha256, sha256), upload = 'complete' AND state <> 'failed',
                state = 'failed' AND NOT is_sent_again AND upload = 'complete' AND coalesce(failure, '') IN ('\(RecordingFailure.notVerified.rawValue)', '\(RecordingFailure.lostObject.rawValue)'),
                has_thumbnail, has_preview, state = 'ready' AND encryption IS NULL AND probe IS NULL, content_type
            FROM neuroviews.recording_files
            """
        )
        var rows: [String: Row] = [:]
        for index in 0..<found.count {
            var columns = Columns(found[index])
            let row = Row(
                objectKey: try columns.next(),
                size: try columns.next(),
                sha256: (try columns.next() as Bytea?)?.bytes,
                isComplete: try columns.next(),
                mayBeVerified: try columns.next(),
                hasThumbnail: try columns.next(),
                hasPreview: try columns.next(),
                isUnmeasured: try columns.next(),
                contentType: try columns.next()
            )
            rows[row.objectKey] = row
        }
        return rows
    }

    /// Returns true if something was changed.
    private func mend(_ finding: Finding, _ session: BlockingSession) async throws -> Bool {
        switch finding {
        case .otherStore: try await takeStore(session)
        case .missing(let key), .wrongSize(let key, _, _), .wrongDigest(let key), .unverified(let key):
            return try session.execute(MendingSQL.verify, [key]).count > 0
        case .missingThumbnail(let key): return try session.execute(MendingSQL.thumbnail, [key]).count > 0
        case .missingPreview(let key): return try session.execute(MendingSQL.preview, [key]).count > 0
        case .orphan(let name, _):
            guard let key = ObjectKey(name) else { return false }
            try await storage.delete(key)
            try await storage.deleteUpload(key)
        }
        return true
    }
}

/// The repairs by statement; each returns a row for a change. $1 object.
private enum MendingSQL {
    /// The server that runs the job marks the recording as failed or as good again, so the next delta has the change.
    static let verify = """
        INSERT INTO neuroviews.jobs (kind, user_id, recording_id, object_key)
        SELECT 'verify', user_id, id, object_key FROM neuroviews.recording_files WHERE object_key = $1
            AND state <> 'uploading'
        ON CONFLICT (user_id, object_key, kind) DO UPDATE SET run_at = now()
            WHERE jobs.lease IS NULL AND jobs.run_at > now()
        RETURNING true
        """

    /// The thumbnail is made again, unless the recording is encrypted: only its client can make it.
    static let thumbnail = """
        WITH lost AS (
            UPDATE neuroviews.recording_files SET has_thumbnail = false, thumbnail_bytes = 0 WHERE object_key = $1
            RETURNING user_id, id, object_key, encryption IS NULL AND state IN ('processing', 'ready') AS may_be_made
        ), due AS (
            INSERT INTO neuroviews.jobs (kind, user_id, recording_id, object_key)
            SELECT 'process', user_id, id, object_key FROM lost WHERE may_be_made ON CONFLICT DO NOTHING
        )
        SELECT true FROM lost
        """

    /// A measurement that was given up left no other trace. A preview follows from it.
    static let measure = """
        INSERT INTO neuroviews.jobs (kind, user_id, recording_id, object_key)
        SELECT 'process', user_id, id, object_key FROM neuroviews.recording_files
        WHERE object_key = $1 AND state = 'ready' ON CONFLICT DO NOTHING RETURNING true
        """

    static let preview = """
        WITH lost AS (
            UPDATE neuroviews.recording_files SET has_preview = false WHERE object_key = $1
            RETURNING user_id, id, object_key
        ), due AS (
            INSERT INTO neuroviews.jobs (kind, user_id, recording_id, object_key)
            SELECT 'preview', user_id, id, object_key FROM lost ON CONFLICT DO NOTHING
        )
        SELECT true FROM lost
        """
}
