import CloudSync
import Glibc
import Machine
import Settings

/// The password input of a command.
package enum PasswordInput {
    /// Reads the first line of standard input. Prints a prompt on a terminal.
    package static func read() throws -> String {
        if isatty(STDIN_FILENO) == 1 { StandardStreams.print("Password: ") }
        return readLine(strippingNewline: true) ?? ""
    }

    /// Checks the password for the account with that address by the server's rules.
    package static func accept(_ typed: String, for email: String, _ settings: Settings) throws -> NewPassword {
        let rules = CommonPasswords.load(settings.constants.commonPasswords).rules
        do throws(CloudSyncError) {
            return try rules.accept(typed, for: email)
        } catch {
            guard case .invalid(let violations) = error else { throw error }
            let details = violations.map(\.detail).joined(separator: ", and ")
            throw CommandFailure("The password \(details): write another one on the first line of standard input.")
        }
    }
}
