/// An error of the call of this program: one sentence for stderr, and the exit status.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    package let sentence: String
    package let status: ExitStatus
    /// True if the help follows the sentence, because no command was given.
    package let showsHelp: Bool

    package init(sentence: String, status: ExitStatus, showsHelp: Bool = false) {
        self.sentence = sentence
        self.status = status
        self.showsHelp = showsHelp
    }

    package var description: String { sentence }

    package static func usage(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .usage)
    }

    package static func configuration(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .configuration)
    }
}
