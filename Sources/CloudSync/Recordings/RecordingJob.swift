import Postgres

/// What is done with a recording's file.
enum JobKind: String, Sendable, CaseIterable, ColumnValue {
    /// It is read back, and compared with what the client sent.
    case verify
    /// It is measured, and gets a thumbnail.
    case process
    /// What is left of it in the store is deleted.
    case remove
    /// It gets a video that browsers play.
    case preview
}

/// A job that a server has begun. It may store the result as long as nobody else has begun it again.
struct RecordingJob: Sendable {
    let userID: String
    let recordingID: String
    let objectKey: String
    let kind: JobKind
    /// How often it was begun, this time included.
    let attempts: Int
    /// How many of these the store has failed.
    let excused: Int
    /// The token of this attempt.
    let lease: String

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        userID = try columns.next()
        recordingID = try columns.next()
        objectKey = try columns.next()
        kind = try columns.next()
        attempts = try columns.next()
        excused = try columns.next()
        lease = try columns.next()
    }

    /// The attempts after which a job is given up.
    var countedAttempts: Int { attempts - excused }
}

/// What a job has found out, or done.
enum JobOutcome: Sendable {
    /// The file is whole; its SHA-256.
    case verified([UInt8])
    /// The file is not what the client sent.
    case failed(RecordingFailure)
    /// What could be measured, and whether there is a thumbnail.
    case processed(MediaFindings)
    /// Nothing is left in the store.
    case removed
    /// There is a preview; or why there is none, for the log.
    case previewed(failure: String?)
    /// There is no such recording any more.
    case gone
}

/// Why a recording failed: `failure` in its document.
enum RecordingFailure: String, Sendable, CaseIterable {
    case wrongSize = "wrong size"
    case wrongDigest = "wrong digest"
    case lostObject = "lost object"
    /// Each server that began to read it has ended.
    case notVerified = "not verified"
}

/// A recording whose metadata was taken.
public struct CompletedRecording: Sendable {
    /// Of the write.
    public let receipt: WriteReceipt
    let state: RecordingState

    /// The id in the spelling of the upload request.
    public var id: String { receipt.id }
    /// The version that the metadata made.
    public var version: VersionTag { receipt.version }
    /// `processing_status`.
    public var status: String { state.shown.rawValue }
}

/// What a job came to, for log and metrics.
public struct JobEvent: Sendable {
    /// How an attempt ended.
    public enum End: Sendable {
        /// The result is stored. What went wrong with the file, or could not be found out of it.
        case done(notes: [String])
        /// It is tried again later.
        case postponed(reason: String)
        /// It is not tried again.
        case dead(reason: String)
        /// Another server has begun it meanwhile.
        case lost
        /// The server is stopping; another one, or the next start, does it.
        case interrupted
    }

    /// "verify", "process", "remove" or "preview".
    public let kind: String
    /// The recording's id.
    public let recordingID: String
    /// How often it was begun.
    public let attempts: Int
    /// How long this attempt took.
    public let durationMs: Int
    /// How it ended.
    public let end: End
}
