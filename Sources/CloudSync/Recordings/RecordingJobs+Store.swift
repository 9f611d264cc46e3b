import NeuroViewsJSON
import Postgres
import Storage

extension RecordingJobs {
    /// Stores an outcome in the file's row and in the recording; the next delta has the change. Throws `LeaseLost` if
    /// nothing was stored.
    func store(_ outcome: JobOutcome, of job: RecordingJob) async throws {
        let hasRecording = try await database.backgroundTransaction(key: "job \(job.userID)") { [self] transaction in
            let (user, item) = (Parameter.text(job.userID), Parameter.text(job.recordingID))
            // The head is locked first, as in every write.
            let (_, files, stored, held, times) = try await transaction.run(
                writer.sql.lock(user),
                RecordingSQL.lockFile(user, item),
                RecordingSQL.get(user, item),
                JobSQL.hold(job.held),
                JobSQL.clock()
            )
            guard held == [true] else { throw LeaseLost() }
            let end = [JobSQL.end(job.held), JobTurnSQL.charge(job).step] + job.also(outcome)
            guard var file = files.first, let stored = stored.first, let version = stored.version,
                file.objectKey == job.objectKey, let now = times.first, file.note(outcome, at: now)
            else {
                try await transaction.commit(end)
                return files.first?.objectKey == job.objectKey
            }
            let write = try replacement(file, over: stored.document, version, job)
            let next = file.nextJob(after: outcome, user, item, makesPreviews: settings.previews != nil)
            let steps = [file.noted(outcome, user, item)] + end + next
            let (results, _) = try await writer.write(
                [write],
                by: Writer(serverFor: job.userID),
                in: transaction,
                more: steps
            )
            _ = try results[0].get()
            return true
        }
        if !hasRecording { try await deleteMade(by: job) }
    }

    /// Deletes the objects of this job if the account was erased, with its jobs, during the job.
    func deleteMadeForNobody(by job: RecordingJob) async throws {
        if try await database.background(JobSQL.hasFile(.text(job.objectKey))).isEmpty { try await deleteMade(by: job) }
    }

    /// Deletes the thumbnail or preview of a recording that was deleted during the job. The removal job may have run
    /// before the object was stored.
    private func deleteMade(by job: RecordingJob) async throws {
        let made: String? =
            switch job.kind {
            case .process: ThumbnailObject.key(of: job.objectKey)
            case .preview: PreviewObject.key(of: job.objectKey)
            case .verify, .remove: nil
            }
        if let key = made.flatMap(ObjectKey.init) { try await storage.delete(key) }
    }

    /// The recording with the new state of its file. The write names the version that it replaces, so it is never taken
    /// for a retry.
    private func replacement(
        _ file: RecordingFile,
        over document: [UInt8],
        _ version: VersionTag,
        _ job: RecordingJob
    ) throws -> ItemWrite {
        let current = try JSONParser.parse(document, policy: .rfc8259)
        let metadata: RecordingMetadata
        do throws(CloudSyncError) {
            metadata = try RecordingMetadata(current)
        } catch {
            throw UnexpectedResult("a stored recording has no metadata: \(error)")
        }
        return ItemWrite(
            kind: .replace,
            id: job.recordingID,
            spelledID: file.spelledID,
            content: RecordingDocument(metadata, file)?.content,
            conditions: WriteConditions(ifMatch: .versions([version])),
            sent: SentDigest(job.kind.rawValue, Array(job.lease.utf8))
        )
    }
}

extension RecordingFile {
    /// Applies an outcome. Returns false if there is nothing to store.
    fileprivate mutating func note(_ outcome: JobOutcome, at time: Timestamp) -> Bool {
        switch outcome {
        case .verified(let digest):
            (verifiedSHA256, verifiedAt, failure) = (digest, time, nil)
            state = canBeProcessed ? .processing : .ready
        case .failed(let reason): (state, failure) = (.failed, reason.rawValue)
        // A thumbnail does not repair a failed file. Earlier measurements are kept.
        case .processed where state == .failed: return false
        case .processed(let findings): (state, probe) = (.ready, findings.probe ?? probe)
        case .previewed, .removed, .gone: return false
        }
        return true
    }

    fileprivate func noted(_ outcome: JobOutcome, _ user: Parameter, _ item: Parameter) -> Step {
        let thumbnailBytes: Int? = if case .processed(let findings) = outcome { findings.thumbnailBytes } else { nil }
        return JobSQL.note(
            user,
            item,
            .text(state.rawValue),
            .text(failure),
            verifiedSHA256.map { .bytes($0) } ?? .null,
            .int(verifiedAt?.microseconds),
            probe.map { .utf8($0.serialized()[...]) } ?? .null,
            .int(thumbnailBytes)
        )
    }

    fileprivate func nextJob(
        after outcome: JobOutcome,
        _ user: Parameter,
        _ item: Parameter,
        makesPreviews: Bool
    ) -> [Step] {
        switch outcome {
        case .verified where state == .processing: [JobSQL.enqueue(.process, self, of: user, item)]
        case .processed(let findings) where makesPreviews && findings.hasPicture && canHavePreview:
            [JobSQL.enqueuePreview(user, item)]
        default: []
        }
    }

    private var canHavePreview: Bool {
        PreviewObject.isPossible(contentType: contentType, isEncrypted: encryption != nil)
    }
}

extension RecordingJob {
    /// The parts of an outcome that no client reads.
    fileprivate func also(_ outcome: JobOutcome) -> [Step] {
        switch outcome {
        case .previewed(failure: nil): [JobSQL.notePreview(.text(userID), .text(recordingID), .text(objectKey))]
        case .removed: [JobSQL.endPreview(.text(userID), .text(objectKey))]
        default: []
        }
    }
}

extension MediaFindings {
    fileprivate var hasPicture: Bool { probe?["width"]?.number != nil }
}
