import NeuroViewsCrypto
import Postgres

/// An operator's actions on accounts, while servers may run. Each action is added to the trail with its operator, in
/// the same statement. Blocks.
package struct AccountAdministration {
    private let session: BlockingSession
    private let operatorName: String
    private let locks: LoginLocks

    /// Connects. `operatorName` is the name in the trail. `locks` finds locked accounts.
    package init(
        _ connectionString: String,
        operatorName: String,
        locks: LoginLocks = LoginLocks()
    ) throws(DatabaseError) {
        session = try BlockingSession(connectionString)
        try session.execute("SET ROLE \(DatabaseRole.ownerName); SET search_path = neuroviews, pg_catalog")
        self.operatorName = operatorName
        self.locks = locks
    }

    /// Returns a page of accounts, ordered by address, after `email`.
    package func list(after email: String) throws(DatabaseError) -> [AccountSummary] {
        let rows = try session.execute(AdministrationSQL.list, [email] + locks.parameters)
        return (0..<rows.count).map { AccountSummary(rows[$0]) }
    }

    /// Returns at most `limit` of the accounts whose address begins with `prefix`, in the same order.
    package func list(after email: String, prefix: String, limit: Int) throws(DatabaseError) -> [AccountSummary] {
        let rows = try session.execute(AdministrationSQL.search, [email, prefix, String(limit)] + locks.parameters)
        return (0..<rows.count).map { AccountSummary(rows[$0]) }
    }

    /// Returns an account and the last actions of operators on it; nil if there is none.
    package func show(_ email: String) throws(DatabaseError) -> (account: AccountSummary, actions: [OperatorAction])? {
        let parameters = [email, operatorName] + locks.parameters
        guard let row = try session.execute(AdministrationSQL.show, parameters).first else { return nil }
        let account = AccountSummary(row)
        return (account, try actions(AdministrationSQL.actionsOfAccount, [account.id]))
    }

    /// Returns an account's identities at OpenID providers.
    package func identities(of id: String) throws(DatabaseError) -> [IdentitySummary] {
        let rows = try session.execute(AdministrationSQL.identities, [id])
        return (0..<rows.count).map { IdentitySummary(rows[$0]) }
    }

    /// Returns an account's live sessions, the last used first; nil if there is no account.
    package func sessions(of email: String) throws(DatabaseError) -> [SessionSummary]? {
        guard let id = try session.execute(AdministrationSQL.noteSessions, [email, operatorName]).first?.text(0) else {
            return nil
        }
        return try sessions(ofID: id)
    }

    /// The same for the id of an account that was shown, which the trail has.
    package func sessions(ofID id: String) throws(DatabaseError) -> [SessionSummary] {
        let rows = try session.execute(AdministrationSQL.sessions, [id])
        return (0..<rows.count).map { SessionSummary(rows[$0]) }
    }

    /// Ends all sessions of an account. Returns their number; nil if there is no account.
    package func endSessions(of email: String) throws(DatabaseError) -> Int? {
        try session.execute(AdministrationSQL.endSessions, [email, operatorName]).first?.int(0)
    }

    /// Disables an account and ends its sessions. Returns their number; nil if there is no account.
    package func disable(_ email: String) throws(DatabaseError) -> Int? {
        try session.execute(AdministrationSQL.disable, [email, operatorName]).first?.int(0)
    }

    /// Enables an account again. Returns false if there is none.
    package func enable(_ email: String) throws(DatabaseError) -> Bool {
        try session.execute(AdministrationSQL.enable, [email, operatorName]).count > 0
    }

    /// Removes an account's authenticator app and recovery codes. Returns true if there was an app; nil if there is no
    /// account.
    package func removeApp(of email: String) throws(DatabaseError) -> Bool? {
        try session.execute(AdministrationSQL.removeApp, [email, operatorName]).first.map { $0.int(0) == 1 }
    }

    /// Sets another password, which takes some 0.3 s of hashing. Returns the number of ended sessions; nil if there is
    /// no account.
    package func setPassword(_ new: NewPassword, of email: String) throws -> Int? {
        let hash = try PasswordHash.hash(new.password.bytes)
        return try session.execute(AdministrationSQL.setPassword, [email, operatorName, hash]).first?.int(0)
    }

    /// Begins to erase an account: it becomes unusable. `digest` makes the digest for the erasure ledger. Returns the
    /// digest; nil if there is no account.
    package func delete(_ email: String, digest: (_ userID: String) -> [UInt8]) throws(DatabaseError) -> [UInt8]? {
        try session.execute("BEGIN")
        let found = try session.execute(AdministrationSQL.noteDeletion, [email, operatorName]).first?.text(0)
        if let id = found {
            let begin = "SELECT begin_account_erasure($1::uuid, decode($2, 'hex'))"
            try session.execute(begin, [id, Hex.encode(digest(id))])
        }
        try session.execute("COMMIT")
        return found.map(digest)
    }

    /// Adds an action to the trail that concerns no single account.
    package func note(_ action: String) throws(DatabaseError) {
        try session.execute("INSERT INTO operator_actions (operator, action) VALUES ($1, $2)", [operatorName, action])
    }

    /// Returns the last actions of operators, newest first.
    package func trail() throws(DatabaseError) -> [OperatorAction] { try actions(AdministrationSQL.actions, []) }

    /// Calls `each` with the security events of all accounts since a time, oldest first. The time is RFC 3339; nil
    /// means all events.
    package func events(since time: String?, _ each: (AccountEventSummary) -> Void) throws(DatabaseError) {
        var place = [time ?? "-infinity", "00000000-0000-0000-0000-000000000000"]
        while true {
            let rows = try session.execute(AdministrationSQL.events, place)
            for index in 0..<rows.count {
                each(AccountEventSummary(rows[index]))
                place = [rows[index].text(7) ?? "", rows[index].text(8) ?? ""]
            }
            if rows.count == 0 { return }
        }
    }

    private func actions(_ sql: String, _ parameters: [String]) throws(DatabaseError) -> [OperatorAction] {
        let rows = try session.execute(sql, parameters)
        return (0..<rows.count).map { OperatorAction(rows[$0]) }
    }
}
