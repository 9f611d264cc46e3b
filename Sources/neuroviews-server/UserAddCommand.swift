import CloudSync
import Foundation

/// `user add`: makes an account in the operator's name.
struct UserAddCommand {
    let email: String
    let settings: Settings

    init(email: String, _ settings: Settings) {
        self.email = email
        self.settings = settings
    }

    func run() throws {
        let password = try password()
        let database = try DatabaseAddress.startOrJoin(settings)
        defer { database.cluster?.stop() }
        let backend = try Backend(settings, database.connectionString, loops: 1) { _ in }
        defer { backend.stop() }
        let user = try backend.wait { backend in
            do {
                return try await backend.accounts.add(email: email, password: password)
            } catch CloudSyncError.emailTaken {
                throw CommandFailure("\(email) has an account already.")
            }
        }
        StandardStreams.print("added \(user.email) with id \(user.id)\n")
    }

    private func password() throws -> String {
        if isatty(STDIN_FILENO) == 1 { StandardStreams.print("Password: ") }
        let password = readLine(strippingNewline: true) ?? ""
        guard (8...256).contains(password.unicodeScalars.count) else {
            throw CommandFailure("A password has 8 to 256 characters: write it on the first line of standard input.")
        }
        return password
    }
}
