import CloudSync
import Machine
import NeuroViewsCrypto
import Postgres

/// The ledger of erased accounts, in the database and in a file of the data folder. It keeps a restored backup from
/// bringing an account back. A server makes both equal at its start and periodically; a restore does so too.
package struct ErasureLedger: Sendable {
    private static let name = "erasures.ledger"
    private static let accountsAtOnce = 10_000

    private let file: ErasureLedgerFile
    private let connectionString: String
    private let role: String

    /// The ledger of a data folder and a database. The login must have `role`: the owner's for a command, the
    /// background's for a server.
    package init(dataFolder: String, _ connectionString: String, as role: String = DatabaseRole.ownerName) {
        file = ErasureLedgerFile(path: "\(dataFolder)/\(Self.name)")
        self.connectionString = connectionString
        self.role = role
    }

    /// The key for new entries. It exists after `settle`.
    package func key() throws -> ErasureLedgerKey {
        guard let key = try read().keys.first else { throw CommandFailure("\(file.path) has no key.") }
        return key
    }

    /// Records an erased account. Blocks.
    package func note(_ digest: [UInt8]) throws { try append(.init(digests: [digest])) }

    /// Adds missing entries to the file and to the database. Accounts that only the file has were erased after the
    /// restored backup: their erasure begins again, which makes them unusable. Returns the number of these accounts.
    /// Blocks.
    package func settle() throws -> Int {
        let session = try BlockingSession(connectionString)
        // A new cluster has no roles before its first migration.
        guard try session.execute("SELECT FROM pg_roles WHERE rolname = $1", [role]).count > 0 else {
            return 0
        }
        try session.execute("SET ROLE \(role)")
        // The database of an older server does not have these functions.
        let isReady = "SELECT to_regproc('neuroviews.erasure_ledger_entries')"
        guard try session.execute(isReady).first?.isNull(0) == false else { return 0 }
        let (inFile, inDatabase) = (try read(), try Self.content(of: session))
        var added = inDatabase.subtracting(inFile)
        if inFile.keys.isEmpty, added.keys.isEmpty {
            // A new key would match none of the existing digests.
            guard inFile.digests.isEmpty else { throw Self.keyless(file.path) }
            added.keys = [ErasureLedgerKey(bytes: try KernelRandom.bytes(SHA256.digestBytes))]
        }
        try append(added)
        let keys = inFile.keys + added.keys
        let missing = ErasureLedgerFile.Content(keys: keys, digests: inFile.digests).subtracting(inDatabase)
        // Digests without their key were never compared with the accounts.
        let isKeyNew = !missing.keys.isEmpty || !added.keys.isEmpty
        let digests = isKeyNew ? inFile.digests.union(inDatabase.digests) : missing.digests
        let count = try eraseAgain(digests, keys, session)
        try goOnAside(keys, session)
        try Self.insert(missing, session)
        return count
    }

    /// Deletes the rows of every account with a begun erasure. The server deletes their files later. Blocks.
    func eraseRows() throws {
        let session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(role)")
        let accounts = try session.execute("SELECT account FROM neuroviews.account_erasures")
        for account in (0..<accounts.count).compactMap({ accounts[$0].text(0) }) {
            var isDone = false
            while !isDone {
                let step = "SELECT bool_or(is_done) FROM neuroviews.erase_account_step($1::uuid, 20000)"
                isDone = try session.execute(step, [account]).first?.isTrue(0) == true
            }
        }
    }

    private func read() throws -> ErasureLedgerFile.Content {
        do throws(ErasureLedgerFile.Problem) {
            return try file.read()
        } catch {
            switch error {
            case .system(let error): throw Self.failure(error)
            case .damaged(let line): throw Self.damaged(file.path, line)
            }
        }
    }

    private func append(_ content: ErasureLedgerFile.Content) throws {
        do throws(FileError) {
            try file.append(content)
        } catch {
            throw Self.failure(error)
        }
    }

    private static func damaged(_ path: String, _ line: Int) -> CommandFailure {
        CommandFailure(
            "Line \(line) of the ledger of erased accounts \(path) is damaged: put the file back from a copy, or delete the line. Without it, "
                + "only the database knows what it said.",
            status: .cannotCreate
        )
    }

    private static func keyless(_ path: String) -> CommandFailure {
        CommandFailure(
            "The ledger of erased accounts \(path) has no key, and neither has the database: put the file back from a copy.",
            status: .cannotCreate
        )
    }

    private static func failure(_ error: FileError) -> CommandFailure {
        CommandFailure("The ledger of erased accounts can't be used: \(error).", status: .cannotCreate)
    }
}

