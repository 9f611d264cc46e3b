/// A day of UTC.
struct EventDay: Hashable {
    /// A day's length.
    static let microseconds = 86_400_000_000

    /// Days since the Unix epoch.
    let number: Int

    init(of time: Timestamp) {
        let (quotient, remainder) = time.microseconds.quotientAndRemainder(dividingBy: Self.microseconds)
        number = remainder < 0 ? quotient - 1 : quotient
    }

    private init(number: Int) { self.number = number }

    /// As PostgreSQL writes a date: `2026-11-22`.
    var text: String { String(Timestamp(microseconds: number * Self.microseconds).text.prefix { $0 != "T" }) }

    /// The first day of its month, in the same form.
    var monthText: String { text.prefix(text.utf8.count - 2) + "01" }

    func adding(days: Int) -> EventDay { EventDay(number: number + days) }
}
