import Postgres

/// The row of `clock_note`, with the time of its reading.
struct NotedClock: Sendable {
    let note: ClockNote
    let databaseS: Int

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        var note = ClockNote(notedAtS: try columns.next())
        note.doubt = try columns.next()
        note.doubtedAtS = try columns.next()
        note.evenSeconds = try columns.next()
        note.acceptedLeadSeconds = try columns.next()
        self.note = note
        databaseS = try columns.next()
    }

    /// Reads the row for a command beside the servers; nil if it is gone.
    init?(reading session: BlockingSession) throws {
        guard let row = try session.execute(ClockSQL.reading).first else { return nil }
        var columns = Columns(row)
        try self.init(&columns)
    }
}

extension ClockDoubt: ColumnValue {}

/// The statements about the clock. `ClockWatch` and `ClockAcceptance` run `lock`, `read` and `store` in one transaction.
enum ClockSQL {
    static let locking = "SELECT FROM neuroviews.clock_note FOR NO KEY UPDATE"
    static let reading = """
        SELECT floor(extract(epoch FROM noted_at))::bigint, doubt, floor(extract(epoch FROM doubted_at))::bigint, even_seconds,
            accepted_lead_seconds, floor(extract(epoch FROM clock_timestamp()))::bigint
        FROM neuroviews.clock_note
        """
    static let storing = """
        INSERT INTO neuroviews.clock_note (noted_at, doubt, doubted_at, even_seconds, accepted_lead_seconds)
        VALUES (to_timestamp($1::bigint), nullif($2::text, ''), to_timestamp(nullif($3::text, '')::bigint), $4::integer, $5::bigint)
        ON CONFLICT (singleton) DO UPDATE SET noted_at = excluded.noted_at, doubt = excluded.doubt,
            doubted_at = excluded.doubted_at, even_seconds = excluded.even_seconds,
            accepted_lead_seconds = excluded.accepted_lead_seconds
        """

    /// Locks the row, so that looks of several servers run one after the other.
    static let lock = Query<Void>(locking)
    /// Reads the row and the time. A statement of its own after `lock`: its snapshot and its time are from after the wait.
    static let read = Query(reading) { columns throws(UnexpectedResult) in try NotedClock(&columns) }
    private static let storeNote = Query<Void>(storing)
    static func store(_ note: ClockNote) -> Step { storeNote(note.parameters.map { .text($0) }).step }

    /// Raises `doubtedState` if the clock is not trusted. It locks nothing: its snapshot has a note that was trusted. $1 the
    /// server's time.
    static let require = Query<Void>("SELECT require_trusted_clock(to_timestamp($1::bigint))")
    static let doubtedState = "NV060"

    /// Without the row nothing is trusted.
    static let missing = UnexpectedResult(
        "the row of clock_note is gone, so nothing is deleted by age: run neuroviews-server admin accept-clock"
    )
}

extension ClockNote {
    /// $1 to $5 of `storing`.
    var parameters: [String] {
        [
            String(notedAtS), doubt?.rawValue ?? "", doubtedAtS.map { String($0) } ?? "", String(evenSeconds),
            String(acceptedLeadSeconds),
        ]
    }

    /// Reads the note and the database's time, for a command beside the servers; nil if the row is gone.
    package static func read(_ session: BlockingSession) throws -> (note: ClockNote, databaseS: Int)? {
        try NotedClock(reading: session).map { ($0.note, $0.databaseS) }
    }
}
