import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The end of a sync.
package struct SyncOutcome: Sendable {
    /// What was done.
    package var report = SyncReport()
    /// The reason of the end, if it is not that everything was done.
    package var failure: ClientError?
    /// The time until the next sync may begin; nil if nothing is left.
    package var wait: Duration?
}

/// A pause under way.
struct RunningPause {
    let end: ContinuousClock.Instant
    /// True if the server asked for it: then nothing ends it early.
    let isOfServer: Bool
    let reason: ClientError?

    init(_ pause: Pause, _ reason: ClientError?) {
        end = .now + pause.length
        isOfServer = pause.isOfServer
        self.reason = reason
    }

    /// The time that is left; nil if it is over.
    var rest: Duration? {
        let rest = end - .now
        return rest > .zero ? rest : nil
    }

    /// The reason, with the time that is left.
    func failure(after rest: Duration) -> ClientError {
        guard isOfServer, case .tryLater(let problem, _) = reason else { return reason ?? .tryLater(nil, seconds: nil) }
        return .tryLater(problem, seconds: Int64((rest / .seconds(1)).rounded(.up)))
    }

    /// The same moment of the calendar, for people.
    var date: Date { Date(timeIntervalSinceNow: (end - .now) / .seconds(1)) }
}
