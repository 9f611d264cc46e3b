import CloudSync
import Foundation
import JSONSchema
import NeuroViewsJSON
import OpenAPI
import Postgres
import TestSupport

extension World {
    /// The schema of one event.
    static let eventSchema: Schema = {
        do {
            let text = OpenAPIDocument.schemas["analytics-event.json"] ?? []
            return try Schema(compiling: JSONParser.parse(text, policy: .rfc8259))
        } catch {
            fatalError("\(error)")
        }
    }()

    /// The event service of a server with this clock. The default is the real time, like the database's.
    func events(
        _ server: Int = 0,
        keptDays: Int = 400,
        eventsMax: Int = 0,
        at now: @escaping @Sendable () -> Int = { Int(Date().timeIntervalSince1970) }
    ) -> EventService {
        var settings = Self.eventSettings(keptDays: keptDays, at: now)
        settings.eventsMax = eventsMax
        return EventService(database: databases[server], settings: settings)
    }

    /// The settings of `events` and of the partitions.
    static func eventSettings(keptDays: Int = 400, at now: @escaping @Sendable () -> Int) -> EventService.Settings {
        EventService.Settings(clockSkewSeconds: 300, keptDays: keptDays, now: now)
    }

    /// Grants or withdraws a consent.
    func consent(
        _ caller: Caller,
        _ isGranted: Bool = true,
        to category: ConsentCategory = .analytics,
        version: String = "1",
        server: Int = 0
    ) async throws {
        let change = ConsentChange(category, isGranted: isGranted, version: version)
        _ = try await ConsentService(database: databases[server]).change([change], for: caller)
    }

    /// Creates an account with the analytics consent. Returns its devices.
    func agreedAccount(devices: Int = 1) async throws -> [Caller] {
        let callers = try await newAccount(devices: devices)
        try await consent(callers[0])
        return callers
    }

    /// The number of an account's rows in each analytics table; those of one category, if one is named.
    func analyticsRows(of caller: Caller, in category: ConsentCategory? = nil) async throws -> [String: Int] {
        let filter = category.map { " AND category = '\($0.rawValue)'" } ?? ""
        let tables = [
            "analytics_events", "analytics_device_days", "analytics_name_days", "analytics_months", "analytics_names",
        ]
        let counts = tables.map { "SELECT '\($0)', count(*) FROM \($0) WHERE user_id = '\(caller.userID)'\(filter)" }
        let rows = try await sql(counts.joined(separator: " UNION ALL "))
        return Dictionary(
            uniqueKeysWithValues: (0..<rows.count).map { (rows[$0].text(0) ?? "", rows[$0].int(1) ?? -1) }
        )
    }

    /// The differences between the counts and a recount of the events, one line each. An event counts under its name,
    /// or under `other` if the month has no room for its name.
    func miscounts() async throws -> [String] {
        let rows = try await sql(
            """
            WITH days AS (
                SELECT user_id, category, day, 'device' AS kind, device_id AS label, events, quarters, counts
                FROM analytics_device_days
                UNION ALL SELECT user_id, category, day, 'name', name, events, quarters, counts FROM analytics_name_days
            ), counted AS (
                SELECT d.user_id, d.category, d.day, d.kind, d.label, q.quarter, q.events FROM days d,
                    unnest(d.quarters, d.counts) q(quarter, events)
            ), recounted AS (
                SELECT e.user_id, e.category, (e.occurred_at AT TIME ZONE 'UTC')::date AS day, l.kind, l.label,
                    (floor(extract(epoch FROM e.occurred_at) / 900)::bigint % 96)::smallint AS quarter, count(*)::int AS events
                FROM analytics_events e LEFT JOIN analytics_names n ON n.user_id = e.user_id AND n.name = e.name
                    AND n.category = e.category AND n.month = date_trunc('month', e.occurred_at AT TIME ZONE 'UTC')::date
                CROSS JOIN LATERAL (VALUES ('device', e.device_id), ('name', coalesce(n.name, 'other'))) l(kind, label)
                GROUP BY 1, 2, 3, 4, 5, 6
            )
            (SELECT 'counted ' || counted::text FROM (TABLE counted EXCEPT TABLE recounted) counted)
            UNION ALL (SELECT 'not counted ' || r::text FROM (TABLE recounted EXCEPT TABLE counted) r)
            UNION ALL SELECT 'month ' || m::text FROM analytics_months m WHERE m.events <> (
                SELECT count(*) FROM analytics_events e WHERE e.user_id = m.user_id AND e.category = m.category
                    AND date_trunc('month', e.occurred_at AT TIME ZONE 'UTC') = m.month)
            UNION ALL SELECT 'sum ' || d::text FROM days d
                WHERE d.events <> (SELECT sum(c) FROM unnest(d.counts) c)
                    OR d.quarters <> (SELECT array_agg(DISTINCT q ORDER BY q) FROM unnest(d.quarters) q)
            """
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }
}

/// Events in the format of clients.
enum Sent {
    /// An event at a Unix time.
    static func event(
        _ name: String = "tap",
        at seconds: Int,
        id: String? = UUID().uuidString,
        of category: ConsentCategory? = nil,
        _ more: String = "{}"
    ) throws -> JSONValue {
        let time = Timestamp(seconds: seconds).text
        let kind = category.map { #","category":"\#($0.rawValue)""# } ?? ""
        let own = (id.map { #","id":"\#($0)""# } ?? "") + kind
        return try JSONParser.parse(
            Array(#"{"name":"\#(name)","timestamp":"\#(time)","parameters":\#(more)\#(own)}"#.utf8),
            policy: .requestBody
        )
    }

    /// `count` events, one a second, up to now.
    static func events(_ count: Int, withIDs: Bool = true, of category: ConsentCategory? = nil) throws -> [JSONValue] {
        let now = Int(Date().timeIntervalSince1970)
        return try (0..<count).map { number in
            let id = withIDs ? UUID().uuidString : nil
            return try event("tap \(number % 7)", at: now - count + number, id: id, of: category)
        }
    }
}

extension EventService {
    /// Validates and stores events, like a request.
    func record(_ items: [JSONValue], by schema: Schema, for caller: Caller) async throws -> EventReceipt {
        try await record(batch(items, by: schema), for: caller)
    }
}
