import JSON
import JSONSchema
import Postgres

/// The outcome of a batch of events. Each event counts in one of the three.
package struct EventReceipt: Sendable, Equatable {
    /// Number of events that are stored and counted now.
    package let processed: Int
    /// Number of events that were stored before.
    package let repeated: Int
    /// The rejected events in their order.
    package let refused: [EventRefusal]
}

/// Stores the events of people who agreed to analytics, each once, and counts them by day.
package struct EventService: Sendable {
    /// Limit of distinct event names of an account in a month; further names count as `other`. A constant: a change
    /// would make past counts inconsistent.
    package static let namesMax = 200
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
    private let months: AnalyticsMonths
    private let settings: Settings

    /// Stores events in `database`.
    package init(database: Database, settings: Settings) {
        self.database = CallerDatabase(database)
        months = AnalyticsMonths(database: database, settings: settings)
        self.settings = settings
    }

    /// Checks the events of a request, with the current time; `schema` is that of one event.
    package func batch(_ items: [JSONValue], by schema: Schema) -> EventBatch {
        let times = EventTimes(
            now: Timestamp(seconds: settings.now()),
            daysMax: settings.daysMax,
            clockSkewSeconds: settings.clockSkewSeconds
        )
        return EventBatch(items, schema, times)
    }

    /// Stores the events of a request. Throws `.consentRequired` and `.quotaExceeded`, and then stores nothing.
    package func record(_ batch: EventBatch, for caller: Caller) async throws -> EventReceipt {
        let stored = try await storeEvenInNewMonth(batch, caller)
        let receipt = EventReceipt(processed: stored, repeated: batch.events.count - stored, refused: batch.refused)
        settings.report(receipt)
        return receipt
    }

    /// The SQLSTATE of `begin_analytics_batch` for a full account.
    private static let quotaState = "NV013"

    /// Partitions exist in advance, unless the clock has jumped. A retry of a batch that is already stored succeeds
    /// even if the account is full.
    private func storeEvenInNewMonth(_ batch: EventBatch, _ caller: Caller) async throws -> Int {
        do {
            return try await store(batch, caller)
        } catch DatabaseError.refused(let refusal) where refusal.state == ServerRefusal.checkViolation {
            try await months.create()
            return try await store(batch, caller)
        } catch DatabaseError.refused(let refusal) where refusal.state == Self.quotaState {
            if try await database.read(for: caller, EventSQL.missing(Self.parameters(of: batch, caller))).first == 0 {
                return 0
            }
            let limit = settings.eventsMax
            throw CloudSyncError.quotaExceeded(QuotaExcess(quota: .events, limit: limit, used: limit))
        }
    }

    /// Runs one transaction in one round trip. Returns the number of new events.
    private func store(_ batch: EventBatch, _ caller: Caller) async throws -> Int {
        guard !batch.events.isEmpty else {
            _ = try await database.write(for: caller, EventSQL.begin(.text(caller.userID), .int(0)))
            return 0
        }
        let names = batch.names
        let (months, ofMonths) = (Parameter.array(names.map(\.month)), Parameter.texts(names.map(\.name)))
        let (_, _, stored) = try await database.write(
            for: caller,
            EventSQL.begin(.text(caller.userID), .int(settings.eventsMax)),
            EventSQL.keepNames(.text(caller.userID), months, ofMonths, .int(Self.namesMax)),
            EventSQL.store(Self.parameters(of: batch, caller) + [months, ofMonths])
        )
        return stored.first ?? 0
    }

    /// The first eight parameters of `EventSQL.store`.
    private static func parameters(of batch: EventBatch, _ caller: Caller) -> [Parameter] {
        let events = batch.events
        return [
            .text(caller.userID),
            .text(caller.sessionID),
            batch.digest.map { .bytes($0) } ?? .null,
            .uuids(events.map(\.id)),
            .times(microseconds: events.map(\.occurredAt.microseconds)),
            .texts(events.map(\.name)),
            .array(of: .text, events.map { $0.parameters[...] }),
            .ints(events.map { Int32($0.index) }),
        ]
    }
}
