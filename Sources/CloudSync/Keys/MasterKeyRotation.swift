import NeuroViewsCrypto
import Postgres

/// Changes the master key in the database, in an operator's name. Servers may run meanwhile. All methods block.
///
/// The database never names a usable key that this machine's secret file lacks: the file gets a key first, and loses it
/// last.
package final class MasterKeyRotation {
    /// The reason why a step is rejected.
    package enum Refusal: Error {
        /// Another process is changing the key.
        case busy
        /// Running servers lack the key.
        case notEverywhere([RunningServer])
        /// A secret is sealed by a master key that is missing here.
        case sealedBy(String)
        /// Secrets can't be opened with the keys that sealed them.
        case unreadable([UnreadableSecret])
    }

    private let session: BlockingSession
    private let operatorName: String
    /// PostgreSQL's time when this command began.
    private let begin: String
    /// One lock for all commands on a database.
    private static let commandLock = "SELECT pg_try_advisory_lock(hashtext('neuroviews.secret'))"

    /// Connects. The trail keeps `operatorName`. Throws `.busy` when another process is changing the key, and `DatabaseError`.
    package init(_ connectionString: String, operatorName: String) throws {
        self.operatorName = operatorName
        session = try BlockingSession(connectionString)
        guard try session.execute(Self.commandLock).first?.bool(0) == true else { throw Refusal.busy }
        begin = try session.execute("SELECT now()").first?.text(0) ?? ""
        try session.execute("SET ROLE \(DatabaseRole.ownerName); SET search_path = neuroviews, pg_temp")
    }

    /// All keys that the database knows.
    package func known() throws -> [KnownMasterKey] { try MasterKeyCheck.known(session) }

    /// Adds a key that servers then fetch. An earlier prepared key that was never used is deleted.
    package func prepare(_ key: MasterKey) throws {
        try transaction {
            try session.execute("DELETE FROM master_keys WHERE state = 'prepared'")
            try add(key, as: .prepared)
        }
    }

    /// Makes the prepared key current, and seals all secrets with it, in one transaction. All running servers must have
    /// the key. `file` has the keys that sealed the secrets.
    package func activate(_ key: MasterKey, _ file: [MasterKey]) throws {
        try transaction {
            let lacking = try servers().filter { !$0.keyIDs.contains(key.kid) }
            guard lacking.isEmpty else { throw Refusal.notEverywhere(lacking) }
            // Locks keys before secrets, as logins and new secrets do. The index allows one current key at a time.
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

    /// Makes a new key current, and ends every session at once. The file's old keys are never accepted
    /// again. Returns the number of ended sessions, and the secrets that can't be opened. These stay as they are: they
    /// must not keep a stolen key in use.
    package func replaceCompromised(
        by key: MasterKey,
        _ file: [MasterKey]
    ) throws -> (endedSessions: Int, unreadable: [UnreadableSecret]) {
        try transaction {
            // Waits for transactions that have locked rows of sessions. Logins lock master keys after sessions, so
            // there is no deadlock.
            try session.execute("LOCK TABLE sessions IN EXCLUSIVE MODE")
            try session.execute(
                "UPDATE master_keys SET state = 'compromised', since = now() WHERE state <> 'compromised'"
            )
            for old in file where old.kid != key.kid { try add(old, as: .compromised) }
            try add(key, as: .current)
            let ended = try session.execute("SELECT end_compromised_keys()").first?.int(0) ?? 0
            // Without its second factor an account would be open to everybody with its password. Secrets of a lost key
            // stay as they are.
            let unreadable = try reseal(file, with: key).unreadable
            try note("secret compromised")
            return (ended, unreadable)
        }
    }

    /// Deletes keys that nothing needs. Returns their ids.
    package func forget() throws -> [String] {
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

    /// Holds the lock that starting servers take.
    private func transaction<T>(_ body: () throws -> T) throws -> T {
        try session.execute("BEGIN; \(MasterKeySQL.lockText)")
        do {
            let value = try body()
            try session.execute("COMMIT")
            return value
        } catch {
            // A connection that was lost has been rolled back, and the error before is the one to know.
            _ = try? session.execute("ROLLBACK")
            throw error
        }
    }

    /// Seals again, with `key`, all secrets that the file's other keys sealed. Returns the ids of sealing keys that the
    /// file lacks, and the secrets that don't open.
    private func reseal(
        _ file: [MasterKey],
        with key: MasterKey
    ) throws -> (missing: [String], unreadable: [UnreadableSecret]) {
        var missing: [String] = []
        var unreadable: [UnreadableSecret] = []
        for id in try SealedSecret.masterKeyIDs(session, besides: key) {
            if let old = file.first(where: { $0.kid == id }) {
                unreadable += try SealedSecret.reseal(session, from: old, to: key)
            } else {
                missing.append(id)
            }
        }
        return (missing, unreadable)
    }
}

/// A running server and its keys.
package struct RunningServer: Sendable {
    /// Its host name.
    package let host: String
    /// Its process id.
    package let process: Int
    /// The keys that it has.
    package let keyIDs: [String]
    /// The database's keys that its file lacks.
    package let missingIDs: [String]
    /// True if it compared its file with the database after this command began.
    package let hasLooked: Bool
}

extension MasterKeyRotation {
    /// Servers renew their notes every few seconds.
    private static let runningSeconds = 30

    /// The servers that run.
    package func servers() throws -> [RunningServer] {
        let rows = try session.execute(
            """
            SELECT host, process, array_to_string(key_ids, ','), array_to_string(missing_ids, ','), looked_at > $1::timestamptz
            FROM server_keys
            WHERE seen_at > now() - interval '\(Self.runningSeconds) seconds' AND is_past(seen_at) ORDER BY host, process
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
