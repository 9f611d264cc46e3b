import CloudSync
import Net
import Postgres
import TestSupport
import Testing

/// The sending of mails: selection, servers and attempts.
struct MailOutboxTests {
    /// The mails passed to the mail program.
    private final class Post: Sendable {
        struct Down: Error {}
        private let messages = Locked([MailMessage]())
        private let failures: Locked<Int>

        init(failures: Int = 0) { self.failures = Locked(failures) }

        var sent: [MailMessage] { messages.withLock { $0 } }

        func send(_ message: MailMessage) throws {
            messages.withLock { $0.append(message) }
            try failures.withLock { failures throws(Down) in
                guard failures > 0 else { return }
                failures -= 1
                throw Down()
            }
        }
    }

    private static func outbox(_ world: World, _ post: Post, server: Int = 0) throws -> MailOutbox {
        let sender = try #require(MailAddress("cloud@example.org"))
        let settings = MailOutbox.Settings(message: .init(sender: sender, accountURL: nil))
        return MailOutbox(database: world.databases[server], settings: settings, send: { try post.send($0) })
    }

    private static func run<T: Sendable>(_ world: World, _ body: @escaping @Sendable () async throws -> T) async throws
        -> T
    {
        try await Task(executorPreference: world.loops[0]) { try await body() }.value
    }

    /// Sends all due mails.
    private static func drain(_ world: World, _ outbox: MailOutbox) async throws {
        try await run(world) { while try await outbox.sendNext() {} }
    }

    private static func passTime(_ world: World) async throws {
        try await world.sql("UPDATE mails SET run_at = now() - interval '1 second' WHERE ended_at IS NULL")
    }

    private static func register(_ world: World, _ email: String = "ada@example.org") async throws {
        try await world.sql("SELECT request_registration('\(email)', '-')")
    }

    @Test("A mail is sent once")
    func once() async throws {
        try await World.with { world in
            try await Self.register(world)
            let post = Post()
            let outbox = try Self.outbox(world, post)
            try await Self.drain(world, outbox)
            try await Self.passTime(world)
            try await Self.drain(world, outbox)
            #expect(post.sent.map(\.recipient.text) == ["ada@example.org"])
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NULL").count == 0)
        }
    }

    private static func note(_ world: World, _ kind: String) async throws {
        try await world.sql("SELECT note_event(id, '\(kind)', NULL, NULL, NULL) FROM users")
    }

