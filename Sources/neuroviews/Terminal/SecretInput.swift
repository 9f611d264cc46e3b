/// Secrets of one command: typed without echo, or the lines of standard input, in the order in which they are asked for.
/// Secrets are never arguments or environment variables: others on this machine could read them.
struct SecretInput {
    private static let inputMaxBytes = 16 << 10
    /// The lines that are still unread; nil if a person types.
    private var lines: [String]?

    init(isFromInput: Bool) throws(Failure) {
        if isFromInput {
            lines = try Self.readLines()
        } else if !Prompt.isPossible {
            throw .usage(
                "There is no terminal to type a password: write --password-stdin, and send it to standard input."
            )
        }
    }

    /// The next secret. `name` is that of an error: "the password".
    mutating func next(_ question: String, _ name: String) throws(Failure) -> String {
        guard lines != nil else { return try Prompt.secret(question) }
        guard let line = lines?.first, !line.isEmpty else { throw .usage("Standard input has no line for \(name).") }
        lines?.removeFirst()
        return line
    }

    /// A new password: a person types it twice.
    mutating func newPassword() throws(Failure) -> String {
        let password = try next("Password:", "the password")
        guard lines == nil else { return password }
        guard try Prompt.secret("Again:") == password else { throw .usage("The two passwords differ.") }
        return password
    }

    private static func readLines() throws(Failure) -> [String] {
        try FileText.standardInput(maxBytes: inputMaxBytes).lines.map {
            // A lone carriage return at the end is no part of a password.
            String($0.hasSuffix("\r") ? $0.dropLast() : $0)
        }
    }
}
