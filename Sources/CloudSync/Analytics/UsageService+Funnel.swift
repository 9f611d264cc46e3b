import JSONSchema
import Net
import Postgres

/// The number of sessions that reached a step of a funnel.
package struct FunnelStep: Sendable, Equatable {
    /// The name of the step's event.
    package let name: String
    /// Sessions that reached it.
    package let sessions: Int
}

extension UsageService {
    /// Limits of a funnel: its days, and its events.
    package static let funnelDaysMax = 31
    private static let funnelEventsMax = 200_000

    /// Returns the sessions that reached each step. Reads the events themselves; the rollups give their number before.
    /// Throws `.unprocessable`, `.overloaded`.
    package func funnel(
        _ names: [String],
        _ range: DateRange,
        zone: String,
        for caller: Caller
    ) async throws -> [FunnelStep] {
        try Self.check(range, daysMax: Self.funnelDaysMax, zone)
        let (ends, user) = (Self.ends(range), Parameter.text(caller.userID))
        let (days, rows) = try await read(for: caller) {
            try await database.read(for: caller, UsageSQL.days([.text(zone)] + ends), UsageSQL.devices([user] + ends))
        }
        guard let days = days.first else { throw UnexpectedResult("a zone has no days") }
        let plan = FunnelPlan(rows, days)
        guard plan.count <= Self.funnelEventsMax else { throw Self.tooMany(plan.count) }
        let counter = try await funnelSeats.with(caller.userID) { try await sessions(of: names, plan, for: caller) }
        return zip(names, counter.sessions).map { FunnelStep(name: $0, sessions: $1) }
    }

    private func sessions(of names: [String], _ plan: FunnelPlan, for caller: Caller) async throws -> FunnelCounter {
        var counter = FunnelCounter(steps: names)
        for page in plan.pages {
            let slices = Array(page)
            let events = try await database.read(
                for: caller,
                FunnelSQL.events(
                    .text(caller.userID),
                    .texts(slices.map(\.device)),
                    .integers(slices.map(\.quarters.lowerBound)),
                    .integers(slices.map(\.quarters.upperBound)),
                    .texts(counter.names)
                )
            )
            for event in events {
                counter.add(
                    device: slices[event.slice - 1].device,
                    atUs: event.time.microseconds,
                    event.kind.map { $0 - 1 }
                )
            }
        }
        counter.end()
        return counter
    }

    private static func tooMany(_ count: Int) -> CloudSyncError {
        let detail = "must be a range with at most \(funnelEventsMax) events, has \(count)"
        return .unprocessable([Violation(pointer: "/end_date", keyword: "maximum", detail: detail)])
    }
}
