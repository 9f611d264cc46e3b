import CommandWords

/// A failed command: one sentence with the remedy, and the exit status.
package struct CommandFailure: Error, Equatable, CustomStringConvertible {
    package let description: String
    package let status: ExitStatus

    package init(_ sentence: String, status: ExitStatus = .unavailable) {
        description = sentence
        self.status = status
    }
}
