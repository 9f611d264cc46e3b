extension ContinuousClock.Instant {
    /// Whole milliseconds from this instant to now.
    var elapsedMs: Int {
        Int((ContinuousClock.now - self) / .milliseconds(1))
    }
}