    @Test("Simultaneous events of a kind are one mail, and an account gets three of a kind an hour")
    func events() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('ada@example.org', '-')")
            let post = Post()
            let outboxes = try (0..<2).map { try Self.outbox(world, post, server: $0) }
            for round in 1...5 {
                for kind in ["export", "export", "password-changed", "login", "session-revoked"] {
                    try await Self.note(world, kind)
                }
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for outbox in outboxes {
                        group.addTask { try await Self.run(world) { while try await outbox.enqueueEvents() {} } }
                    }
                    try await group.waitForAll()
                }
                try await Self.drain(world, outboxes[0])
                #expect(post.sent.count == 2 * min(round, 3))
            }
            #expect(try await world.sql("SELECT FROM account_events WHERE mail_due").count == 0)
        }
    }

    @Test("A mail about an event has the event's time, device and network address")
    func cause() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('ada@example.org', '-')")
            try await world.sql("INSERT INTO devices (user_id, id, name) SELECT id, 'd1', 'Phone of Ada' FROM users")
            try await world.sql("SELECT note_event(id, 'export', NULL, 'd1', '203.0.113.7') FROM users")
            let moved = "UPDATE account_events SET at = at - interval '2 hours' RETURNING rfc3339(at)"
            let rows = try await world.sql(moved)
            let time = try #require(rows[0].text(0)).prefix(16).replacing("T", with: " ")
            let post = Post()
            let outbox = try Self.outbox(world, post)
            #expect(try await Self.run(world) { try await outbox.enqueueEvents() })
            // A later event of the kind has a mail of its own.
            try await world.sql("SELECT note_event(id, 'export', NULL, 'd2', '198.51.100.9') FROM users")
            try await Self.drain(world, outbox)
            let text = post.sent.first?.text
            let facts = "\n\nWhen: \(time) UTC\nDevice: Phone of Ada\nNetwork address: 203.0.113.7\n\n"
            #expect(text?.contains(facts) == true)
        }
    }

    @Test("Old events are not mailed, and an account under erasure gets no mail")
    func noEvents() async throws {
        try await World.with { world in
            try await world.sql("SELECT open_account('ada@example.org', '-')")
            let post = Post()
            let outbox = try Self.outbox(world, post)
            try await Self.note(world, "export")
            try await world.sql("UPDATE account_events SET at = at - interval '25 hours'")
            #expect(try await Self.run(world) { try await outbox.enqueueEvents() })
            try await Self.note(world, "password-changed")
            try await world.sql("INSERT INTO account_erasures (account) SELECT id FROM users")
            #expect(try await Self.run(world) { try await outbox.enqueueEvents() })
            #expect(try await !Self.run(world) { try await outbox.enqueueEvents() })
            #expect(try await world.sql("SELECT FROM mails").count == 0)
        }
    }

    @Test("Unreadable events and locked accounts delay no other mail")
    func eventsApart() async throws {
        try await World.with { world in
            try await world.sql(
                "SELECT open_account(name || '@example.org', '-') FROM unnest('{ada,grace}'::text[]) name"
            )
            try await Self.note(world, "export")
            let post = Post()
            let outbox = try Self.outbox(world, post)
            let holder = try await Self.hold(world, "SELECT FROM users WHERE email = 'ada@example.org' FOR UPDATE")
            #expect(try await Self.run(world) { try await outbox.enqueueEvents() })
            #expect(try await !Self.run(world) { try await outbox.enqueueEvents() })
            try await onThread { _ = try holder.session.execute("ROLLBACK") }
            #expect(try await world.sql("SELECT FROM mails WHERE email = 'grace@example.org'").count == 1)
            try await world.sql(
                """
                CREATE OR REPLACE FUNCTION enqueue_event_mails() RETURNS boolean LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION ''broken''; END'
                """
            )
            let failures = Counter()
            let wakeup = Wakeup(world.loops[0])
            let worker = Task(executorPreference: world.loops[0]) {
                await outbox.work(waking: wakeup) { _ in failures.add() }
            }
            try await eventually { post.sent.count == 1 }
            worker.cancel()
            wakeup.signal()
            await worker.value
            #expect(failures.value > 0)
        }
    }

    /// Opens a transaction with the statement's locks.
    private static func hold(_ world: World, _ statement: String) async throws -> Holder {
        try await onThread { [text = world.connectionString] in
            let holder = Holder(session: try BlockingSession(text))
            try holder.session.execute("SET search_path = neuroviews; BEGIN; \(statement)")
            return holder
        }
    }

    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    @Test("A request that is rolled back sends no mail")
    func rolledBack() async throws {
        try await World.with { world in
            try await world.sql("BEGIN; SELECT request_registration('ada@example.org', '-'); ROLLBACK")
            let post = Post()
            try await Self.drain(world, Self.outbox(world, post))
            #expect(post.sent.isEmpty)
        }
    }

    @Test("Two servers send each mail once")
    func servers() async throws {
        try await World.with { world in
            for index in 0..<20 { try await Self.register(world, "a\(index)@example.org") }
            let post = Post()
            let outboxes = try (0..<2).map { try Self.outbox(world, post, server: $0) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for outbox in outboxes { group.addTask { try await Self.drain(world, outbox) } }
                try await group.waitForAll()
            }
            #expect(Set(post.sent.map(\.recipient.text)).count == 20)
            #expect(post.sent.count == 20)
        }
    }

    @Test("A failed mail is retried with growing delays, and the tokens of all its attempts are valid")
    func retries() async throws {
        try await World.with { world in
            try await Self.register(world)
            let post = Post(failures: 2)
            let outbox = try Self.outbox(world, post)
            for pause in [20.0...40, 40...80] {
                try await Self.drain(world, outbox)
                let row = try await world.sql("SELECT extract(epoch FROM run_at - now())::float8::text FROM mails")[0]
                #expect(pause.contains(row.text(0).flatMap(Double.init) ?? 0))
                try await Self.passTime(world)
            }
            try await Self.drain(world, outbox)
            let tokens = post.sent.compactMap(\.token)
            #expect(Set(tokens).count == 3)
            for token in tokens {
                let stored = try await world.sql("SELECT FROM mailed_tokens WHERE token_hash = sha256('\(token)')")
                #expect(stored.count == 1)
            }
        }
    }

    @Test("A mail of a dead server is sent again after its lease, and a late result is ignored")
    func lease() async throws {
        try await World.with { world in
            try await Self.register(world)
            let claimed = try await world.sql("SELECT mail, new_lease FROM claim_mail('\\x00', 60)")[0]
            let held = "id = '\(claimed.text(0) ?? "")' AND lease = '\(claimed.text(1) ?? "")'"
            let post = Post(failures: 1)
            let outbox = try Self.outbox(world, post)
            try await Self.drain(world, outbox)
            #expect(post.sent.isEmpty)
            try await Self.passTime(world)
            try await Self.drain(world, outbox)
            #expect(post.sent.count == 1)
            #expect(try await world.sql("SELECT FROM mails WHERE \(held)").count == 0)
        }
    }

    @Test("A mail is given up after 12 attempts or a day")
    func givenUp() async throws {
        try await World.with { world in
            try await Self.register(world)
            let post = Post(failures: 100)
            let outbox = try Self.outbox(world, post)
            for _ in 0..<20 {
                try await Self.drain(world, outbox)
                try await Self.passTime(world)
            }
            #expect(post.sent.count == 12)
            try await Self.register(world, "grace@example.org")
            try await world.sql("UPDATE mails SET created_at = now() - interval '25 hours' WHERE ended_at IS NULL")
            try await Self.drain(world, outbox)
            #expect(post.sent.count == 12)
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NULL").count == 0)
        }
    }

    @Test("An address with a line break is never written into a header")
    func unwritable() async throws {
        try await World.with { world in
            let account = try await world.newAccount()[0].userID
            try await world.sql(
                "UPDATE users SET email = E'a@b\\nBcc: c@d' WHERE id = '\(account)'; SELECT enqueue_mail('reset', E'a@b\\nBcc: c@d')"
            )
            let post = Post()
            try await Self.drain(world, Self.outbox(world, post))
            #expect(post.sent.isEmpty)
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NULL").count == 0)
        }
    }

    @Test("At most 10,000 mails wait, and the newest 100,000 ended ones are kept")
    func bound() async throws {
        try await World.with { world in
            try await world.sql(
                """
                INSERT INTO mails (kind, email, created_at, ended_at)
                SELECT 'reset', n || '@example.org', now() - n * interval '1 ms', now() FROM generate_series(1, 100003) n
                """
            )
            try await world.sql("SELECT enqueue_mail('reset', 'ada@example.org')")
            try await Self.run(world) { try await world.sweep("mails") }
            #expect(try await world.sql("SELECT FROM mails WHERE ended_at IS NOT NULL").count == 100_000)
            #expect(
                try await world.sql("SELECT FROM mails WHERE email ~ '^10000[123]@' OR ended_at IS NULL").count == 1
            )
            // With the one that waits already, there are 10,000.
            let others = "SELECT id FROM mails WHERE ended_at IS NOT NULL LIMIT 9999"
            try await world.sql("UPDATE mails SET ended_at = NULL WHERE id IN (\(others))")
            let error = await #expect(throws: (any Error).self) {
                try await world.sql("SELECT enqueue_mail('reset', 'ada@example.org')")
            }
            #expect("\(String(describing: error))".contains("NV034"))
        }
    }

    @Test("The sweep deletes sent mails, expired tokens and registrations, and abandoned mails")
    func sweep() async throws {
        try await World.with { world in
            for index in 0..<4 { try await Self.register(world, "a\(index)@example.org") }
            try await Self.drain(world, Self.outbox(world, Post()))
            let changes = [
                "UPDATE mails SET created_at = now() - interval '61 minutes' WHERE email = 'a0@example.org'",
                "UPDATE mails SET ended_at = NULL, created_at = now() - interval '73 hours' WHERE email = 'a1@example.org'",
                "UPDATE mails SET ended_at = NULL, created_at = now() - interval '71 hours' WHERE email = 'a2@example.org'",
                "UPDATE mailed_tokens SET expires_at = now() - interval '1 second' WHERE email = 'a0@example.org'",
                "UPDATE registrations SET expires_at = now() - interval '1 second' WHERE email = 'a1@example.org'",
            ]
            for change in changes { try await world.sql(change) }
            try await Self.run(world) { try await world.sweep("mails") }
            func left(_ table: String) async throws -> [String] {
                let rows = try await world.sql("SELECT left(email, 2) FROM \(table) ORDER BY 1")
                return (0..<rows.count).map { rows[$0].text(0) ?? "" }
            }
            #expect(try await left("mails") == ["a2", "a3"])
            #expect(try await left("mailed_tokens") == ["a1", "a2", "a3"])
            #expect(try await left("registrations") == ["a0", "a2", "a3"])
        }
    }
}
