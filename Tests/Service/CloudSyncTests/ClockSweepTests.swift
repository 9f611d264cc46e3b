import Foundation
import Postgres
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// What is deleted by age stays while the database's clock is doubted.
struct ClockSweepTests {
    /// A statement for a row that a sweep deletes, by table. `users` has one account.
    private static let old = [
        "sessions": "UPDATE sessions SET ended_at = now() - interval '2 days'",
        "second_factor_challenges": """
        INSERT INTO second_factor_challenges (user_id, digest, password_digest, attempts_left, expires_at)
        SELECT id, 'a', 'b', 5, now() - interval '1 day' FROM users
        """,
        "passkey_challenges": "INSERT INTO passkey_challenges SELECT id, 'a', now() - interval '1 day' FROM users",
        "used_id_tokens": "INSERT INTO used_id_tokens VALUES ('a', now() - interval '1 day')",
        "known_addresses":
            "INSERT INTO known_addresses SELECT id, '10.0.0.1', now() - interval '91 days' FROM users",
        "mails": """
        INSERT INTO mails (kind, email, created_at, ended_at) VALUES ('reset', 'x@y', now() - interval '2 days', now())
        """,
        "mailed_tokens": """
        INSERT INTO mailed_tokens (token_hash, purpose, email, expires_at)
        VALUES ('a', 'reset', 'x@y', now() - interval '1 day')
        """,
        "registrations": "INSERT INTO registrations VALUES ('x@y', '-', false, now() - interval '1 day')",
        "idempotency_keys": """
        INSERT INTO idempotency_keys SELECT id, 'k', 'configurations', 'a', '[]', 9, now() - interval '1 day' FROM users
        """,
        "crash_reports": "INSERT INTO crash_reports VALUES (now() - interval '91 days', 'crash', '{}')",
        "account_events":
            "INSERT INTO account_events (user_id, kind, at) SELECT id, 'x', now() - interval '401 days' FROM users",
        "recording_files": """
        INSERT INTO recording_files (user_id, id, spelled_id, object_key, size, content_type, expires_at)
        SELECT id, id, id, 'object', 1, 'video/mp4', now() - interval '1 day' FROM users
        """,
        "realtime_commands": """
        INSERT INTO realtime_commands (user_id, id, digest, sender, deadline)
        SELECT id, gen_random_uuid(), 'a', 'watch', now() - interval '11 minutes' FROM users
        """,
        "analytics_events_2020_01": "SELECT create_analytics_months('2020-01-01', '2020-01-01')",
        "master_keys": """
        INSERT INTO master_keys (key_id, check_value, state, since)
        VALUES ('old', 'x', 'previous', now() - interval '2 days')
        """,
    ]

