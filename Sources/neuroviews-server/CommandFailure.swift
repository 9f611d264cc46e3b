/// A failure of a command: one sentence that says what to do, and the status to exit with.
struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// The status codes of sysexits(3) that a command ends with.
    enum Status: Int32 {
        /// EX_DATAERR: what was given to read is not what it should be.
        case data = 65
        /// EX_NOINPUT: what was given to read can't be opened.
        case noInput = 66
        /// EX_NOUSER: there is no such account.
        case noUser = 67
        /// EX_UNAVAILABLE: something that the server needs is not there.
        case unavailable = 69
        /// EX_CANTCREAT: a file can't be written.
        case cannotCreate = 73
        /// EX_TEMPFAIL: not now, but later.
        case busy = 75
    }

    let description: String
    let status: Status

    init(_ sentence: String, status: Status = .unavailable) {
        description = sentence
        self.status = status
    }
}
