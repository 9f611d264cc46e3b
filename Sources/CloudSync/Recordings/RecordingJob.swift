import Net
import Postgres

/// The kinds of work on a recording's file.
enum JobKind: String, Sendable, CaseIterable, ColumnValue {
    /// Reads the file and compares its digest with the client's.
    case verify
    /// Measures the file and makes a thumbnail.
    case process
    /// Deletes all objects of the recording.
    case remove
    /// Makes a video that browsers can play.
    case preview
}

/// A job that a server has begun. The server may store the result unless another one has begun the job again.
struct RecordingJob: Sendable {
    let userID: String
    let recordingID: String
    let objectKey: String
    let kind: JobKind
    /// The number of attempts, this one included.
    let attempts: Int
    /// The number of attempts that failed because of the store.
    let excused: Int
    /// The token of this attempt.
    let lease: String
    private let begunMs = Monotonic.nowMs()

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        userID = try columns.next()
        recordingID = try columns.next()
        objectKey = try columns.next()
        kind = try columns.next()
        attempts = try columns.next()
        excused = try columns.next()
        lease = try columns.next()
    }

    /// How long this attempt has kept its worker.
    var workedMs: Int { Int(Monotonic.nowMs() - begunMs) }

    /// The attempts that count towards the limit.
    var countedAttempts: Int { attempts - excused }
}

/// The outcome of a job.
enum JobOutcome: Sendable {
    /// The file is intact; its SHA-256.
    case verified([UInt8])
    /// The file differs from the client's file.
    case failed(RecordingFailure)
    /// The measurements, and the thumbnail's size if there is one.
    case processed(MediaFindings)
    /// No object is left in the store.
    case removed
    /// The preview is stored; otherwise the reason, for the log.
    case previewed(failure: String?)
    /// The recording no longer exists.
    case gone
}

/// The reason why a recording failed: `failure` in its document.
enum RecordingFailure: String, Sendable, CaseIterable {
    case wrongSize = "wrong size"
    case wrongDigest = "wrong digest"
    case lostObject = "lost object"
    /// Every server that tried to read it has stopped meanwhile.
    case notVerified = "not verified"
}

/// A recording whose metadata were accepted.
package struct CompletedRecording: Sendable {
    /// The receipt of the write.
    package let receipt: WriteReceipt
    /// The recording's object, which the link to its thumbnail names.
    package let objectKey: String
    let state: RecordingState

    /// The id in the spelling of the upload request.
    package var id: String { receipt.id }
    /// The version made by the metadata.
    package var version: VersionTag { receipt.version }
    /// `processing_status`.
    package var status: String { state.shown.rawValue }
}

/// The end of an attempt at a job, for log and metrics.
package struct JobEvent: Sendable {
    /// The kind of end.
    package enum End: Sendable {
        /// The result is stored. The notes have the file's failure, or the missing measurements.
        case done(notes: [String])
        /// The job will be tried again.
        case postponed(reason: String)
        /// The job is given up.
        case dead(reason: String)
        /// Another server has begun the job meanwhile.
        case lost
        /// The server is stopping; another server, or the next start, runs the job.
        case interrupted
    }

    /// The values of `kind`.
    package static var kinds: [String] { JobKind.allCases.map(\.rawValue) }

    /// "verify", "process", "remove" or "preview".
    package let kind: String
    /// The recording's id.
    package let recordingID: String
    /// The number of attempts so far.
    package let attempts: Int
    /// The duration of this attempt.
    package let durationMs: Int
    /// The kind of end.
    package let end: End
}
