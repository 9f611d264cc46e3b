import CloudSync
import Foundation
import Postgres

/// `user password`: another password for somebody who has lost theirs.
struct UserPasswordCommand {
    let email: String
    let settings: Settings

    func run() throws {
        let password = try PasswordInput.read()
        let database = try DatabaseAddress.startOrJoinExisting(settings)
        defer { database.cluster?.stop() }
        guard let ended = try change(password, database.connectionString) else {
            throw CommandFailure("There is no account \(email): check the spelling.", status: .noUser)
        }
        StandardStreams.print("changed the password of \(email), sessions ended: \(ended)\n")
    }

    private func change(_ password: String, _ connectionString: String) throws -> Int? {
        do {
            return try PasswordReset.run(email: email, password: password, connectionString)
        } catch let error as DatabaseError {
            throw CommandFailure("The password could not be changed: \(error.sentence)")
        }
    }
}
