import Postgres

/// Stores events with their account, those of a category at a time, and counts them by day.
struct EventStore: Sendable {
    private let database: CallerDatabase
    private let months: AnalyticsMonths

    /// Stores events in `database`.
    init(database: Database, settings: EventService.Settings) {
        self.database = CallerDatabase(database)
        months = AnalyticsMonths(database: database, settings: settings)
    }

    /// The SQLSTATE of `begin_analytics_batch` for a full account.
    private static let quotaState = "NV013"

    /// Returns the number of new events. Throws `.consentRequired`, and `.quotaExceeded` if the account has `eventsMax`
    /// events (0: unlimited). Then nothing is stored.
    ///
    /// Partitions exist in advance, unless the clock has jumped. A retry of events that are already stored succeeds
    /// even if the account is full.
    func store(_ part: EventPart, within eventsMax: Int, for caller: Caller) async throws -> Int {
        do {
            return try await insert(part, eventsMax, caller)
        } catch DatabaseError.refused(let refusal) where refusal.state == ServerRefusal.checkViolation {
            try await months.create()
            return try await insert(part, eventsMax, caller)
        } catch DatabaseError.refused(let refusal) where refusal.state == Self.quotaState {
            if try await database.read(for: caller, EventSQL.missing(Self.parameters(of: part, caller))).first == 0 {
                return 0
            }
            throw CloudSyncError.quotaExceeded(QuotaExcess(quota: .events, limit: eventsMax, used: eventsMax))
        }
    }

    /// Runs one transaction in one round trip. Returns the number of new events.
    private func insert(_ part: EventPart, _ eventsMax: Int, _ caller: Caller) async throws -> Int {
        let (user, category) = (Parameter.text(caller.userID), Parameter.text(part.category.rawValue))
        let names = part.names
        let (months, ofMonths) = (Parameter.array(names.map(\.month)), Parameter.texts(names.map(\.name)))
        let (_, _, stored) = try await database.write(
            for: caller,
            EventSQL.begin(user, category, .int(eventsMax)),
            EventSQL.keepNames(user, category, months, ofMonths, .int(EventService.namesMax)),
            EventSQL.store(Self.parameters(of: part, caller) + [months, ofMonths])
        )
        return stored.first ?? 0
    }

    /// The first nine parameters of `EventSQL.store`.
    private static func parameters(of part: EventPart, _ caller: Caller) -> [Parameter] {
        let events = part.events
        return [
            .text(caller.userID),
            .text(part.category.rawValue),
            .text(caller.sessionID),
            part.digest.map { .bytes($0) } ?? .null,
            .uuids(events.map(\.id)),
            .times(microseconds: events.map(\.occurredAt.microseconds)),
            .texts(events.map(\.name)),
            .array(of: .text, events.map { $0.parameters[...] }),
            .ints(events.map { Int32($0.index) }),
        ]
    }
}
