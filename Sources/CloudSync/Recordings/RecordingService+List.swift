import Postgres

/// The filters of a list of recordings; nil members do not filter.
package struct RecordingFilter: Sendable {
    /// The device that recorded them.
    package var deviceID: String?
    /// Recorded at this time or later.
    package var from: Timestamp?
    /// Recorded before this time.
    package var to: Timestamp?
    /// `video_format`.
    package var videoFormat: String?
    /// One of the tags' names.
    package var tag: String?
    /// `processing_status`.
    package var state: RecordingState?

    /// Takes no filter.
    package init() {}

    fileprivate var parameters: [Parameter] {
        [
            .text(deviceID), .int(from?.microseconds), .int(to?.microseconds), .text(videoFormat), .text(tag),
            .text(state?.rawValue),
        ]
    }
}

/// A place in the list of recordings. Opaque to clients.
package struct RecordingCursor: Sendable, Equatable {
    let recordedAt: Timestamp
    let id: String

    /// The years that RFC 3339 can write, and a day for offsets.
    private static let range = -62_167_305_600_000_000...253_402_387_200_000_000

    /// The first page begins here, after all that an account can have. The plan of a page needs a place to begin at.
    static let newest = RecordingCursor(
        recordedAt: Timestamp(microseconds: range.upperBound),
        id: "ffffffff-ffff-ffff-ffff-ffffffffffff"
    )

    init(recordedAt: Timestamp, id: String) {
        self.recordedAt = recordedAt
        self.id = id
    }

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        self.init(recordedAt: try columns.next(), id: try columns.next())
    }

    /// Parses the output of `text`. Nil for anything else.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let microseconds = Int(parts[0]), Self.range.contains(microseconds),
            UUIDText.isValid(parts[1])
        else { return nil }
        self.init(recordedAt: Timestamp(microseconds: microseconds), id: String(parts[1]))
    }

    /// The value that a client sends for the next page.
    package var text: String { "\(recordedAt.microseconds).\(id)" }
}

/// Recordings of a list, in libpq's memory.
package struct ListedRecordings: Sendable {
    /// The number of recordings.
    package let count: Int
    private let rows: Rows

    /// Takes the rows of `RecordingSQL.page` up to the first one without its document, `limit` at most.
    init(_ rows: Rows, limit: Int) {
        self.rows = rows
        count = (0..<min(limit, rows.count)).first { DeltaItem(row: rows[$0]).lacksDocument } ?? min(limit, rows.count)
    }

    /// The recording at `index`, below `count`.
    package subscript(index: Int) -> DeltaItem { DeltaItem(row: rows[index]) }

    /// The cursor of the next page; nil on the last one.
    func next() throws(UnexpectedResult) -> RecordingCursor? {
        guard count > 0, count < rows.count else { return nil }
        var columns = Columns(rows[count - 1], from: DeltaItem.columnCount)
        return try RecordingCursor(&columns)
    }
}

/// A page of the list.
package struct RecordingList: Sendable {
    /// The entries of a page, newest first.
    package enum Content: Sendable {
        /// Completed recordings.
        case recordings(ListedRecordings)
        /// Uncompleted uploads.
        case uploads([StoredRecording])
    }

    /// The entries.
    package let content: Content
    /// The number of matches on all pages.
    package let total: Int
    /// The cursor of the next page; nil on the last one.
    package let next: RecordingCursor?
    /// A token that covers no change later than the page. Deltas from it have the rest.
    package let head: SyncToken?
}

extension RecordingService {
    /// Returns recordings ordered by recording time, newest first. With the state `.uploading`: uncompleted uploads
    /// ordered by request time.
    package func list(
        _ filter: RecordingFilter,
        before: RecordingCursor?,
        offset: Int,
        limit: Int,
        for caller: Caller
    ) async throws -> RecordingList {
        let place = before ?? .newest
        let user = Parameter.text(caller.userID)
        let range: [Parameter] = [.int(place.recordedAt.microseconds), .text(place.id), .int(offset), .int(limit + 1)]
        let parameters = [user] + range + filter.parameters
        let (total, head) = (RecordingSQL.total([user] + filter.parameters), SyncSQL.recordings.head(user))
        // The head is read first: the delta from it has all changes made meanwhile, even those that the page has
        // already.
        guard filter.state == .uploading else {
            let page = RecordingSQL.page(parameters)
            let ((heads, totals), rows) = try await database.readRows(for: caller, on: .large, head, total, then: page)
            let found = ListedRecordings(rows, limit: limit)
            return RecordingList(
                content: .recordings(found),
                total: totals.first ?? 0,
                next: try found.next(),
                head: heads.first
            )
        }
        let uploads = RecordingSQL.uploads(parameters)
        let (heads, totals, found) = try await database.read(for: caller, on: .large, head, total, uploads)
        let listed = found.prefix(limit)
        return RecordingList(
            content: .uploads(listed.map(\.upload)),
            total: totals.first ?? 0,
            next: found.count > listed.count ? listed.last?.cursor : nil,
            head: heads.first
        )
    }
}
