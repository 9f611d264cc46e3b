import Net
import Postgres

/// Looks at the database's clock for one server, and keeps the note that all servers share.
package final class ClockWatch: Sendable {
    /// The result of a look.
    package struct Report: Sendable, Equatable {
        package let verdict: ClockVerdict
        /// True if this server's look before had another verdict. A first look compares with a trusted clock.
        package let isNew: Bool
        /// How far the note was set back; 0: not at all.
        package let setBackSeconds: Int
    }

    private struct State {
        var verdict: ClockVerdict?
        var lookedMs: UInt64?
    }

    private let database: CallerDatabase
    private let now: @Sendable () -> Int
    private let uptimeMs: @Sendable () -> UInt64
    private let state = Locked(State())

    /// `now` is the server's clock, `uptimeMs` one that never jumps.
    package init(
        database: Database,
        now: @escaping @Sendable () -> Int,
        uptimeMs: @escaping @Sendable () -> UInt64 = { Monotonic.nowMs() }
    ) {
        self.database = CallerDatabase(database)
        self.now = now
        self.uptimeMs = uptimeMs
    }

    /// The verdict of the last look; nil before the first.
    package var verdict: ClockVerdict? { state.withLock { $0.verdict } }

    /// True if the last look doubted the clock. Statements that delete by age are refused then in any case.
    package var isDoubted: Bool {
        if case .doubted = verdict { true } else { false }
    }

    /// Looks at the clock and stores the note. To be called every few minutes, by one task.
    @discardableResult
    package func look() async throws -> Report {
        let (now, uptimeMs, last) = (now, uptimeMs, state.withLock { $0 })
        let (verdict, setBackSeconds, lookedMs) = try await database.backgroundTransaction(key: "clock") {
            transaction in
            _ = try await transaction.run(ClockSQL.lock())
            guard let noted = try await transaction.run(ClockSQL.read()).first else { throw ClockSQL.missing }
            let lookedMs = uptimeMs()
            let ranSeconds = last.lookedMs.map { Int((lookedMs - $0) / 1000) } ?? 0
            var note = noted.note
            let verdict = note.take(ClockLook(databaseS: noted.databaseS, serverS: now(), ranSeconds: ranSeconds))
            try await transaction.commit(note == noted.note ? [] : [ClockSQL.store(note)])
            return (verdict, max(0, noted.note.notedAtS - note.notedAtS), lookedMs)
        }
        state.withLock { $0 = State(verdict: verdict, lookedMs: lookedMs) }
        return Report(
            verdict: verdict,
            isNew: !verdict.hasReason(of: last.verdict ?? .trusted),
            setBackSeconds: setBackSeconds
        )
    }
}

extension ClockVerdict {
    /// True if both trust the clock, or doubt it for the same reason.
    fileprivate func hasReason(of other: ClockVerdict) -> Bool {
        switch (self, other) {
        case (.trusted, .trusted): true
        case (.doubted(let mine, _), .doubted(let others, _)): mine == others
        default: false
        }
    }
}
