/// The days of a range in a time zone. A place in time is counted in quarter hours since 1970 (UTC), of which every zone's days have been
/// made since 1972.
struct ZonedDays: Sendable {
    static let quartersPerDay = 96

    /// Where each day begins, and at the end where the last one ends. A day that a zone has left out is empty.
    let starts: [Int]

    /// How many days there are.
    var count: Int { starts.count - 1 }

    /// All quarter hours of the range.
    var quarters: Range<Int> { starts[0]..<starts[count] }

    /// Takes a first quarter hour for each day and the end; nil when they are not in order.
    init?(starts: [Int]) {
        guard starts.count > 1, zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
        self.starts = starts
    }

    /// The day that has a quarter hour; nil for one outside of the range.
    func index(of quarter: Int) -> Int? {
        guard quarters.contains(quarter) else { return nil }
        var (low, high) = (0, count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= quarter { low = middle } else { high = middle }
        }
        return low
    }
}

/// How many events the quarter hours of a UTC day have: a row's `quarters` and `counts`, as PostgreSQL writes arrays.
struct QuarterCounts: Sendable {
    private let day: Int
    private let quarters: [UInt8]
    private let counts: [UInt8]

    /// `day` is the UTC day in days since 1970-01-01.
    init(day: Int, quarters: [UInt8], counts: [UInt8]) {
        self.day = day
        self.quarters = quarters
        self.counts = counts
    }

    /// Hands each quarter hour with its events to `body`.
    func forEach(_ body: (_ quarter: Int, _ count: Int) -> Void) {
        var (quarters, counts) = (IntegerArrayText(quarters), IntegerArrayText(counts))
        while let quarter = quarters.next(), let count = counts.next() {
            body(day * ZonedDays.quartersPerDay + quarter, count)
        }
    }

    /// The events within a range of quarter hours.
    func sum(in range: Range<Int>) -> Int {
        var sum = 0
        forEach { quarter, count in if range.contains(quarter) { sum += count } }
        return sum
    }
}

/// Reads `{1,-2,3}`, an integer after the other.
struct IntegerArrayText: Sequence, IteratorProtocol {
    private let text: [UInt8]
    private var index = 1

    init(_ text: [UInt8]) { self.text = text }

    mutating func next() -> Int? {
        guard index < text.count, text[index] != UInt8(ascii: "}") else { return nil }
        let isNegative = text[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var value = 0
        while index < text.count, (48...57).contains(text[index]) {
            value = value * 10 + Int(text[index] - 48)
            index += 1
        }
        index += 1
        return isNegative ? -value : value
    }
}
