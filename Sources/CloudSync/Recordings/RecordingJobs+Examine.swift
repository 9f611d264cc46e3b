import Media
import Storage

extension RecordingJobs {
    /// PostgreSQL ends an idle transaction after 8 s. A slow store must fail earlier, because its errors excuse a job.
    private static let pictureLimitMs = 5_000

    /// Does the slow part of a job. Stores nothing in the database. Throws errors that may be temporary.
    func examine(_ job: RecordingJob) async throws -> JobOutcome {
        guard let key = ObjectKey(job.objectKey), let thumbnail = ObjectKey(ThumbnailObject.key(of: job.objectKey)),
            let preview = ObjectKey(PreviewObject.key(of: job.objectKey))
        else { return .gone }
        if job.kind == .remove {
            try await RecordingObject.remove(job.objectKey, from: storage)
            return .removed
        }
        let query = JobSQL.file(.text(job.userID), .text(job.recordingID))
        guard let file = try await database.background(query).first, file.objectKey == job.objectKey else {
            return .gone
        }
        do {
            switch job.kind {
            case .verify: return try await verify(file, key)
            case .process: return .processed(try await process(file, key, thumbnail, job))
            case .preview: return try await makePreview(of: file, key, as: preview, job)
            case .remove: return .gone
            }
        } catch StorageError.missing {
            // A store that is unavailable for a moment has no files either.
            try await confirmStoreNow()
            return .failed(.lostObject)
        }
    }

    private func verify(_ file: RecordingFile, _ key: ObjectKey) async throws -> JobOutcome {
        let reader = try await storage.read(key)
        guard reader.objectBytes == file.size else { return .failed(.wrongSize) }
        let digest = try await reader.sha256()
        // A verified file may be read again much later.
        let known = [file.sha256, file.verifiedSHA256].compactMap(\.self)
        guard known.allSatisfy({ $0 == digest }) else { return .failed(.wrongDigest) }
        return .verified(digest)
    }

    private func process(
        _ file: RecordingFile,
        _ key: ObjectKey,
        _ thumbnail: ObjectKey,
        _ job: RecordingJob
    ) async throws -> MediaFindings {
        _ = try await storage.size(of: key)
        guard file.canBeProcessed else { return MediaFindings() }
        let isLast = job.countedAttempts >= settings.attemptsMax
        let examined = try await examine(key, file.contentType, isLast)
        var findings = examined.findings
        guard let jpeg = examined.thumbnail else { return findings }
        if try await !storeThumbnail(jpeg, as: thumbnail, of: job) { findings.thumbnailBytes = nil }
        return findings
    }

    /// Stores the server's picture, unless the client has a thumbnail or the recording is gone. Returns true if it was
    /// stored. The row stays locked meanwhile: both have the same object, and a client that reserves room later also
    /// stores later. Nothing is reserved, so a killed job leaves nothing that stops the next one.
    func storeThumbnail(_ jpeg: [UInt8], as thumbnail: ObjectKey, of job: RecordingJob) async throws -> Bool {
        try await database.backgroundTransaction(key: "job \(job.userID)") { [self] transaction in
            let isTaken = try await transaction.run(JobSQL.lockThumbnail(.text(job.objectKey))).first
            guard isTaken == false else { return false }
            try await storage.put(jpeg, as: thumbnail, contentType: "image/jpeg", limitMs: Self.pictureLimitMs)
            // Fails if the store took so long that PostgreSQL has ended the transaction. The job is then tried again.
            try await transaction.commit([])
            return true
        }
    }

    private func examine(_ key: ObjectKey, _ contentType: String, _ isLast: Bool) async throws -> (
        findings: MediaFindings, thumbnail: [UInt8]?
    ) {
        if let path = storage.path(of: key) {
            return try await laboratory.examine(MediaFile(path: path, contentType: contentType), isLast: isLast)
        }
        let format = MediaFormat(contentType: contentType)
        let media = try await FetchedMedia(
            key,
            from: storage,
            onlyBeginning: format?.isMeasuredByBeginning == true,
            isPhoto: format?.isPhoto == true
        )
        defer { media.remove() }
        return try await laboratory.examine(MediaFile(path: media.path, contentType: contentType), isLast: isLast)
    }
}

extension RecordingFile {
    /// True if more than the digest can be measured.
    var canBeProcessed: Bool { encryption == nil && MediaFormat(contentType: contentType) != nil }
}
