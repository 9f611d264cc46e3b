import Postgres

/// The statements for the events of a category in a batch, in their order. Each has its own snapshot, taken after the
/// first one's lock. In all: $1 user, $2 category.
enum EventSQL {
    /// Locks the consent until the commit, or rejects the events: see Migrations/functions/analytics.sql.
    ///
    /// $3 limit of an account's events, 0 means unlimited.
    static let begin = Query("SELECT begin_analytics_batch($1::uuid, $2::text, $3::bigint)")

    /// Stores new names of a month while there is room, in the order of their first event. The lock of `begin` keeps
    /// other batches from counting at the same time.
    ///
    /// $3 first days of months, $4 names, $5 limit of names in a month.
    static let keepNames = Query(
        """
        INSERT INTO analytics_names (user_id, category, month, name)
        SELECT $1::uuid, $2::text, f.month, f.name FROM (
            SELECT u.month, u.name, row_number() OVER (PARTITION BY u.month ORDER BY u.number) AS number
            FROM unnest($3::date[], $4::text[]) WITH ORDINALITY u(month, name, number)
            WHERE \(knownName) IS NULL
        ) f
        WHERE f.number <= $5::int - (
            SELECT count(*) FROM analytics_names n WHERE n.user_id = $1::uuid AND n.category = $2::text AND n.month = f.month)
        """
    )

    /// Stores new events and adds them to the counts of their days. Repeated events are neither stored nor counted.
    /// Returns the number of new events. The lock of `begin` keeps other batches out, so no event can be inserted
    /// meanwhile; the key would reject it. PostgreSQL inserts rows ordered by the key in half the time.
    ///
    /// A new connection parses the statement before the transaction, which locks the tables in the order of the text.
    /// `locked` makes this the order of drop_analytics_month (Migrations/functions/analytics.sql); it is not executed.
    ///
    /// $3 session, $4 digest of the batch. Of each event: $5 id or NULL, $6 time, $7 name, $8 parameters, $9 index. $10
    /// and $11 the months and names of `keepNames`.
    static let store = Query(
        """
        WITH locked AS (
            SELECT FROM analytics_months WHERE user_id = $1::uuid
        ), known AS MATERIALIZED (
            SELECT u.month, u.name FROM unnest($10::date[], $11::text[]) u(month, name) WHERE \(knownName)
        ), \(fresh), inserted AS (
            INSERT INTO analytics_events (user_id, category, device_id, occurred_at, id, name, parameters)
            SELECT $1::uuid, $2::text, device_id, occurred_at, id, name, parameters::json FROM fresh
        ), counted AS (
            SELECT i.device_id, i.quarter::date AS day,
                CASE WHEN (date_trunc('month', i.quarter)::date, i.name) IN (SELECT k.month, k.name FROM known k)
                    THEN i.name ELSE '\(AnalyticsEvent.otherName)' END AS name,
                (extract(hour FROM i.quarter) * 4 + extract(minute FROM i.quarter) / 15)::smallint AS quarter,
                sum(i.events)::int AS events
            FROM (
                SELECT device_id, name, date_bin('15 minutes', occurred_at, 'epoch') AS quarter, count(*) AS events
                FROM fresh GROUP BY 1, 2, 3
            ) i
            GROUP BY 1, 2, 3, 4
        ), months AS (
            INSERT INTO analytics_months AS m (user_id, category, month, events)
            SELECT $1::uuid, $2::text, date_trunc('month', c.day::timestamp)::date, sum(c.events) FROM counted c GROUP BY 3
            ON CONFLICT (user_id, month, category) DO UPDATE SET events = m.events + excluded.events
        ), devices AS (
            \(counting(in: "analytics_device_days", by: "device_id"))
        ), names AS (
            \(counting(in: "analytics_name_days", by: "name"))
        )
        SELECT count(*) FROM fresh
        """
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// The number of events that are not stored. Has the first nine parameters of `store`.
    static let missing = Query(
        "WITH \(fresh) SELECT count(*) FROM fresh"
    ) { columns throws(UnexpectedResult) -> Int in try columns.next() }

    /// The events that are not stored, ordered by the key; of duplicates in the batch, the first. Usually the device
    /// has no event in the batch's time range; then the lookup is skipped. An event without an id gets one made of the
    /// device, the batch and its index.
    private static let fresh = """
        sent AS MATERIALIZED (
            SELECT d.device_id, u.occurred_at,
                coalesce(u.id, encode(substr(sha256(d.sender || $4::bytea || int4send(u.place)), 1, 16), 'hex')::uuid) AS id,
                u.name, u.parameters, u.place
            FROM unnest($5::uuid[], $6::timestamptz[], $7::text[], $8::text[], $9::int[])
                u(id, occurred_at, name, parameters, place)
            CROSS JOIN (
                SELECT s.device_id, convert_to(coalesce(nullif(s.device_id, ''), $3::text), 'UTF8') AS sender
                FROM (SELECT coalesce(current_setting('app.device_id', true), '') AS device_id) s OFFSET 0
            ) d
        ), fresh AS MATERIALIZED (
            SELECT DISTINCT ON (s.occurred_at, s.id) s.* FROM sent s
            WHERE (SELECT true FROM analytics_events e WHERE e.user_id = $1::uuid AND e.category = $2::text
                AND e.device_id = (SELECT device_id FROM sent LIMIT 1)
                AND e.occurred_at BETWEEN (SELECT min(occurred_at) FROM sent) AND (SELECT max(occurred_at) FROM sent) LIMIT 1) IS NULL
                OR (SELECT true FROM analytics_events e WHERE e.user_id = $1::uuid AND e.category = $2::text
                    AND e.device_id = s.device_id
                    AND e.occurred_at = s.occurred_at AND e.id = s.id) IS NULL
            ORDER BY s.occurred_at, s.id, s.place
        )
        """

    /// Adds the rows of `counted` to the quarter hours of a rollup.
    private static func counting(in table: String, by column: String) -> String {
        """
        INSERT INTO \(table) AS d (user_id, category, day, \(column), events, quarters, counts)
        SELECT $1::uuid, $2::text, c.day, c.\(column), sum(c.events)::int, array_agg(c.quarter ORDER BY c.quarter),
            array_agg(c.events ORDER BY c.quarter)
        FROM (SELECT day, \(column), quarter, sum(events)::int AS events FROM counted GROUP BY 1, 2, 3) c
        GROUP BY c.day, c.\(column)
        ON CONFLICT (user_id, day, \(column), category) DO UPDATE SET events = d.events + excluded.events,
            (quarters, counts) = (
                SELECT array_agg(q.quarter ORDER BY q.quarter), array_agg(q.events ORDER BY q.quarter) FROM (
                    SELECT u.quarter, sum(u.events)::int AS events FROM (
                        SELECT * FROM unnest(d.quarters, d.counts)
                        UNION ALL SELECT * FROM unnest(excluded.quarters, excluded.counts)
                    ) u(quarter, events) GROUP BY u.quarter
                ) q
            )
        """
    }

    /// A scalar subquery, so that the planner looks up each name in its month's partition.
    private static let knownName = """
        (SELECT true FROM analytics_names n
            WHERE n.user_id = $1::uuid AND n.month = u.month AND n.name = u.name AND n.category = $2::text)
        """
}
