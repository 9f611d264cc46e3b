import JSON
import Postgres

/// The pages of events that a funnel reads. A page has slices of a device's time, with their event counts from the
/// rollups.
struct FunnelPlan {
    /// A device's events in a range of quarter hours.
    struct Slice: Equatable {
        let device: String
        var quarters: Range<Int>
        var count: Int
    }

    /// A page ends after so many events or slices. A slice has at least one quarter hour, so a page may be larger.
    static let pageEvents = 5000
    private static let pageSlices = 500

    /// Ordered by device and time.
    private(set) var slices: [Slice] = []

    /// The events of all slices.
    var count: Int { slices.reduce(0) { $0 + $1.count } }

    init(_ rows: [UsageSQL.EventRow], _ days: ZonedDays) {
        var counts: [ByteKey: [Int: Int]] = [:]
        for case .device(let device, let row) in rows {
            let key = ByteKey(string: device)
            row.forEach { quarter, count in
                if days.quarters.contains(quarter) { counts[key, default: [:]][quarter, default: 0] += count }
            }
        }
        let devices = counts.sorted { $0.key.string.utf8.lexicographicallyPrecedes($1.key.string.utf8) }
        for (device, quarters) in devices {
            for (quarter, count) in quarters.sorted(by: { $0.key < $1.key }) { add(device.string, quarter, count) }
        }
    }

    private mutating func add(_ device: String, _ quarter: Int, _ count: Int) {
        if let last = slices.last, last.device.hasSameBytes(as: device), last.count + count <= Self.pageEvents {
            slices[slices.count - 1].quarters = last.quarters.lowerBound..<quarter + 1
            slices[slices.count - 1].count += count
        } else {
            slices.append(Slice(device: device, quarters: quarter..<quarter + 1, count: count))
        }
    }

    /// The slices of each page.
    var pages: [ArraySlice<Slice>] {
        var pages: [ArraySlice<Slice>] = []
        var rest = slices[...]
        while !rest.isEmpty {
            var (size, events) = (0, 0)
            for slice in rest.prefix(Self.pageSlices) {
                if size > 0, events + slice.count > Self.pageEvents { break }
                size += 1
                events += slice.count
            }
            pages.append(rest.prefix(size))
            rest = rest.dropFirst(size)
        }
        return pages
    }
}

/// The statement of a page.
enum FunnelSQL {
    /// The events of a page, ordered by slice and time. $1 user; of each slice: $2 device, $3 first quarter hour, $4
    /// end; $5 names. Returns the slice's position in the page, and the position of the event's name or NULL, both from
    /// 1.
    static let events = Query(
        """
        SELECT slice.number, \(Timestamp.sql("event.occurred_at")), array_position($5::text[], event.name)
        FROM unnest($2::text[], $3::bigint[], $4::bigint[]) WITH ORDINALITY slice (device_id, first, ending, number)
        CROSS JOIN LATERAL (
            SELECT occurred_at, name FROM analytics_events e WHERE e.user_id = $1::uuid AND e.device_id = slice.device_id
                AND e.occurred_at >= \(time("slice.first")) AND e.occurred_at < \(time("slice.ending"))
        ) event
        ORDER BY slice.number, event.occurred_at
        """
    ) { columns throws(UnexpectedResult) in
        (slice: try columns.next() as Int, time: try columns.next() as Timestamp, kind: try columns.next() as Int?)
    }

    private static func time(_ quarter: String) -> String {
        "'epoch'::timestamptz + \(quarter) * interval '15 minutes'"
    }
}
