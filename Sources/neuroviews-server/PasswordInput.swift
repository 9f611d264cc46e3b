import Foundation

/// The password that a command is given.
enum PasswordInput {
    /// The first line of standard input. A terminal is asked for it.
    static func read() throws -> String {
        if isatty(STDIN_FILENO) == 1 { StandardStreams.print("Password: ") }
        let password = readLine(strippingNewline: true) ?? ""
        guard (8...256).contains(password.unicodeScalars.count) else {
            throw CommandFailure("A password has 8 to 256 characters: write it on the first line of standard input.")
        }
        return password
    }
}
