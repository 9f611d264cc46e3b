/// The days of a range in a time zone. Times are counted in quarter hours since 1970 (UTC). Since 1972 all zones' days
/// have consisted of whole quarter hours.
struct ZonedDays: Sendable {
    static let quartersPerDay = 96

    /// The beginning of each day, and the end of the last one. A day that a zone has skipped is empty.
    let starts: [Int]

    /// The number of days.
    var count: Int { starts.count - 1 }

    /// All quarter hours of the range.
    var quarters: Range<Int> { starts[0]..<starts[count] }

    /// Takes the beginning of each day and the end; nil if they are not in order.
    init?(starts: [Int]) {
        guard starts.count > 1, zip(starts, starts.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
        self.starts = starts
    }

    /// The index of the day with a quarter hour; nil outside the range.
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

/// The event counts of the quarter hours of a UTC day: a row's `quarters` and `counts`, in PostgreSQL's text form of
/// arrays.
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

    /// Calls `body` for each quarter hour with its count.
    func forEach(_ body: (_ quarter: Int, _ count: Int) -> Void) {
        var (quarters, counts) = (IntegerArrayText(quarters), IntegerArrayText(counts))
        while let quarter = quarters.next(), let count = counts.next() {
            body(day * ZonedDays.quartersPerDay + quarter, count)
        }
    }

    /// The number of events in a range of quarter hours.
    func sum(in range: Range<Int>) -> Int {
        var sum = 0
        forEach { quarter, count in if range.contains(quarter) { sum += count } }
        return sum
    }
}

/// Reads the integers of `{1,-2,3}` one after the other.
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
