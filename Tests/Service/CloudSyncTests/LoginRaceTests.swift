import CloudSync
import Net
import NeuroViewsCrypto
import Postgres
import TestSupport
import Testing

/// Logins with a change of the account between the password check and the start of the session.
struct LoginRaceTests {
    /// An open transaction. `@unchecked Sendable`: only one thread at a time uses it.
    private struct Holder: @unchecked Sendable { let session: BlockingSession }

    private static let attempt = LoginAttempt(
        email: "ana@example.org",
        password: "three quiet lenses",
        deviceID: "phone"
    )

    /// Logs in during a `change` of the account, which has as many sessions as it may have. The account's row is locked
    /// until the login waits for it. Returns the login's error.
    private static func failure(of change: String) async throws -> (any Error)? {
        let failure = Locked<(any Error)?>(nil)
        try await World.with { world in
            let accounts = try world.accounts()
            _ = try await world.loops[0].run {
                let password = try PasswordRules().accept(attempt.password, for: attempt.email)
                return try await accounts.add(email: attempt.email, password: password, by: nil)
            }
            try await world.sql(
                """
                INSERT INTO sessions (user_id, key_id, device_id)
                SELECT id, '\(World.keys.current.kid)', 'old-' || n FROM users, generate_series(1, 100) n
                """
            )
            let holder = try await hold(world)
            let login = Task(executorPreference: world.loops[0]) { try await accounts.logIn(attempt) }
            try await awaitWaiting(world)
            try await onThread { _ = try holder.session.execute("\(change); COMMIT") }
            do { _ = try await login.value } catch { failure.withLock { $0 = error } }
            try await expectStored(isLoggedIn: failure.withLock { $0 == nil }, world)
        }
        return failure.withLock { $0 }
    }

    /// A login stores its session and its device, and ends an older session. A refused one does nothing of it.
    private static func expectStored(isLoggedIn: Bool, _ world: World) async throws {
        let count = isLoggedIn ? 1 : 0
        #expect(try await world.sql("SELECT FROM sessions WHERE device_id = 'phone'").count == count)
        #expect(try await world.sql("SELECT FROM sessions WHERE ended_at IS NOT NULL").count == count)
        for known in ["true", "logged_in_at IS NOT NULL"] {
            #expect(try await world.sql("SELECT FROM devices WHERE \(known)").count == count)
        }
    }

    private static func hold(_ world: World) async throws -> Holder {
        try await onThread { [connectionString = world.connectionString] in
            let holder = Holder(session: try BlockingSession(connectionString))
            try holder.session.execute("SET search_path = neuroviews; BEGIN; SELECT FROM users FOR UPDATE")
            return holder
        }
    }

    private static func awaitWaiting(_ world: World) async throws {
        try await onThread { [connectionString = world.connectionString] in
            let session = try BlockingSession(connectionString)
            let waiting = """
                SELECT EXISTS (
                    SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'
                )
                """
            try Deadline.wait("the login to wait", seconds: 20) { try session.execute(waiting).first?.bool(0) == true }
        }
    }

    @Test("A wrong password counts and is reported, also if its event can't be stored")
    func unnoted() async throws {
        try await World.with { world in
            try await world.sql(
                """
                CREATE OR REPLACE FUNCTION note_failure(account uuid, what text, client inet, session uuid DEFAULT NULL)
                RETURNS void LANGUAGE plpgsql AS
                'BEGIN RAISE EXCEPTION ''broken''; END'
                """
            )
            let accounts = try world.accounts()
            let login = Task(executorPreference: world.loops[0]) { try await accounts.logIn(Self.attempt) }
            do {
                _ = try await login.value
                Issue.record("logged in")
            } catch CloudSyncError.problem(.credentialsInvalid) {}
            #expect(try await world.sql("SELECT DISTINCT id FROM attempts").count == 1)
        }
    }

    @Test("A login that is slower than another one to store a new hash gets a challenge of the stored one")
    func rehashed() async throws {
        let cost = try ScryptParameters(logN: 1, r: 8, p: 1)
        let hashes = try (0..<2).map { _ in try PasswordHash.hash(Array(Self.attempt.password.utf8), parameters: cost) }
        try await World.with { world in
            let accounts = try world.accounts()
            try await world.sql("SELECT open_account('\(Self.attempt.email)', '\(hashes[0])')")
            try await world.sql(
                """
                INSERT INTO totp_secrets (user_id, sealed_secret, master_key_id, confirmed_at)
                SELECT id, '', '\(World.keys.current.kid)', now() FROM users
                """
            )
            let holder = try await Self.hold(world)
            let login = Task(executorPreference: world.loops[0]) { try await accounts.logIn(Self.attempt) }
            try await Self.awaitWaiting(world)
            let change = "UPDATE users SET password_hash = '\(hashes[1])'; COMMIT"
            try await onThread { _ = try holder.session.execute(change) }
            do {
                _ = try await login.value
                Issue.record("logged in without a code")
            } catch CloudSyncError.secondFactorRequired {}
            let usable = """
                SELECT FROM second_factor_challenges c JOIN users u
                ON u.id = c.user_id AND c.password_digest = sha256(convert_to(u.password_hash, 'UTF8'))
                """
            #expect(try await world.sql(usable).count == 1)
        }
    }

    @Test("A login during a change of the password starts no session with the old one, and stores nothing")
    func changedPassword() async throws {
        let failure = try await Self.failure(
            of: "UPDATE users SET password_hash = replace(password_hash, 'p=3', 'p=1')"
        )
        guard case CloudSyncError.problem(.credentialsInvalid)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("A login while its account is disabled starts no session, and stores nothing")
    func disabled() async throws {
        let failure = try await Self.failure(of: "UPDATE users SET disabled_at = now()")
        guard case CloudSyncError.unauthenticated(.accountDisabled)? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    @Test("A login during another change of its account starts a session")
    func unchanged() async throws {
        #expect(try await Self.failure(of: "UPDATE users SET created_at = now()") == nil)
    }
}
