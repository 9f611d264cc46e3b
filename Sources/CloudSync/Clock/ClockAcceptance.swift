import Postgres

/// Trusts the database's clock as it is, for an operator who has checked it. Servers may run.
package enum ClockAcceptance {
    /// The clock before.
    package struct Result: Sendable, Equatable {
        /// Trusted: there was nothing to accept.
        package let verdict: ClockVerdict
        /// The database's time.
        package let time: Timestamp
    }

    /// Accepts a doubted clock, and its lead over `serverS`, the clock of this machine. The trail keeps `operatorName`.
    /// Throws `DatabaseError`. Blocks.
    package static func run(_ connectionString: String, serverS: Int, by operatorName: String) throws -> Result {
        let session = try BlockingSession(connectionString)
        // In the order of a look: lock the row, then read it and the time.
        try session.execute("SET ROLE \(DatabaseRole.ownerName); BEGIN; \(ClockSQL.locking)")
        let noted = try ClockNote.read(session)
        let databaseS = noted?.databaseS ?? serverS
        let verdict = noted?.note.verdict(databaseS: databaseS, serverS: serverS) ?? .doubted(.aheadOfNote, seconds: 0)
        if verdict != .trusted {
            var note = ClockNote(notedAtS: databaseS)
            note.accept(databaseS: databaseS, serverS: serverS)
            try session.execute(ClockSQL.storing, note.parameters)
            try session.execute(
                "INSERT INTO neuroviews.operator_actions (operator, action) VALUES ($1, 'accept clock')",
                [operatorName]
            )
        }
        try session.execute("COMMIT")
        return Result(verdict: verdict, time: Timestamp(seconds: databaseS))
    }
}
