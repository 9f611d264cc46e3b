/// The devices that were first active in a week of a range, and the number of those that returned later.
package struct RetentionWeek: Sendable, Equatable {
    /// The ISO 8601 week, such as `2026-W09`.
    package let week: String
    /// Devices whose first event of the range is in this week.
    package let devices: Int
    /// The number of them that were active in each later week of the range.
    package let returning: [Int]

    /// Returns an entry for each week that overlaps the range.
    static func list(_ devices: some Sequence<DaySet>, in range: DateRange) -> [RetentionWeek] {
        let monday = range.first.monday.number
        let count = (range.last.number - monday) / 7 + 1
        var matrix = Array(repeating: Array(repeating: 0, count: count), count: count)
        for device in devices {
            var isActive = Array(repeating: false, count: count)
            for day in 0..<range.count where device.contains(day) {
                isActive[(range.first.number + day - monday) / 7] = true
            }
            guard let first = isActive.firstIndex(of: true) else { continue }
            for week in first..<count where isActive[week] { matrix[first][week] += 1 }
        }
        return matrix.enumerated().map { first, active in
            RetentionWeek(
                week: CalendarDate(number: monday + 7 * first).isoWeek,
                devices: active[first],
                returning: Array(active[(first + 1)...])
            )
        }
    }
}