    /// The numbers of rows that are left; for a partition, whether it is there.
    private static func left(_ world: World) async throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for table in old.keys {
            let query =
                table.hasPrefix("analytics")
                ? "SELECT (to_regclass('\(table)') IS NOT NULL)::int" : "SELECT count(*) FROM \(table)"
            counts[table] = try await world.sql(query).first?.int(0)
        }
        return counts
    }

    /// Everything that deletes by age, but the files.
    private static func works(_ world: World) -> [@Sendable () async throws -> Void] {
        let database = world.databases[0]
        let months = AnalyticsMonths(database: database, settings: World.eventSettings(at: { WallClock.nowS() }))
        let history = HistorySweep(database: database, limits: RetentionFixture.limits(1, days: 1, conflicts: 1))
        var works: [@Sendable () async throws -> Void] = [
            { _ = try await MasterKeySweep(database: database).run() }, { _ = try await months.drop() },
            { _ = try await history.run() },
        ]
        for sweep in Sweep.all + [Sweep.expiredUploads] where sweep.needsClock {
            works.append { _ = try await sweep.run(in: database) }
        }
        return works
    }

    @Test("A clock two years ahead of the note deletes nothing; accepted, it deletes all that is too old")
    func ahead() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await RetentionFixture.write(1...3, world, caller)
            for statement in Self.old.values { try await world.sql(statement) }
            try await world.pass(days: 2)
            try await world.note("now() - interval '2 years'")
            let before = try await Self.left(world)
            for work in Self.works(world) { await #expect(throws: ClockDoubted.self) { try await work() } }
            // The command `secret rotate` has no guard before this function.
            #expect(try await world.sql("SELECT forget_master_keys()").count == 0)
            #expect(try await Self.left(world) == before)
            #expect(before.values.allSatisfy { $0 > 0 })
            let documents = "SELECT FROM configuration_versions WHERE document IS NOT NULL"
            #expect(try await world.sql(documents).count == 3)

            #expect(try await world.acceptClock().verdict != .trusted)
            for work in Self.works(world) { try await work() }
            var expected = Self.old.mapValues { _ in 0 }
            expected["master_keys"] = 1
            #expect(try await Self.left(world) == expected)
            #expect(try await world.sql(documents).count == 1)
        }
    }

    @Test("Nonces, attempts, withdrawn events and devices of stopped servers are deleted by any clock")
    func always() async throws {
        try await World.with { world in
            _ = try await world.newAccount()
            try await world.sql("INSERT INTO attempts VALUES (gen_random_uuid(), 'k', now() - interval '1 s')")
            try await world.sql("INSERT INTO erasures SELECT id, 'analytics' FROM users")
            try await world.sql(
                "INSERT INTO realtime_devices (user_id, device_id, server_id) SELECT id, 'x', gen_random_uuid() FROM users"
            )
            try await world.note("now() - interval '2 years'")
            let sweeps = Sweep.all.filter { !$0.needsClock }
            let names = ["old nonces", "attempts", "events without consent", "devices of stopped servers"]
            #expect(sweeps.map(\.name) == names)
            for sweep in sweeps { try await sweep.run(in: world.databases[0]) }
            #expect(try await world.sql("SELECT FROM realtime_devices").count == 0)
            #expect(try await world.sql("SELECT FROM attempts").count == 0)
            #expect(try await world.sql("SELECT FROM erasures").count == 0)
        }
    }

    @Test("Old files without a recording stay while the clock is doubted")
    func files() async throws {
        try await JobFixture.with { fixture in
            let key = try #require(ObjectKey("00112233445566778899aabbccddeeff"))
            try await fixture.disk.put([1], as: key)
            let time = Date(timeIntervalSinceNow: -2 * 86400)
            try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: fixture.disk.path(of: key))
            let sweep = OrphanSweep(
                database: fixture.world.databases[0],
                storage: .disk(fixture.disk),
                pagesPerRun: 256
            )
            try await fixture.world.note("now() - interval '2 years'")
            await #expect(throws: ClockDoubted.self) { try await sweep.run() }
            #expect(try await fixture.disk.size(of: key) == 1)
            _ = try await fixture.world.acceptClock()
            #expect(try await sweep.run().objects == 1)
        }
    }

    @Test("A request for another upload ends no upload by a clock that is doubted")
    func uploads() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let wish = UploadWish(size: 1000, contentType: "video/quicktime")
            _ = try await fixture.open(JobFixture.newID(), wish, caller)
            try await fixture.world.sql("UPDATE recording_files SET expires_at = now() - interval '1 s'")
            try await fixture.world.note("now() - interval '8 days'")
            _ = try await fixture.open(JobFixture.newID(), wish, caller)
            #expect(try await fixture.value("SELECT count(*) FROM recording_files") == "2")
            _ = try await fixture.world.acceptClock()
            _ = try await fixture.open(JobFixture.newID(), wish, caller)
            #expect(try await fixture.value("SELECT count(*) FROM recording_files") == "2")
        }
    }

    @Test("Mails and events that are old by a doubted clock only wait; young ones are mailed")
    func mails() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('ada@example.org', '-')")
            for kind in ["export", "password-changed"] {
                try await world.sql("SELECT note_event(id, '\(kind)', NULL, NULL, NULL) FROM users")
            }
            try await world.sql("UPDATE account_events SET at = at - interval '2 years' WHERE kind = 'export'")
            try await world.sql("SELECT request_registration('grace@example.org', '-')")
            try await world.sql("UPDATE mails SET created_at = now() - interval '2 years'")
            try await world.note("now() - interval '2 years'")
            let claim = "SELECT form FROM claim_mail(gen_random_uuid()::text::bytea, 60)"
            #expect(try await world.sql("SELECT enqueue_event_mails()").first?.bool(0) == true)
            #expect(try await world.sql("SELECT enqueue_event_mails()").first?.bool(0) == false)
            #expect(try await world.sql(claim).first?.text(0) == "password-changed")
            #expect(try await world.sql(claim).count == 0)
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NULL").count == 2)
            #expect(try await world.sql("SELECT FROM account_events WHERE mail_due").count == 1)

            // The clock goes back: what was old is young again.
            try await world.sql("UPDATE mails SET created_at = now(); UPDATE account_events SET at = now()")
            try await world.note("now()")
            #expect(try await world.sql("SELECT enqueue_event_mails()").first?.bool(0) == true)
            #expect(try await world.sql("SELECT form FROM claim_mail('a', 60)").first?.text(0) == "verify")
            #expect(try await world.sql("SELECT form FROM claim_mail('b', 60)").first?.text(0) == "export")
        }
    }
}

extension World {
    /// Writes the note, as servers that saw a trusted clock at that time.
    func note(_ time: String) async throws {
        try await sql(
            "UPDATE clock_note SET noted_at = \(time), doubt = NULL, doubted_at = NULL, even_seconds = 0, accepted_lead_seconds = 0"
        )
    }

    /// Runs the operator's command. `serverS` is the clock of its machine.
    func acceptClock(serverS: Int = WallClock.nowS()) async throws -> ClockAcceptance.Result {
        try await onThread { [connectionString] in
            try ClockAcceptance.run(connectionString, serverS: serverS, by: "ada")
        }
    }
}
