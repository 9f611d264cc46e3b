import CommandWords

/// A command that failed: one sentence with the remedy, the exit status, and the server's problem if it has one.
struct Failure: Error, Sendable, Equatable {
    let sentence: String
    let status: ExitStatus
    /// The server's code, such as `validation-failed`.
    var code: String?
    /// The seconds after which the server wants to be asked again.
    var retryAfterS: Int64?
    /// True if the overview follows, because no command was given.
    var showsHelp = false
    /// The sentence that names the file with a text that the person has typed.
    var place: String?
    /// True if the user, or the system, stopped the command.
    var isStopped = false

    init(_ sentence: String, _ status: ExitStatus, code: String? = nil) {
        self.sentence = sentence
        self.status = status
        self.code = code
    }

    init(_ error: UsageError) {
        self.init(error.sentence, error.status)
        showsHelp = error.showsHelp
    }

    static func usage(_ sentence: String) -> Failure { Failure(sentence, .usage) }

    /// Nobody reads the results any more, or their disk is full.
    static let lostOutput = Failure("The output can't be written.", .ioError)

    /// The command was cancelled by a signal, whose number decides about the exit status.
    static let stopped = {
        var failure = Failure("Stopped", .software)
        failure.isStopped = true
        return failure
    }()
}
