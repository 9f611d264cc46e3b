import CloudSync
import Machine
import Operations
import Settings

/// `user add`: makes an account for the operator.
struct UserAddCommand {
    let email: String
    let settings: Settings

    init(email: String, _ settings: Settings) {
        self.email = email
        self.settings = settings
    }

    func run() throws {
        let password = try PasswordInput.accept(PasswordInput.read(), for: email, settings)
        let database = try CommandDatabase.openOrJoin(settings)
        defer { database.close() }
        let backend = try Backend(settings, database.logins, loops: 1, for: .command) { _ in }
        defer { backend.stop() }
        let user = try backend.wait { backend in
            do {
                return try await backend.accounts.add(email: email, password: password, by: OperatorName.current)
            } catch CloudSyncError.problem(.emailTaken) {
                throw CommandFailure("\(email) has an account already.")
            }
        }
        StandardStreams.print("added \(user.email) with id \(user.id)\n")
    }
}
