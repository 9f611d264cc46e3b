/// An error of the call of this program: one sentence for stderr, and the exit status.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The exit status, from sysexits(3).
    package enum Status: Int32 {
        /// EX_USAGE: the command line is wrong.
        case usage = 64
        /// EX_CONFIG: the environment or the settings file is wrong.
        case configuration = 78
    }

    package let sentence: String
    package let status: Status
    /// True if the help follows the sentence, because no command was given.
    package let showsHelp: Bool

    package init(sentence: String, status: Status, showsHelp: Bool = false) {
        self.sentence = sentence
        self.status = status
        self.showsHelp = showsHelp
    }

    package var description: String { sentence }

    package static func usage(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .usage)
    }

    static func configuration(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .configuration)
    }
}
