import Postgres
import Problems
import TestSupport
import Testing

@testable import CloudSync

/// Times that a clock left which was ahead and is right again.
struct FutureTimeTests {
    private static let later = "now() + interval '2 days'"
    private static let email = "ada@example.org"
    private static let standIn = "00000000-0000-0000-0000-0000000000a7"

    @Test("A confirmation in the future confirms nothing")
    func confirmation() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.sql("UPDATE sessions SET proven_at = \(Self.later)")
            let accounts = try world.accounts()
            let refused = try await ProblemType.answering { try await accounts.endOtherSessions(of: caller) }
            #expect(refused == .confirmationRequired)
        }
    }

    @Test("The token before one that was made in the future is outdated, and its owner gets the newest again")
    func formerToken() async throws {
        try await World.with { world in
            let scene = try RefreshScene(world)
            let first = try await world.newAccount()[0]
            let second = try await scene.refresh(first)
            try await world.sql("UPDATE sessions SET token_made_at = \(Self.later), confirmed_at = \(Self.later)")
            #expect(try await scene.pull(first) == "token-outdated")
            #expect(try await scene.pull(second) == "good")
            #expect(try await scene.verdict(first) == "2")
        }
    }

    @Test("Mails of the future count for no limit and are deleted")
    func mails() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('\(Self.email)', '-')")
            try await world.sql(
                """
                INSERT INTO mails (kind, event, email, account, created_at, ended_at)
                SELECT kind::mail_kind, event, '\(Self.email)', id, \(Self.later), now()
                FROM users, generate_series(1, 3), (VALUES ('reset', NULL), ('event', 'export')) m (kind, event)
                """
            )
            let enqueue = "SELECT enqueue_mail('reset', '\(Self.email)')"
            for number in 1...4 { #expect(try await world.sql(enqueue)[0].bool(0) == (number < 4)) }
            try await world.sql("SELECT note_event(id, 'export', NULL, NULL, NULL) FROM users")
            #expect(try await world.sql("SELECT enqueue_event_mails()")[0].bool(0) == true)
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NULL").count == 4)
            try await Task(executorPreference: world.loops[0]) { try await world.sweep("mails") }.value
            #expect(try await world.sql("SELECT FROM mails").count == 4)
        }
    }

    @Test("A failure is not counted by an event of the future; a stand-in keeps one row")
    func failures() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0].userID
            for (id, table) in [(account, "account_events"), (Self.standIn, "stand_in_events")] {
                let note = "SELECT note_failure('\(id)', 'login-failed', '192.0.2.1')"
                try await world.sql("\(note); UPDATE \(table) SET at = \(Self.later)")
                for _ in 0..<2 { try await world.sql(note) }
            }
            #expect(try await world.sql("SELECT sum(count)::int FROM account_events WHERE at <= now()")[0].int(0) == 2)
            #expect(try await world.sql("SELECT FROM stand_in_events").count == 1)
        }
    }

    @Test("Events and addresses of the future leave room for new ones")
    func room() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0].userID
            try await world.sql(
                """
                INSERT INTO account_events (user_id, kind, at) SELECT '\(account)', 'export', \(Self.later) FROM generate_series(1, 300);
                INSERT INTO known_addresses (user_id, address, last_login_at)
                SELECT '\(account)', inet '192.0.2.1' + n, \(Self.later) FROM generate_series(1, 3) n;
                SELECT note_event('\(account)', 'export', NULL, NULL, NULL), note_address('\(account)', '198.51.100.7', 3)
                """
            )
            #expect(try await world.sql("SELECT FROM account_events WHERE kind = 'export' AND at <= now()").count == 1)
            #expect(try await world.sql("SELECT FROM known_addresses WHERE last_login_at <= now()").count == 1)
        }
    }

    @Test("A mail whose first try failed in the future is tried again")
    func begunMail() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('\(Self.email)', '-')")
            try await world.sql("SELECT enqueue_mail('reset', '\(Self.email)')")
            try await world.sql("UPDATE mails SET attempts = 1, run_at = \(Self.later)")
            #expect(try await world.sql("SELECT claim_mail(sha256('token'), 60)").count == 1)
        }
    }

    @Test("Wrong codes of the future keep nobody out")
    func codes() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0].userID
            try await world.sql(
                """
                INSERT INTO totp_secrets (user_id, sealed_secret, master_key_id, confirmed_at, failures, failures_since)
                VALUES ('\(account)', '', '\(World.keys.current.kid)', now(), \(TOTPSQL.failuresMax), \(Self.later))
                """
            )
            let check = TOTPSQL.beginCheck(.text(account), .int(TOTPSQL.failuresMax), .bool(false))
            #expect(try await CallerDatabase(world.databases[0]).background(check).count == 1)
            let counted = "SELECT failures, failures_since <= now() FROM totp_secrets"
            let row = try await world.sql(counted)[0]
            #expect(row.int(0) == 1 && row.bool(1) == true)
        }
    }
}
