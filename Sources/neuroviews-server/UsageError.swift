/// An error of the call of this program: one sentence for stderr, and the exit status.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The exit status, from sysexits(3).
    enum Status: Int32 {
        /// EX_USAGE: the command line is wrong.
        case usage = 64
        /// EX_CONFIG: the environment or the settings file is wrong.
        case configuration = 78
    }

    let sentence: String
    let status: Status
    /// True if the help follows the sentence, because no command was given.
    var showsHelp = false

    var description: String { sentence }

    static func usage(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .usage)
    }

    static func configuration(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .configuration)
    }
}
