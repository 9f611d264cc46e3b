import Crypto
import Postgres

/// What an operator does to accounts, beside running servers. The trail keeps each action with its operator, in the same statement. Blocks.
public struct AccountAdministration {
    private let session: BlockingSession
    private let operatorName: String

    /// Connects. The trail keeps `operatorName`.
    public init(_ connectionString: String, operatorName: String) throws(DatabaseError) {
        session = try BlockingSession(connectionString)
        try session.execute("SET ROLE neuroviews_owner; SET search_path = neuroviews, pg_catalog")
        self.operatorName = operatorName
    }

    /// The accounts whose addresses follow `email` in the order of the alphabet, as many as a page has.
    public func list(after email: String) throws(DatabaseError) -> [AccountSummary] {
        let rows = try session.execute(AdministrationSQL.list, [email])
        return (0..<rows.count).map { AccountSummary(rows[$0]) }
    }

    /// An account, and what operators did to it last; nil when there is none.
    public func show(_ email: String) throws(DatabaseError) -> (account: AccountSummary, actions: [OperatorAction])? {
        guard let row = try session.execute(AdministrationSQL.show, [email, operatorName]).first else { return nil }
        let account = AccountSummary(row)
        return (account, try actions(AdministrationSQL.actionsOfAccount, [account.id]))
    }

    /// Whom the account with this id is at OpenID providers.
    public func identities(of id: String) throws(DatabaseError) -> [IdentitySummary] {
        let rows = try session.execute(AdministrationSQL.identities, [id])
        return (0..<rows.count).map { IdentitySummary(rows[$0]) }
    }

    /// The live sessions of an account, last used first; nil when there is no account.
    public func sessions(of email: String) throws(DatabaseError) -> [SessionSummary]? {
        guard let id = try session.execute(AdministrationSQL.noteSessions, [email, operatorName]).first?.text(0) else {
            return nil
        }
        let rows = try session.execute(AdministrationSQL.sessions, [id])
        return (0..<rows.count).map { SessionSummary(rows[$0]) }
    }

    /// Ends all sessions of an account. Returns how many; nil when there is no account.
    public func endSessions(of email: String) throws(DatabaseError) -> Int? {
        try session.execute(AdministrationSQL.endSessions, [email, operatorName]).first?.int(0)
    }

    /// Ends all sessions of an account and lets none start. Returns how many ended; nil when there is no account.
    public func disable(_ email: String) throws(DatabaseError) -> Int? {
        try session.execute(AdministrationSQL.disable, [email, operatorName]).first?.int(0)
    }

    /// Lets sessions of an account start again. Returns whether there is one.
    public func enable(_ email: String) throws(DatabaseError) -> Bool {
        try session.execute(AdministrationSQL.enable, [email, operatorName]).count > 0
    }

    /// Removes an account's authenticator app and recovery codes. Returns whether there was an app; nil when there is no account.
    public func removeApp(of email: String) throws(DatabaseError) -> Bool? {
        try session.execute(AdministrationSQL.removeApp, [email, operatorName]).first.map { $0.int(0) == 1 }
    }

    /// Gives an account another password, which takes some 0.3 s of hashing. Returns how many sessions ended; nil when there is no account.
    public func setPassword(_ new: NewPassword, of email: String) throws -> Int? {
        let hash = try PasswordHash.hash(new.password.bytes)
        return try session.execute(AdministrationSQL.setPassword, [email, operatorName, hash]).first?.int(0)
    }

    /// Begins to erase an account: it can't be used any more. `digest` makes what the erasure ledger knows it by. Returns that; nil when there
    /// is no account.
    public func delete(_ email: String, digest: (_ userID: String) -> [UInt8]) throws(DatabaseError) -> [UInt8]? {
        try session.execute("BEGIN")
        let found = try session.execute(AdministrationSQL.noteDeletion, [email, operatorName]).first?.text(0)
        if let id = found {
            let begin = "SELECT begin_account_erasure($1::uuid, decode($2, 'hex'))"
            try session.execute(begin, [id, Hex.encode(digest(id))])
        }
        try session.execute("COMMIT")
        return found.map(digest)
    }

    /// Notes an action that is done to no single account.
    public func note(_ action: String) throws(DatabaseError) {
        try session.execute("INSERT INTO operator_actions (operator, action) VALUES ($1, $2)", [operatorName, action])
    }

    /// What operators did last, newest first.
    public func trail() throws(DatabaseError) -> [OperatorAction] { try actions(AdministrationSQL.actions, []) }

    /// Calls `each` with the security events of all accounts since a time (RFC 3339; nil: all that are kept), oldest first.
    public func events(since time: String?, _ each: (AccountEventSummary) -> Void) throws(DatabaseError) {
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
