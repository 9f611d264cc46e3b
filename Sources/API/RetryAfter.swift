/// Retry-After (RFC 9110, 10.2.3), in seconds. Clients that were refused together must not come back together, so each
/// waits longer by chance.
enum RetryAfter {
    /// A person may wait for a long pause, such as that of a day after wrong codes.
    private static let spreadMaxSeconds = 60

    /// The field for a pause of at least `seconds`.
    static func field(_ seconds: Int) -> (name: String, value: String) {
        ("Retry-After", String(Int.random(in: pauses(from: seconds))))
    }

    /// Up to a third more, rounded up to whole seconds, so that a pause of one second is spread, too.
    static func pauses(from seconds: Int) -> ClosedRange<Int> {
        let third = (max(0, seconds) + 2) / 3
        return seconds...seconds + min(third, spreadMaxSeconds)
    }
}
