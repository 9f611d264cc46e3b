/// The time of the next sync of a client that was started.
struct SyncSchedule {
    private static let quiet: Duration = .seconds(2)
    private static let longest: Duration = .seconds(10)
    private static let intervalMin: Duration = .seconds(1)
    /// The part of the interval by which devices differ, so that those which started together part.
    private static let spread = 0.1
    /// The time between two syncs that others' changes cause.
    private static let noticePause: Duration = .milliseconds(250)

    private var firstEdit: ContinuousClock.Instant?
    private var lastEdit: ContinuousClock.Instant?
    private var next: ContinuousClock.Instant?
    private var isPause = false
    private var lastNotice: ContinuousClock.Instant?
    /// True if a sync was wanted while one was under way: the next one follows at once.
    private var isWanted = false

    /// The time of the next sync; nil before the client was started. No edit ends a pause.
    var due: ContinuousClock.Instant? {
        guard let next, !isPause, let firstEdit, let lastEdit else { return next }
        return min(next, lastEdit + Self.quiet, firstEdit + Self.longest)
    }

    /// Begins with a sync at once.
    mutating func start(at now: ContinuousClock.Instant) { (next, isPause, isWanted) = (now, false, true) }

    /// Plans nothing any more.
    mutating func stop() { (next, firstEdit, lastEdit) = (nil, nil, nil) }

    /// The user edits: a sync follows when no other edit does for a while.
    mutating func edit(at now: ContinuousClock.Instant) { (firstEdit, lastEdit) = (firstEdit ?? now, now) }

    /// Others have changed something: a sync follows at once, or soon after the last such one. No notice ends a pause.
    mutating func notice(at now: ContinuousClock.Instant) {
        guard let planned = next, !isPause else { return }
        let due = max(now, lastNotice.map { $0 + Self.noticePause } ?? now)
        if due < planned { (next, lastNotice) = (due, due) }
    }

    /// A sync begins, which takes the edits so far along.
    mutating func begin() { (firstEdit, lastEdit, isWanted) = (nil, nil, false) }

    /// A sync has ended with a pause, or another one follows after the interval. `fraction`: 0 to 1 by chance.
    mutating func end(
        pause: Duration?,
        interval: Duration,
        fraction: Double,
        at now: ContinuousClock.Instant
    ) {
        // The sync knows its pause itself, and sends nothing within it.
        if isWanted { return }
        isPause = pause != nil
        let length = pause ?? max(interval, Self.intervalMin) * (1 - Self.spread + 2 * Self.spread * fraction)
        if next != nil { next = now + length }
    }
}
