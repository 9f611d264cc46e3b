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

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        self.init(recordedAt: try columns.next(), id: try columns.next())
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

/// Recordings of a list, where libpq keeps them.
public struct ListedRecordings: Sendable {
    /// How many there are.
    public let count: Int
    private let rows: Rows

    /// Those of what `RecordingSQL.page` gave that a page has, `limit` at most.
    init(_ rows: Rows, limit: Int) {
        self.rows = rows
        count = (0..<min(limit, rows.count)).first { DeltaItem(row: rows[$0]).lacksDocument } ?? min(limit, rows.count)
    }

    /// The recording at `index`, below `count`.
    public subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index]) }

    /// Where the list goes on; nil when these are the last ones.
    func next() throws(UnexpectedResult) -> RecordingCursor? {
        guard count > 0, count < rows.count else { return nil }
        var columns = Columns(rows[count - 1], from: DeltaItem.columnCount)
        return try RecordingCursor(&columns)
    }
}

/// A page of the list.
public struct RecordingList: Sendable {
    /// What a page has, newest first.
    public enum Content: Sendable {
        /// Completed ones.
        case recordings(ListedRecordings)
        /// Uploads that are not completed.
        case uploads([StoredRecording])
    }

    /// The page.
    public let content: Content
    /// How many the filter leaves, on all pages.
    public let total: Int
    /// Where the list goes on; nil when there are no more.
    public let next: RecordingCursor?
    /// A change that the page has, with all before it: deltas that begin there have the rest.
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
        let user = Parameter.text(caller.userID)
        let parameters = [user] + place + [.int(offset), .int(limit + 1)] + filter.parameters
        let (total, head) = (RecordingSQL.total([user] + filter.parameters), SyncSQL.recordings.head())
        // The head comes first: what changes meanwhile is in the delta that begins there, whatever the page has of it.
        guard filter.state == .uploading else {
            let ((heads, totals), rows) = try await database.readRows(
                for: caller,
                head,
                total,
                then: RecordingSQL.page(parameters)
            )
            let found = ListedRecordings(rows, limit: limit)
            return RecordingList(
                content: .recordings(found),
                total: totals.first ?? 0,
                next: try found.next(),
                head: heads.first
            )
        }
        let (heads, totals, found) = try await database.read(for: caller, head, total, RecordingSQL.uploads(parameters))
        let listed = found.prefix(limit)
        return RecordingList(
            content: .uploads(listed.map(\.upload)),
            total: totals.first ?? 0,
            next: found.count > listed.count ? listed.last?.cursor : nil,
            head: heads.first
        )
    }
}