extension ErasureLedger {
    private static func content(of session: BlockingSession) throws -> ErasureLedgerFile.Content {
        let rows = try session.execute("SELECT is_key, encode(value, 'hex') FROM neuroviews.erasure_ledger_entries()")
        var content = ErasureLedgerFile.Content()
        for index in 0..<rows.count {
            guard let bytes = rows[index].utf8(1).flatMap({ Hex.decode($0[...]) }) else { continue }
            if rows[index].isTrue(0) {
                content.keys.append(ErasureLedgerKey(bytes: bytes))
            } else {
                content.digests.insert(bytes)
            }
        }
        return content
    }

    private static func insert(_ missing: ErasureLedgerFile.Content, _ session: BlockingSession) throws {
        try session.execute("BEGIN")
        let add = "SELECT neuroviews.add_to_erasure_ledger($1::boolean, decode($2, 'hex'))"
        for key in missing.keys { try session.execute(add, ["true", Hex.encode(key.bytes)]) }
        for digest in missing.digests { try session.execute(add, ["false", Hex.encode(digest)]) }
        try session.execute("COMMIT")
    }

    /// Checks every account, including those in schemas that restores have kept aside.
    private func eraseAgain(
        _ digests: Set<[UInt8]>,
        _ keys: [ErasureLedgerKey],
        _ session: BlockingSession
    ) throws -> Int {
        guard !digests.isEmpty else { return 0 }
        var count = 0
        let rows = try session.execute("SELECT account FROM neuroviews.account_erasures")
        let begun = Set((0..<rows.count).compactMap { rows[$0].text(0) })
        for schema in try Self.schemas(aside: "users", session) + ["neuroviews"] {
            try forEachAccount(in: schema, "users", session) { account in
                guard let digest = keys.lazy.map({ $0.digest(of: account) }).first(where: digests.contains) else {
                    return
                }
                if begun.contains(account) { return }
                let begin = "SELECT neuroviews.begin_account_erasure($1::uuid, decode($2, 'hex'))"
                try session.execute(begin, [account, Hex.encode(digest)])
                if schema == "neuroviews" { count += 1 }
            }
        }
        return count
    }

    /// Continues the erasures and file deletions that were unfinished in a schema when a restore put it aside.
    private func goOnAside(_ keys: [ErasureLedgerKey], _ session: BlockingSession) throws {
        guard let key = keys.first else { return }
        for table in ["account_erasures", "erased_objects"] {
            for schema in try Self.schemas(aside: table, session) {
                try forEachAccount(in: schema, table, session) { account in
                    let begin = "SELECT neuroviews.begin_account_erasure($1::uuid, decode($2, 'hex'))"
                    try session.execute(begin, [account, Hex.encode(key.digest(of: account))])
                }
            }
        }
    }

    /// The schemas that restores have kept aside and that have this table.
    private static func schemas(aside table: String, _ session: BlockingSession) throws -> [String] {
        let rows = try session.execute(
            "SELECT DISTINCT place FROM neuroviews.account_tables() WHERE relation = $1 AND NOT is_current",
            [table]
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    private func forEachAccount(
        in schema: String,
        _ table: String,
        _ session: BlockingSession,
        _ body: (String) throws -> Void
    ) throws {
        var last = "00000000-0000-0000-0000-000000000000"
        while true {
            let page = "SELECT * FROM neuroviews.listed_accounts($1, $2, $3::uuid, \(Self.accountsAtOnce))"
            let rows = try session.execute(page, [schema, table, last])
            let accounts = (0..<rows.count).compactMap { rows[$0].text(0) }
            for account in accounts { try body(account) }
            guard let end = accounts.last, accounts.count == Self.accountsAtOnce else { return }
            last = end
        }
    }
}
