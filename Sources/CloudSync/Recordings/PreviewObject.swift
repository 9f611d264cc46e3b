import Media
import Storage

/// The object of a recording's preview, and the files of attempts to make one.
enum PreviewObject {
    static let contentType = "video/mp4"

    /// Its name in the store.
    static func key(of objectKey: String) -> String { objectKey + ".preview" }

    /// The name of the file of one attempt. Each attempt has its own: an attempt that has lost its lease may still be
    /// writing.
    static func work(of job: RecordingJob) -> String { "\(key(of: job.objectKey)).\(job.lease)" }

    /// True if a file of that type can have a preview.
    static func isPossible(contentType: String, isEncrypted: Bool) -> Bool {
        !isEncrypted && MediaFormat(contentType: contentType)?.isMoving == true
    }
}

extension RecordingJobs {
    /// Makes a video that browsers can play. Throws errors that may be temporary, such as a full disk.
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
