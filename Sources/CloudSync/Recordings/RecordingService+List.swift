import Postgres

/// What a list of recordings is narrowed to; nil members narrow nothing.
public struct RecordingFilter: Sendable {
    /// The device that recorded them.
    public var deviceID: String?
    /// Not recorded before.
    public var from: Timestamp?
    /// Recorded before.
    public var to: Timestamp?
    /// `video_format`.
    public var videoFormat: String?
    /// One of the tags' names.
    public var tag: String?
    /// `processing_status`.
    public var state: RecordingState?

    /// Narrows nothing.
    public init() {}

    fileprivate var parameters: [Parameter] {
        [
            .text(deviceID), .int(from?.microseconds), .int(to?.microseconds), .text(videoFormat), .text(tag),
            .text(state?.rawValue),
        ]
    }
}

/// A place in the list of recordings. Opaque to clients.
public struct RecordingCursor: Sendable, Equatable {
    let recordedAt: Timestamp
    let id: String

    /// The years that RFC 3339 can write, and a day for offsets.
    private static let range = -62_167_305_600_000_000...253_402_387_200_000_000

    init(recordedAt: Timestamp, id: String) {
        self.recordedAt = recordedAt
        self.id = id
    }

    /// Parses what `text` gave. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let microseconds = Int(parts[0]), Self.range.contains(microseconds),
            UUIDText.isValid(parts[1])
        else { return nil }
        self.init(recordedAt: Timestamp(microseconds: microseconds), id: String(parts[1]))
    }

    /// What a client sends to get the next page.
    public var text: String { "\(recordedAt.microseconds).\(id)" }
}

/// A recording in a list.
public struct ListedRecording: Sendable {
    /// The document with its version; nil behind the end of a page.
    public let found: StoredRecording?
    /// Where the list goes on after this one.
    public let cursor: RecordingCursor
}

/// A page of the list.
public struct RecordingList: Sendable {
    /// Newest first.
    public let recordings: [ListedRecording]
    /// How many the filter leaves, on all pages.
    public let total: Int
    /// Whether there are more after the last one.
    public let hasMore: Bool
    /// The newest change of the collection.
    public let head: SyncToken?
}

extension RecordingService {
    /// Recordings by the time that they were made at, newest first; or, for the state `.uploading`, the uploads that are not completed, by
    /// the time that they were asked for at.
    public func list(
        _ filter: RecordingFilter,
        before: RecordingCursor?,
        offset: Int,
        limit: Int,
        for caller: Caller
    ) async throws -> RecordingList {
        let place: [Parameter] = [.int(before?.recordedAt.microseconds), .text(before?.id)]
        let page: [Parameter] = [.int(offset), .int(limit + 1)]
        let user = Parameter.text(caller.userID)
        let query = filter.state == .uploading ? RecordingSQL.uploads : RecordingSQL.page
        let (found, totals, heads) = try await database.read(
            for: caller,
            query([user] + place + page + filter.parameters),
            RecordingSQL.total([user] + filter.parameters),
            SyncSQL.recordings.head()
        )
        let listed = found.prefix(limit).prefix { $0.found != nil }
        return RecordingList(
            recordings: Array(listed),
            total: totals.first ?? 0,
            hasMore: found.count > listed.count,
            head: heads.first
        )
    }
}
