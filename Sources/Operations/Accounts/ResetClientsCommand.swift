import CloudSync
import Machine
import Postgres
import PrivateCluster
import Settings

/// `admin reset-clients`: ends cursors, so that clients fetch the full set.
package struct ResetClientsCommand {
    let accounts: ResetAccounts
    let settings: Settings

    package init(accounts: ResetAccounts, settings: Settings) {
        self.accounts = accounts
        self.settings = settings
    }

    package func run() throws {
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        switch accounts {
        case .all:
            let count = try reset(nil, database.ownerLogin)
            StandardStreams.print("clients of \(count) account\(count == 1 ? "" : "s") will get the full set\n")
        case .one(let email):
            guard try reset(email, database.ownerLogin) > 0 else {
                throw CommandFailure("There is no account \(email): check the spelling.", status: .noUser)
            }
            StandardStreams.print("clients of \(email) will get the full set\n")
        }
    }

    private func reset(_ email: String?, _ connectionString: String) throws -> Int {
        do throws(DatabaseError) {
            let count = try ClientReset.run(email: email, connectionString)
            guard email == nil || count > 0 else { return 0 }
            let action = email == nil ? "reset all clients" : "reset clients"
            try OperatorTrail.note(action, by: OperatorName.current, of: email, connectionString)
            return count
        } catch {
            throw CommandFailure("The clients could not be reset: \(error.sentence)")
        }
    }
}

/// The accounts with clients that must fetch the full set.
package enum ResetAccounts: Equatable {
    case all
    case one(email: String)
}
