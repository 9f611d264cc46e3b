/// The rule for the database's clock, without clock or database. A clock that jumps ahead is doubted: then nothing is
/// deleted by age. All servers share one note, the row of `clock_note`. Times are in Unix seconds.
package struct ClockNote: Sendable, Equatable {
    /// The newest time that was trusted. A doubted clock does not move it.
    package var notedAtS: Int
    /// Why the last look doubted the clock; nil: it trusted the clock.
    package var doubt: ClockDoubt?
    /// The database's time at that look.
    package var doubtedAtS: Int?
    /// The seconds that servers have run since the clock is doubted, while it went on evenly. Servers that run at once
    /// count once.
    package var evenSeconds = 0
    /// The lead over a server's clock that an operator or a day of running has accepted.
    package var acceptedLeadSeconds = 0

    /// A machine may be off for a night.
    static let aheadOfNoteMaxSeconds = 86_400
    /// Servers' clocks may differ. `clock_is_trusted` has the same two limits.
    static let aheadOfServerMaxSeconds = 3600
    /// A time further behind the note sets the note back.
    static let behindMaxSeconds = 3600
    /// After such a time of even running a doubted clock is trusted.
    package static let evenSecondsNeeded = 86_400

    /// The note of a clock that is trusted.
    package init(notedAtS: Int) { self.notedAtS = notedAtS }

    /// Judges the times of the database and of a server, without a change of the note.
    package func verdict(databaseS: Int, serverS: Int) -> ClockVerdict {
        let (aheadOfNote, lead) = (databaseS - notedAtS, databaseS - serverS)
        if aheadOfNote > Self.aheadOfNoteMaxSeconds { return .doubted(.aheadOfNote, seconds: aheadOfNote) }
        if lead > Self.aheadOfServerMaxSeconds + acceptedLeadSeconds { return .doubted(.aheadOfServer, seconds: lead) }
        return .trusted
    }

    /// Takes a look at the clock, and returns the verdict.
    package mutating func take(_ look: ClockLook) -> ClockVerdict {
        if look.databaseS < notedAtS - Self.behindMaxSeconds { notedAtS = look.databaseS }
        let verdict = verdict(databaseS: look.databaseS, serverS: look.serverS)
        guard case .doubted(let reason, _) = verdict else {
            trust(look)
            return .trusted
        }
        countEvenRun(look)
        guard evenSeconds < Self.evenSecondsNeeded else {
            accept(databaseS: look.databaseS, serverS: look.serverS)
            return .trusted
        }
        (doubt, doubtedAtS) = (reason, look.databaseS)
        return verdict
    }

    /// Trusts the clock as it is, also its lead over the server's.
    package mutating func accept(databaseS: Int, serverS: Int) {
        let lead = databaseS - serverS
        self = ClockNote(notedAtS: databaseS)
        acceptedLeadSeconds = lead > Self.aheadOfServerMaxSeconds ? lead : 0
    }

    /// A lead that has become smaller is not accepted again.
    private mutating func trust(_ look: ClockLook) {
        let lead = look.databaseS - look.serverS
        let stillAccepted = lead > Self.aheadOfServerMaxSeconds ? min(acceptedLeadSeconds, lead) : 0
        self = ClockNote(notedAtS: max(notedAtS, look.databaseS))
        acceptedLeadSeconds = stillAccepted
    }

    /// Adds the time since the last look of any server, as far as this server has run. A jump, as between two looks or
    /// while no server ran, begins the count anew.
    private mutating func countEvenRun(_ look: ClockLook) {
        guard let doubtedAtS else { return }
        let step = look.databaseS - doubtedAtS
        let isEven = step >= -Self.behindMaxSeconds && step - look.ranSeconds <= Self.aheadOfNoteMaxSeconds
        evenSeconds = isEven ? evenSeconds + max(0, min(step, look.ranSeconds)) : 0
    }
}

/// What a server sees when it looks at the clocks.
package struct ClockLook: Sendable {
    /// The time of the database.
    let databaseS: Int
    /// The time of the server.
    let serverS: Int
    /// The monotonic time since this server's last look; 0 at its first.
    let ranSeconds: Int
}

/// A reason to doubt the database's clock.
package enum ClockDoubt: String, Sendable, CaseIterable {
    /// It is more than a day ahead of the note.
    case aheadOfNote = "ahead-of-note"
    /// It is more than an hour ahead of the server's clock.
    case aheadOfServer = "ahead-of-server"
}

/// Whether data may be deleted by age.
package enum ClockVerdict: Sendable, Equatable {
    case trusted
    /// The clock is ahead by so much.
    case doubted(ClockDoubt, seconds: Int)
}
