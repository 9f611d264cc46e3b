import JSONSchema
import NeuroViewsJSON
import Postgres

/// Takes the events of people who agreed to their category: stores each once and counts it by day, or keeps it as a
/// crash report.
package struct EventService: Sendable {
    /// Limit of distinct event names of an account in a month and a category; further names count as `other`. A
    /// constant: a change would make past counts inconsistent.
    package static let namesMax = 200
    /// Stored events of an account: 2,500 on each of 400 days.
    package static let eventsMax = 1_000_000
    /// Days that a client may be offline.
    static let daysMax = 30

    /// Settings of the operator, and the clock.
    package struct Settings: Sendable {
        /// Seconds that an event's time may be ahead of the clock.
        package var clockSkewSeconds: Int
        /// Days that events are kept; 0 means for ever.
        package var keptDays: Int
        /// Events of an account, beyond which new batches are rejected; 0 means unlimited.
        package var eventsMax: Int
        /// Unix seconds.
        package var now: @Sendable () -> Int
        /// Called with the outcome of each batch.
        package var report: @Sendable (EventReceipt) -> Void

        /// Takes the values.
        package init(
            clockSkewSeconds: Int = Authenticator.clockSkewSeconds,
            keptDays: Int,
            eventsMax: Int = 0,
            now: @escaping @Sendable () -> Int,
            report: @escaping @Sendable (EventReceipt) -> Void = { _ in }
        ) {
            self.clockSkewSeconds = clockSkewSeconds
            self.keptDays = keptDays
            self.eventsMax = eventsMax
            self.now = now
            self.report = report
        }

        /// Maximum age of an event.
        var daysMax: Int { keptDays == 0 ? EventService.daysMax : min(EventService.daysMax, keptDays) }
    }

    private let database: CallerDatabase
    private let store: EventStore
    private let crashes: CrashReports
    private let settings: Settings

    /// Stores events in `database`.
    package init(database: Database, settings: Settings) {
        self.database = CallerDatabase(database)
        store = EventStore(database: database, settings: settings)
        crashes = CrashReports(database: database, now: settings.now)
        self.settings = settings
    }

    /// Checks the events of a request, with the current time; `schema` is that of one event. The items with the indexes
    /// of `faults` could not be read, and are rejected for it.
    package func batch(_ items: [JSONValue], faults: [Int: JSONError] = [:], by schema: Schema) -> EventBatch {
        let times = EventTimes(
            now: Timestamp(seconds: settings.now()),
            daysMax: settings.daysMax,
            clockSkewSeconds: settings.clockSkewSeconds
        )
        return EventBatch(items, faults, schema, times)
    }

    /// Stores the events of a request, a category at a time: a repetition stores those that an interruption has left
    /// out. Throws `.consentRequired` and `.invalid` if all are rejected, and `.quotaExceeded`. Then nothing is stored.
    package func record(_ batch: EventBatch, for caller: Caller) async throws -> EventReceipt {
        var receipt = EventReceipt(refused: batch.refused)
        let parts = batch.parts
        // The session is checked even if there is nothing to store.
        if parts.isEmpty { try await database.write(for: caller) }
        for part in parts {
            do {
                try await record(part, in: &receipt, for: caller)
            } catch CloudSyncError.problem(.consentRequired) {
                receipt.addWithoutConsent(part)
            }
        }
        settings.report(receipt)
        return try receipt.unlessAllRefused()
    }

    private func record(_ part: EventPart, in receipt: inout EventReceipt, for caller: Caller) async throws {
        switch part.category {
        case .analytics, .usageMetrics:
            // A batch with room for its first events is stored completely.
            let eventsMax = receipt.processed > 0 ? 0 : settings.eventsMax
            let stored = try await store.store(part, within: eventsMax, for: caller)
            receipt.add(part, new: stored)
        case .crashReports:
            let kept = try await crashes.keep(part, for: caller)
            receipt.add(part, kept: kept)
        }
    }
}
