/// Why the program does not start as it was called: one sentence for stderr, and the status to exit with.
struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The status codes of sysexits(3) that a wrong call ends with.
    enum Status: Int32 {
        /// EX_USAGE: the command line is wrong.
        case usage = 64
        /// EX_CONFIG: the environment or the settings file is wrong.
        case configuration = 78
    }

    let sentence: String
    let status: Status
    /// True when the help should be printed after the sentence: nothing was asked for.
    var showsHelp = false

    var description: String { sentence }

    static func usage(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .usage)
    }

    static func configuration(_ sentence: String) -> UsageError {
        UsageError(sentence: sentence, status: .configuration)
    }
}
