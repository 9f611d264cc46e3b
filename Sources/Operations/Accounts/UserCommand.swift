import CloudSync
import Machine
import NeuroViewsCrypto
import Postgres
import PrivateCluster
import Settings

/// `user` without `add`: an operator's actions on existing accounts.
package struct UserCommand {
    let action: UserAction
    let settings: Settings

    package init(action: UserAction, settings: Settings) {
        self.action = action
        self.settings = settings
    }

    package func run() throws {
        // Reads the password before it connects to the database, because a person is waiting.
        var password: NewPassword?
        if case .password(let email) = action {
            password = try PasswordInput.accept(PasswordInput.read(), for: email, settings)
        }
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        do {
            let accounts = try Self.administration(database, settings)
            let ledger = ErasureLedger(dataFolder: settings.dataFolder, database.ownerLogin)
            StandardStreams.print(try report(accounts, password, ledger))
        } catch let error as DatabaseError {
            throw CommandFailure("The database refused it: \(error.sentence)")
        }
    }

    /// Logs in for an operator's actions.
    static func administration(_ database: CommandDatabase, _ settings: Settings) throws -> AccountAdministration {
        let locks = LoginLocks(keys: keys(settings), failuresMax: settings.attempts.login)
        return try AccountAdministration(database.ownerLogin, operatorName: OperatorName.current, locks: locks)
    }

    private func report(
        _ accounts: AccountAdministration,
        _ password: NewPassword?,
        _ ledger: ErasureLedger
    ) throws -> String {
        switch action {
        case .list:
            try accounts.note("list")
            return try list(accounts)
        case .trail:
            try accounts.note("trail")
            return try accounts.trail().map(UserReport.line).joined()
        case .events(let since):
            try printEvents(accounts, since: since)
            return ""
        case .show(let email):
            return try details(email, accounts)
        case .sessions(let email):
            return try existing(email, accounts.sessions(of: email)).map(UserReport.line).joined()
        case .endSessions(let email):
            return "ended \(try existing(email, accounts.endSessions(of: email))) sessions of \(email)\n"
        case .disable(let email):
            return "disabled \(email), sessions ended: \(try existing(email, accounts.disable(email)))\n"
        case .enable(let email):
            guard try accounts.enable(email) else { throw unknown(email) }
            return "enabled \(email)\n"
        case .removeApp(let email):
            let wasThere = try existing(email, accounts.removeApp(of: email))
            return wasThere
                ? "removed the authenticator app and the recovery codes of \(email)\n"
                : "\(email) has no authenticator app\n"
        case .password(let email):
            guard let password else { return "" }
            let ended = try existing(email, accounts.setPassword(password, of: email))
            return "changed the password of \(email), sessions ended: \(ended)\n"
        case .delete(let email):
            try delete(email, accounts, ledger)
            return "deleted \(email); a server that runs deletes its files within minutes\n"
        }
    }

    /// Prints them one by one, because all events may not fit into memory.
    private func printEvents(_ accounts: AccountAdministration, since: String?) throws {
        try accounts.note("events")
        try accounts.events(since: since) { StandardStreams.print(UserReport.line($0)) }
    }

    private func details(_ email: String, _ accounts: AccountAdministration) throws -> String {
        let found = try existing(email, accounts.show(email))
        let identities = try accounts.identities(of: found.account.id)
        return UserReport.details(found.account, triedAs: Self.logNames(of: found.account.email, settings))
            + identities.map(UserReport.line).joined()
            + found.actions.map(UserReport.line).joined()
    }

    /// The names of the address in log lines of failed logins, one for each kept master key. Empty if this process may
    /// not read the keys.
    static func logNames(of email: String, _ settings: Settings) -> [String] {
        keys(settings).map { $0.logName(of: email) }
    }

    /// Empty if this process may not read the keys.
    private static func keys(_ settings: Settings) -> [MasterKey] { ((try? SecretFile.keys(settings)) ?? nil) ?? [] }

    /// Erases the account as its owner could, except for its files: a server deletes them, because it knows its store.
    private func delete(_ email: String, _ accounts: AccountAdministration, _ ledger: ErasureLedger) throws {
        _ = try ledger.settle()
        let key = try ledger.key()
        try ledger.note(existing(email, accounts.delete(email) { key.digest(of: $0) }))
        try ledger.eraseRows()
    }

    /// Prints page by page, so that many accounts need little memory.
    private func list(_ accounts: AccountAdministration) throws -> String {
        StandardStreams.print(UserReport.header)
        var last = ""
        while true {
            let page = try accounts.list(after: last)
            guard let newest = page.last else { return "" }
            StandardStreams.print(page.map(UserReport.line).joined())
            last = newest.email
        }
    }

    private func existing<T>(_ email: String, _ found: T?) throws -> T {
        guard let found else { throw unknown(email) }
        return found
    }

    private func unknown(_ email: String) -> CommandFailure {
        CommandFailure("There is no account \(email): check the spelling.", status: .noUser)
    }
}
