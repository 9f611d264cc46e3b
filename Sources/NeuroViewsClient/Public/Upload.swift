#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A file on its way to the server, or one that has arrived. It has its state on the disk: a crash, a restart or a dead spot costs
/// no byte that the server has.
public struct Upload: Identifiable, Hashable, Sendable {
    /// The state of an upload. `hashing`, `queued`, `sending`, `completing` and `verifying` follow one another.
    public enum State: Hashable, Sendable {
        /// The file's SHA-256 is being taken, or waits for its turn.
        case hashing
        /// The SHA-256 is known, and sending begins.
        case queued
        /// The server gets the bytes.
        case sending
        /// A pause before the next attempt; ``Upload/interruption`` has the reason.
        case waiting
        /// The server has every byte, and gets the metadata.
        case completing
        /// The server reads the file back.
        case verifying
        /// The recording is ready with the SHA-256 that was computed here: the local file may go.
        case done
        /// ``NeuroViews/pauseUpload(_:)`` stopped it.
        case paused
        /// It can't go on by itself.
        case failed(UploadFailure)
    }

    /// The recording's id.
    public let id: UUID
    /// The local file.
    public let file: URL
    /// The file's media type.
    public let contentType: String
    /// The bytes that the server gets: those of the file, or of the sealed file.
    public let size: Int64
    /// True if the file is sealed on its way, so that only the user's devices can read it.
    public let isSealed: Bool
    /// The bytes that are at the server or on their way. It may fall a little after a cut.
    public let sent: Int64
    /// The state.
    public let state: State
    /// The reason of the last interruption, while the app runs: of a pause, or of a store that can't be used.
    public let interruption: ClientError?

    /// True if the server has the whole file and has read it back with the digest that was computed here. False again once another file is in
    /// its place: a camera may use a name twice.
    public let mayDeleteFile: Bool

    init(_ row: UploadRow, sent: Int64? = nil, interruption: ClientError? = nil) {
        id = row.id
        file = URL(fileURLWithPath: row.path)
        contentType = row.type
        (size, isSealed) = (row.transferBytes, row.seal != nil)
        self.sent = min(sent ?? row.sent, row.transferBytes)
        state = State(row)
        mayDeleteFile = row.phase == .done && !LocalFile.isOther(row.path, than: row.identity)
        self.interruption = interruption
    }
}

extension Upload.State {
    fileprivate init(_ row: UploadRow) {
        switch row.phase {
        case .hashing: self = .hashing
        case .queued: self = .queued
        case .sending: self = .sending
        case .waiting: self = .waiting
        case .completing: self = .completing
        case .verifying: self = .verifying
        case .done: self = .done
        case .paused: self = .paused
        case .failed: self = .failed(row.failure ?? .notVerified("for an unknown reason"))
        }
    }

    /// True for `done` and `failed`.
    public var isOver: Bool {
        switch self {
        case .done, .failed: true
        default: false
        }
    }
}

/// The progress of a download.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes that are here.
    public let bytes: Int64
    /// The bytes of the whole file, if they are known.
    public let total: Int64?

    init(bytes: Int64, total: Int64?) { (self.bytes, self.total) = (bytes, total) }
}
