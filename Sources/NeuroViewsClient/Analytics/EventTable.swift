import NeuroViewsRules

/// The table `event`, in the order of its rows. `batch` is NULL while an event waits. Those under way have the day, counted
/// from 1970, from which the batch may be sent again; 0 for at once.
extension Store {
    private static let keptMax: Int64 = 10_000
    private static let keptS: Int64 = 30 * 86400
    private static let dayS: Int64 = 86400
    private static let places = (table: "event", column: "parameters")

    /// Stores events whose category has consent, also by the word of another process. The oldest go if there are too many.
    func addEvents(_ events: [TrackedEvent], at now: Instant) throws(ClientError) {
        try step { () throws(ClientError) in
            for event in events {
                let parameters = event.parameters.isEmpty ? nil : event.parameters
                try run(
                    """
                    INSERT INTO event (id, name, category, parameters, at)
                    SELECT ?1, ?2, ?3, ?4, ?5 WHERE ?3 IN (SELECT category FROM consent WHERE granted)
                    """,
                    .text(event.id),
                    .text(event.name),
                    .text(event.category.rawValue),
                    try seal(parameters, Self.places.table, event.id, Self.places.column),
                    .text(event.at.text)
                )
            }
            try dropOldEvents(at: now)
        }
    }

    private func dropOldEvents(at now: Instant) throws(ClientError) {
        try run("DELETE FROM event WHERE at < ?1", .text(now.adding(seconds: -Self.keptS).text))
        try run(
            "DELETE FROM event WHERE rowid <= (SELECT rowid FROM event ORDER BY rowid DESC LIMIT 1 OFFSET ?1)",
            .integer(Self.keptMax)
        )
    }

    /// The number of events that are not sent.
    func eventCount() throws(ClientError) -> Int64 {
        try row("SELECT count(*) FROM event") { $0.integer(0) ?? 0 } ?? 0
    }

    /// The batch that was begun, else a new one of the oldest events. Nil if there are none, or if the batch waits for a day.
    func eventBatch(at now: Instant) throws(ClientError) -> EventBatch? {
        try step { () throws(ClientError) -> EventBatch? in
            try dropOldEvents(at: now)
            if let day = try row("SELECT min(batch) FROM event", [], { $0.integer(0) }) {
                // A day after tomorrow is a mistake of the clock.
                let today = now.seconds / Self.dayS
                return day == today + 1 ? nil : try begunBatch()
            }
            return try newBatch()
        }
    }

    private func begunBatch() throws(ClientError) -> EventBatch? {
        var batch = EventBatch()
        for event in try events("WHERE batch IS NOT NULL ORDER BY rowid") { batch.add(event) }
        return batch
    }

    private func newBatch() throws(ClientError) -> EventBatch? {
        var batch = EventBatch()
        for event in try events("ORDER BY rowid LIMIT \(EventBatch.eventsMax)") {
            guard batch.hasRoom(for: event) else { break }
            batch.add(event)
        }
        guard let last = batch.events.last else { return nil }
        try run("UPDATE event SET batch = 0 WHERE rowid <= (SELECT rowid FROM event WHERE id = ?1)", .text(last.id))
        return batch
    }

    private static let columns = "SELECT id, name, category, parameters, at FROM event"

    private func events(_ which: String) throws(ClientError) -> [TrackedEvent] {
        try rows("\(Self.columns) \(which)", [], readEvent)
    }

    private func readEvent(_ row: SQLRow) throws(ClientError) -> TrackedEvent {
        let id = row.text(0) ?? ""
        return TrackedEvent(
            id: id,
            name: row.text(1) ?? "",
            category: ConsentCategory(rawValue: row.text(2) ?? ""),
            parameters: try unseal(row.blob(3), Self.places.table, id, Self.places.column) ?? [],
            at: row.text(4).flatMap { Instant($0) } ?? Instant(seconds: 0)
        )
    }

    /// Drops events that can't be read.
    func mendEvents() throws(ClientError) {
        for id in try unreadable(Self.columns, readEvent) { try run("DELETE FROM event WHERE id = ?1", .text(id)) }
    }

    /// Drops the batch under way.
    func endEventBatch() throws(ClientError) { try run("DELETE FROM event WHERE batch IS NOT NULL") }

    /// Keeps the batch for the next day (UTC).
    func keepEventBatchForTomorrow(at now: Instant) throws(ClientError) {
        try run("UPDATE event SET batch = ?1 WHERE batch IS NOT NULL", .integer(now.seconds / Self.dayS + 1))
    }
}
