import NeuroViewsJSON

/// Counts events and devices by the days of a zone, from rollup rows in any order. Names are compared by their bytes,
/// as in PostgreSQL.
struct EventTally {
    private let days: ZonedDays
    private(set) var events: [Int]
    private(set) var activeDevices: [Int]
    private(set) var names: [ByteKey: Int] = [:]
    /// The active days of each device.
    private(set) var devices: [ByteKey: DaySet] = [:]

    init(_ days: ZonedDays) {
        self.days = days
        events = Array(repeating: 0, count: days.count)
        activeDevices = events
    }

    /// Adds a device's events of a UTC day.
    mutating func add(device: String, _ counts: QuarterCounts) {
        var active: [Int] = []
        counts.forEach { quarter, count in
            guard let day = days.index(of: quarter) else { return }
            events[day] += count
            if active.last != day { active.append(day) }
        }
        guard !active.isEmpty else { return }
        let key = ByteKey(string: device)
        for day in active where devices[key, default: DaySet()].insert(day) { activeDevices[day] += 1 }
    }

    /// Adds events of a name from UTC days that are fully within the range.
    mutating func add(name: String, count: Int) {
        if count > 0 { names[ByteKey(string: name), default: 0] += count }
    }

    /// Adds those events of a name from a UTC day that are in the range.
    mutating func add(name: String, _ counts: QuarterCounts) {
        add(name: name, count: counts.sum(in: days.quarters))
    }
}

/// A set of days of a range, by their numbers.
struct DaySet {
    private var words: [UInt64] = []

    /// Returns true if the day was not in the set.
    mutating func insert(_ day: Int) -> Bool {
        let (word, bit) = (day / 64, UInt64(1) << UInt64(day % 64))
        while words.count <= word { words.append(0) }
        defer { words[word] |= bit }
        return words[word] & bit == 0
    }

    /// Returns true if the day is in the set.
    func contains(_ day: Int) -> Bool {
        day / 64 < words.count && words[day / 64] & (UInt64(1) << UInt64(day % 64)) != 0
    }
}

extension Usage.EventName {
    /// Sorted by count, the largest first; `other` with the rest is last.
    static func list(_ counts: [ByteKey: Int]) -> [Usage.EventName] {
        let other = ByteKey(string: Usage.other)
        let named = counts.filter { $0.key != other }.map { Usage.EventName(name: $0.key.string, count: $0.value) }
        let sorted = named.sorted { Ranking($0.count, $0.name) < Ranking($1.count, $1.name) }
        let rest = sorted.dropFirst(Usage.entriesMax).reduce(counts[other] ?? 0) { $0 + $1.count }
        let last = rest > 0 ? [Usage.EventName(name: Usage.other, count: rest)] : []
        return sorted.prefix(Usage.entriesMax) + last
    }
}

/// The order of lists: the largest count first; equal counts by the bytes of their names.
struct Ranking: Comparable {
    private let count: Int
    private let name: String

    init(_ count: Int, _ name: String) {
        self.count = count
        self.name = name
    }

    static func < (left: Ranking, right: Ranking) -> Bool {
        left.count != right.count
            ? left.count > right.count : left.name.utf8.lexicographicallyPrecedes(right.name.utf8)
    }
}
