import API
import Net

/// The counts of one loop. They need no atomics: only the loop's own thread uses them.
final class LoopCounts {
    /// Requests of one route and method.
    struct Route: Sendable {
        /// A route has few statuses, so a linear search is cheaper than hashing.
        private(set) var statuses: [(code: Int, count: Int)] = []
        private(set) var durations = DurationHistogram()
        private(set) var requestBytes = 0
        private(set) var responseBytes = 0

        mutating func add(_ event: RequestEvent) {
            if let index = statuses.firstIndex(where: { $0.code == event.status }) {
                statuses[index].count += 1
            } else {
                statuses.append((event.status, 1))
            }
            if !event.record.waits { durations.add(event.record.times.totalNs) }
            requestBytes += event.record.bodyBytes
            responseBytes += event.bytes ?? 0
        }

        mutating func add(_ other: Route) {
            for (code, count) in other.statuses {
                if let index = statuses.firstIndex(where: { $0.code == code }) {
                    statuses[index].count += count
                } else {
                    statuses.append((code, count))
                }
            }
            durations += other.durations
            requestBytes += other.requestBytes
            responseBytes += other.responseBytes
        }
    }

    /// A copy of all counts.
    struct Snapshot: Sendable {
        let routes: [Route]
        let lag: DurationHistogram
        let slow: Int
        let cutOff: Int
    }

    // Unchecked: adding calls nothing that accesses `routes` again.
    @exclusivity(unchecked) private var routes: [Route] = []
    var lag = DurationHistogram()
    var slow = 0
    private var cutOff = 0

    var snapshot: Snapshot { Snapshot(routes: routes, lag: lag, slow: slow, cutOff: cutOff) }

    func add(_ event: RequestEvent) {
        while routes.count <= event.record.label { routes.append(Route()) }
        routes[event.record.label].add(event)
        if event.record.isCutOff { cutOff += 1 }
    }
}
