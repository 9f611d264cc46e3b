import Crypto
import Postgres

/// Changes the master key in the database, in an operator's name. Servers may run. All of it blocks.
///
/// The database never names a key for use that is not in the secret file of this machine: the file gets a key first, and loses it last.
public final class MasterKeyRotation {
    /// Why a step is not taken.
    public enum Refusal: Error {
        /// Another process is changing the key.
        case busy
        /// Servers run that lack the key.
        case notEverywhere([RunningServer])
        /// A secret is sealed by a master key that is not here.
        case sealedBy(String)
        /// Secrets can't be opened with the keys that have sealed them.
        case unreadable([UnreadableSecret])
    }

    private let session: BlockingSession
    private let operatorName: String
    /// PostgreSQL's time at the beginning.
    private let begin: String
    /// The same for all commands on one database.
    private static let commandLock = "SELECT pg_try_advisory_lock(hashtext('neuroviews.secret'))"

    /// Connects. The trail keeps `operatorName`. Throws `.busy` when another process is changing the key, and `DatabaseError`.
    public init(_ connectionString: String, operatorName: String) throws {
        self.operatorName = operatorName
        session = try BlockingSession(connectionString)
        guard try session.execute(Self.commandLock).first?.bool(0) == true else { throw Refusal.busy }
        begin = try session.execute("SELECT now()").first?.text(0) ?? ""
        try session.execute("SET ROLE neuroviews_owner; SET search_path = neuroviews, pg_temp")
    }

    /// All keys that the database knows.
    public func known() throws -> [KnownMasterKey] { try MasterKeyCheck.known(session) }

    /// Has servers get a key. One that was prepared before and never used is dropped.
    public func prepare(_ key: MasterKey) throws {
        try transaction {
            try session.execute("DELETE FROM master_keys WHERE state = 'prepared'")
            try add(key, as: .prepared)
        }
    }

    /// Makes the prepared key current when every server has it, and seals all secrets with it, in one transaction. `file` has the keys that
    /// sealed them.
    public func activate(_ key: MasterKey, _ file: [MasterKey]) throws {
        try transaction {
            let lacking = try servers().filter { !$0.keyIDs.contains(key.kid) }
            guard lacking.isEmpty else { throw Refusal.notEverywhere(lacking) }
            // Before any secret, as logins and new secrets lock them. The index allows one current key at a time.
            try session.execute("UPDATE master_keys SET state = 'previous', since = now() WHERE state = 'current'")
            try session.execute(
                "UPDATE master_keys SET state = 'current', since = now() WHERE state = 'prepared' AND key_id = $1",
                [key.kid]
            )
            let left = try reseal(file, with: key)
            if let missing = left.missing.first { throw Refusal.sealedBy(missing) }
            guard left.unreadable.isEmpty else { throw Refusal.unreadable(left.unreadable) }
            try note("secret rotate")
        }
    }

    /// Makes a new key current, and ends every session and receipt key at once. The file's keys are not taken again, wherever they come from.
    /// Returns how many sessions ended, and the secrets that can't be opened: they stay as they are, which must not keep a stolen key in force.
    public func replaceCompromised(
        by key: MasterKey,
        _ file: [MasterKey]
    ) throws -> (endedSessions: Int, unreadable: [UnreadableSecret]) {
        try transaction {
            // Waits for transactions that have locked rows of sessions. Logins lock master keys after sessions, so there is no deadlock.
            try session.execute("LOCK TABLE sessions IN EXCLUSIVE MODE")
            try session.execute(
                "UPDATE master_keys SET state = 'compromised', since = now() WHERE state <> 'compromised'"
            )
            for old in file where old.kid != key.kid { try add(old, as: .compromised) }
            try add(key, as: .current)
            let ended = try session.execute("SELECT end_compromised_keys()").first?.int(0) ?? 0
            // Without the second factor an account would be open to everybody who has its password. Those of a lost key stay as they are.
            let unreadable = try reseal(file, with: key).unreadable
            try note("secret compromised")
            return (ended, unreadable)
        }
    }

    /// Drops keys that nothing needs. Returns their ids.
    public func forget() throws -> [String] {
        let rows = try session.execute("SELECT forget_master_keys()")
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    private func note(_ action: String) throws {
        try session.execute("INSERT INTO operator_actions (operator, action) VALUES ($1, $2)", [operatorName, action])
    }

    private func add(_ key: MasterKey, as state: KnownMasterKey.State) throws {
        try session.execute(
            "INSERT INTO master_keys (key_id, check_value, state) VALUES ($1, $2, $3) ON CONFLICT (key_id) DO NOTHING",
            [key.kid, key.checkValue, state.rawValue]
        )
    }

    /// Behind the lock that servers take while they start.
    private func transaction<T>(_ body: () throws -> T) throws -> T {
        try session.execute("BEGIN; \(MasterKeySQL.lockText)")
        do {
            let value = try body()
            try session.execute("COMMIT")
            return value
        } catch {
            _ = try? session.execute("ROLLBACK")
            throw error
        }
    }

    /// Seals with the key all that the file's other keys have sealed. Returns the ids of keys that the file lacks, and that have sealed something,
    /// and the secrets that don't open.
    private func reseal(
        _ file: [MasterKey],
        with key: MasterKey
    ) throws -> (missing: [String], unreadable: [UnreadableSecret]) {
        var missing: [String] = []
        var unreadable: [UnreadableSecret] = []
        for secret in SealedSecret.all {
            for id in try secret.masterKeyIDs(session, besides: key) {
                if let old = file.first(where: { $0.kid == id }) {
                    unreadable += try secret.reseal(session, from: old, to: key)
                } else {
                    missing.append(id)
                }
            }
        }
        return (missing, unreadable)
    }
}

/// A server that runs, and which keys it has.
public struct RunningServer: Sendable {
    /// Its machine.
    public let host: String
    /// Its number there.
    public let process: Int
    /// The keys that it has.
    public let keyIDs: [String]
    /// The keys of the database that its file lacks.
    public let missingIDs: [String]
    /// True when it compared its file with the database after this command had begun.
    public let hasLooked: Bool
}

extension MasterKeyRotation {
    /// A server notes every few seconds that it runs.
    private static let runningSeconds = 30

    /// The servers that run.
    public func servers() throws -> [RunningServer] {
        let rows = try session.execute(
            """
            SELECT host, process, array_to_string(key_ids, ','), array_to_string(missing_ids, ','), looked_at > $1::timestamptz
            FROM server_keys
            WHERE seen_at > now() - interval '\(Self.runningSeconds) seconds' ORDER BY host, process
            """,
            [begin]
        )
        return (0..<rows.count).map { index in
            let row = rows[index]
            func ids(_ column: Int) -> [String] { (row.text(column) ?? "").split(separator: ",").map(String.init) }
            return RunningServer(
                host: row.text(0) ?? "",
                process: row.int(1) ?? 0,
                keyIDs: ids(2),
                missingIDs: ids(3),
                hasLooked: row.bool(4) ?? false
            )
        }
    }
}
