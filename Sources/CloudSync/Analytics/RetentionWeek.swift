/// The devices that were first active in a week of a range, and how many of them came back.
public struct RetentionWeek: Sendable, Equatable {
    /// The week of ISO 8601, such as `2026-W09`.
    public let week: String
    /// Devices whose first event of the range is in this week.
    public let devices: Int
    /// How many of them were active in each week behind it, up to the last one of the range.
    public let returning: [Int]

    /// An entry for each week that has a day of the range.
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
