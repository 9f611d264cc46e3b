import Postgres

/// Reads and changes consents. A withdrawal deletes the collected events: see Migrations/functions/consents.sql.
package struct ConsentService: Sendable {
    private let database: CallerDatabase
    /// Events that one statement deletes, within a fraction of its time limit.
    static let erasedAtOnce = 20_000
    /// SQLSTATE of a new consent while old events are not yet deleted.
    private static let erasingState = "NV014"

    /// Stores consents in `database`.
    package init(database: Database) { self.database = CallerDatabase(database) }

    /// Returns the consent of every category.
    package func all(for caller: Caller) async throws -> [Consent] {
        Self.complete(try await database.read(for: caller, ConsentSQL.list(.text(caller.userID))))
    }

    /// Changes some consents, and returns all. The same change again has no effect. After a withdrawal it returns when all events are deleted.
    package func change(_ changes: [ConsentChange], for caller: Caller) async throws -> [Consent] {
        while true {
            do {
                let all = try await put(changes, for: caller)
                try await erase(changes.filter { !$0.isGranted }, for: caller)
                return all
            } catch DatabaseError.refused(let refusal) where refusal.state == Self.erasingState {
                try await erase(changes, for: caller)
            }
        }
    }

    /// Deletes the events of these categories that are without consent. Crash reports name no account, so they stay. A
    /// sweep continues if this is interrupted.
    private func erase(_ changes: [ConsentChange], for caller: Caller) async throws {
        for category in changes.map(\.category) where category != .crashReports {
            let erase = ConsentSQL.erase(.text(category.rawValue), .int(Self.erasedAtOnce))
            while try await database.write(for: caller, erase).first == true {}
        }
    }

    private func put(_ changes: [ConsentChange], for caller: Caller) async throws -> [Consent] {
        let user = Parameter.text(caller.userID)
        let put = ConsentSQL.put(
            user,
            .array(changes.map(\.category.rawValue)),
            .array(changes.map { $0.isGranted ? "t" : "f" }),
            .texts(changes.map(\.version))
        )
        let (_, rows) = try await database.write(for: caller, put, ConsentSQL.list(user))
        return Self.complete(rows)
    }

    private static func complete(_ known: [Consent]) -> [Consent] {
        ConsentCategory.allCases.map { category in known.first { $0.category == category } ?? .unasked(category) }
    }
}

/// $1 is the user.
private enum ConsentSQL {
    static let list = Query(
        "SELECT category, granted, version, rfc3339(changed_at) FROM consents WHERE user_id = $1::uuid"
    ) {
        columns throws(UnexpectedResult) in
        Consent(
            category: try columns.next(),
            isGranted: try columns.next(),
            version: try columns.next(),
            changedAt: try columns.next()
        )
    }

    /// $1 category, $2 limit of events. Returns true if some are left.
    static let erase = Query("SELECT erase_events($1, $2)") { columns throws(UnexpectedResult) -> Bool in
        try columns.next()
    }

    /// In the order of the categories, so that two changes never deadlock. The trigger writes the history and deletes
    /// collected events. The times of a consent are unique, because they are part of the history's key.
    ///
    /// $2 categories, $3 decisions, $4 versions.
    static let put = Query(
        """
        INSERT INTO consents AS c (user_id, category, granted, version, changed_at)
        SELECT $1::uuid, s.category, s.granted, s.version, date_trunc('milliseconds', clock_timestamp())
        FROM unnest($2::consent_category[], $3::bool[], $4::text[]) s(category, granted, version) ORDER BY s.category
        ON CONFLICT (user_id, category) DO UPDATE SET granted = excluded.granted, version = excluded.version,
            changed_at = greatest(excluded.changed_at, c.changed_at + interval '1 millisecond')
        WHERE (c.granted, c.version) IS DISTINCT FROM (excluded.granted, excluded.version)
        """
    )
}
