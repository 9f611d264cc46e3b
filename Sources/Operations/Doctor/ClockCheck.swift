import CloudSync
import Machine

/// Compares the database's clock with the time that servers have noted. A clock that is ahead stops the deletions by age.
struct ClockCheck {
    private static let remedy =
        "set the clock of the database's machine, or if it is right run neuroviews-server admin accept-clock"

    func findings(_ database: ExaminedDatabase) throws -> [Finding] {
        guard try database.hasTables(with: "clock_note") else { return [] }
        guard let (note, databaseS) = try ClockNote.read(database.connection) else {
            return [.warning("old data", "nothing is deleted by age: the row of clock_note is gone", Self.remedy)]
        }
        return [Self.finding(note, databaseS: databaseS, serverS: Clock.now())]
    }

    /// A server that runs may have other reasons than this machine: the note has the last look of any server.
    static func finding(_ note: ClockNote, databaseS: Int, serverS: Int) -> Finding {
        switch (note.verdict(databaseS: databaseS, serverS: serverS), note.doubt) {
        case (.doubted(.aheadOfNote, let seconds), _):
            let last = Timestamp(seconds: note.notedAtS).text
            return stopped(
                "the database's clock is \(span(seconds)) ahead of \(last), the last time that was noted",
                note
            )
        case (.doubted(.aheadOfServer, let seconds), _):
            return stopped("the database's clock is \(span(seconds)) ahead of this machine's", note)
        case (.trusted, .aheadOfServer):
            return stopped("the database's clock is ahead of another server's", note)
        case (.trusted, _):
            return .ok("old data", "is deleted when its time is over: the database's clock went on as noted")
        }
    }

    private static func stopped(_ reason: String, _ note: ClockNote) -> Finding {
        let hours = "\(note.evenSeconds / 3600) of \(ClockNote.evenSecondsNeeded / 3600) hours"
        return .warning("old data", "nothing is deleted by age: \(reason); servers have run \(hours) evenly", remedy)
    }

    private static func span(_ seconds: Int) -> String {
        seconds < 2 * 86_400 ? "\(seconds / 3600) hours" : "\(seconds / 86_400) days"
    }
}
