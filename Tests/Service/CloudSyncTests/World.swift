import CloudSync
import Foundation
import Net
import NeuroViewsCrypto
import Postgres
import TestSupport

/// A new database with two servers. Each server has its own connections, on the same two loops.
struct World: Sendable {
    let connectionString: String
    let loops: [EventLoop]
    let servers: [ConfigurationService]
    let databases: [Database]
    let recordings: [RecordingService]
    private let sessions = ReusedSessions()

    /// Creates a world for `body` and closes its connections afterwards. `overlapSeconds` is the overlap of
    /// `last_sync`.
    static func with(
        overlapSeconds: Int = 0,
        quotas: AccountQuotas = AccountQuotas(),
        _ body: @Sendable (World) async throws -> Void
    ) async throws {
        let address = try await onThread {
            let address = try TestCluster.shared.get().makeMigratedDatabase()
            let known = "INSERT INTO neuroviews.master_keys (key_id, check_value) VALUES ($1, $2)"
            try BlockingSession(address).execute(known, [keys.current.kid, keys.current.checkValue])
            return address
        }
        try await withLoops(2) { loops in
            let databases = try (0..<2).map { _ in
                var configuration = Database.Configuration(connectionString: address)
                // On a busy machine, deliberate waits last longer than waits in a server.
                configuration.waitMs = UInt64(Patience.ms(30_000))
                configuration.statementTimeoutMs = UInt64(Patience.ms(30_000))
                return try Database(configuration, loops: loops)
            }
            let world = World(address, loops, databases, overlapSeconds, quotas)
            let result: Result<Void, any Error>
            do { result = .success(try await body(world)) } catch { result = .failure(error) }
            for database in databases { await database.close() }
            world.sessions.close()
            try await onThread { try TestCluster.shared.get().drop(address) }
            try result.get()
        }
    }

    static let keys: KeyRing = {
        do {
            return try KeyRing(current: MasterKey(bytes: Array(0..<32)))
        } catch {
            fatalError("\(error)")
        }
    }()

    static let work: LargeWork = {
        do {
            return try LargeWork(threads: 1)
        } catch {
            fatalError("\(error)")
        }
    }()

    private init(
        _ address: String,
        _ loops: [EventLoop],
        _ databases: [Database],
        _ overlapSeconds: Int,
        _ quotas: AccountQuotas
    ) {
        connectionString = address
        self.loops = loops
        self.databases = databases
        recordings = databases.map { database in
            RecordingService(
                database: database,
                keys: Self.keys,
                devices: DeviceService(database: database, now: { 0 }),
                overlapSeconds: overlapSeconds
            )
        }
        servers = databases.map { database in
            ConfigurationService(
                database: database,
                devices: DeviceService(database: database, now: { 0 }),
                work: Self.work,
                overlapSeconds: overlapSeconds,
                quotas: quotas
            )
        }
    }

    /// Runs SQL as the superuser, without row-level security.
    @discardableResult
    func sql(_ text: String) async throws -> Rows {
        try await onThread { [sessions, connectionString] in
            try sessions.execute(text, after: "SET search_path = neuroviews", at: connectionString)
        }
    }

    /// Runs a sweep, by its name in the log.
    func sweep(_ name: String, at server: Int = 0) async throws {
        for sweep in Sweep.all where sweep.name == name { try await sweep.run(in: databases[server]) }
    }

    /// Moves all stored times `days` days into the past.
    func pass(days: Int) async throws {
        let tables = [
            "configuration_versions": ["changed_at", "edited_at"], "configurations": ["changed_at", "edited_at"],
            "configuration_conflicts": ["received_at", "edited_at"], "sync_heads": ["changed_at"],
            "sweeps": ["reached"],
        ]
        for (table, columns) in tables {
            let changes = columns.map { "\($0) = \($0) - interval '\(days) days'" }.joined(separator: ", ")
            try await sql("UPDATE \(table) SET \(changes)")
        }
    }

    /// Creates an account with a session on each of `devices` devices.
    func newAccount(devices: Int = 1) async throws -> [Caller] {
        let rows = try await sql(
            """
            WITH account AS (
                INSERT INTO users (email, password_hash) VALUES (gen_random_uuid() || '@example.org', '-') RETURNING id
            ), head AS (
                INSERT INTO sync_heads (user_id, collection, genesis, chain)
                SELECT id, collection, uuid_send(id), uuid_send(id)
                FROM account, unnest(enum_range(NULL::collection)) collection
            )
            INSERT INTO sessions (user_id, key_id, device_id)
            SELECT id, '\(Self.keys.current.kid)', 'device-' || n FROM account, generate_series(1, \(devices)) n RETURNING user_id, id
            """
        )
        return (0..<rows.count).map { index in
            Caller(
                userID: rows[index].text(0) ?? "",
                sessionID: rows[index].text(1) ?? "",
                counter: 1,
                keyID: Self.keys.current.kid
            )
        }
    }
}

extension Caller {
    /// A time that is constant for up to 10 minutes, so that a test can sign twice alike. The server still accepts it.
    static var signingSecond: Int { Int(Date().timeIntervalSince1970) / 600 * 600 }

    /// The same caller with the nonce of a signed request.
    func signing(_ nonce: String, at second: Int = signingSecond) -> Caller {
        Caller(
            userID: userID,
            sessionID: sessionID,
            counter: counter,
            keyID: keyID,
            nonce: SignedNonce(signedAt: second, value: nonce)
        )
    }
}

extension ConfigurationService {
    /// The changes after the cursor.
    func delta(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        try await changes.delta(request, for: caller)
    }

    /// Reads the parts missing from the delta.
    func pages(_ kind: DeltaPages.Kind, of delta: Delta, for caller: Caller) throws -> DeltaPages {
        try DeltaPages(kind, of: delta, changes, caller)
    }
}
