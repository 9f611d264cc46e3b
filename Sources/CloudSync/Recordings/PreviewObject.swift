import Media
import Storage

/// The object of a recording's preview, and the files in which previews are made.
enum PreviewObject {
    static let contentType = "video/mp4"

    /// Its name in the store.
    static func key(of objectKey: String) -> String { objectKey + ".preview" }

    /// The name under which an attempt makes it. Each attempt has its own: one that has lost its lease may still be writing.
    static func work(of job: RecordingJob) -> String { "\(key(of: job.objectKey)).\(job.lease)" }

    /// Whether a file of that type can have one.
    static func isPossible(contentType: String, isEncrypted: Bool) -> Bool {
        !isEncrypted && MediaFormat(contentType: contentType)?.isMoving == true
    }
}

extension RecordingJobs {
    /// Makes a video that browsers play. Throws what may be better another time, such as a disk without room.
    func makePreview(
        of file: RecordingFile,
        _ key: ObjectKey,
        as preview: ObjectKey,
        _ job: RecordingJob
    ) async throws -> JobOutcome {
        guard let limits = settings.previews, case .disk(let disk) = storage,
            let work = ObjectKey(PreviewObject.work(of: job))
        else { return .previewed(failure: "this server makes none") }
        _ = try await storage.size(of: key)
        try await disk.deleteWork(preview)
        let source = MediaFile(path: disk.path(of: key), contentType: file.contentType)
        var failure: MediaFailure?
        _ = try await disk.store(as: preview, through: work, maxBytes: limits.maxBytes) { path in
            failure = try await laboratory.preview(of: source, to: path, limits)
            return failure == nil
        }
        return .previewed(failure: failure?.description)
    }
}
