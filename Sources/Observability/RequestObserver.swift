import API
import Settings

/// Counts and logs each request, and logs the times of slow ones.
package struct RequestObserver: Sendable {
    let log: LogWriter
    let metrics: Metrics
    private let slowNs: UInt64

    package init(_ settings: Settings, log: LogWriter, metrics: Metrics) {
        self.log = log
        self.metrics = metrics
        slowNs = UInt64(settings.constants.slowRequestMs) * 1_000_000
    }

    @Sendable
    package func note(_ event: RequestEvent) {
        let isSlow = !event.record.waits && event.record.times.totalNs > slowNs
        metrics.add(event, isSlow: isSlow)
        log.write(event)
        if isSlow { log.writeSlow(event) }
    }
}
