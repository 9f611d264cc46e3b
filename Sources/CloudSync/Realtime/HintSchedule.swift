/// The times at which the connection for hints sends: batches of hints, and a beat to itself. Without the beat the connection is dead.
package struct HintSchedule {
    package enum Step: Equatable {
        case hints
        case beat
        /// Wait so many milliseconds at most, or until something comes.
        case wait(ms: UInt64)
        /// Nothing has come back for too long.
        case giveUp
    }

    /// PostgreSQL lets one NOTIFY commit at a time. The cost of a batch for writers can't be measured.
    private static let batchEveryMs: UInt64 = 5
    private static let beatEveryMs: UInt64 = 2000
    private static let silenceMaxMs: UInt64 = 5000

    private var batchedAtMs: UInt64 = 0
    private var beatenAtMs: UInt64
    private var heardAtMs: UInt64

    /// A connection that has begun to listen.
    package init(nowMs: UInt64) {
        (beatenAtMs, heardAtMs) = (nowMs, nowMs)
    }

    /// The next step. `isAnswering`: the last statement has no result yet.
    package mutating func next(hasHints: Bool, isAnswering: Bool, nowMs: UInt64) -> Step {
        if nowMs >= heardAtMs + Self.silenceMaxMs { return .giveUp }
        let silenceMs = heardAtMs + Self.silenceMaxMs - nowMs
        if isAnswering { return .wait(ms: silenceMs) }
        if nowMs >= beatenAtMs + Self.beatEveryMs {
            beatenAtMs = nowMs
            return .beat
        }
        let beatMs = min(silenceMs, beatenAtMs + Self.beatEveryMs - nowMs)
        guard hasHints else { return .wait(ms: beatMs) }
        if nowMs >= batchedAtMs + Self.batchEveryMs {
            batchedAtMs = nowMs
            return .hints
        }
        return .wait(ms: min(beatMs, batchedAtMs + Self.batchEveryMs - nowMs))
    }

    /// A notification of this connection came back.
    package mutating func heard(nowMs: UInt64) { heardAtMs = nowMs }
}
