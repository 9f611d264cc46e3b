/// A failed command: one sentence with the remedy, and the exit status.
package struct CommandFailure: Error, Equatable, CustomStringConvertible {
    /// The exit status, from sysexits(3).
    package enum Status: Int32 {
        /// EX_DATAERR: the input is invalid.
        case data = 65
        /// EX_NOINPUT: the input cannot be opened.
        case noInput = 66
        /// EX_NOUSER: there is no such account.
        case noUser = 67
        /// EX_UNAVAILABLE: a resource that the server needs is missing.
        case unavailable = 69
        /// EX_CANTCREAT: a file can't be written.
        case cannotCreate = 73
        /// EX_TEMPFAIL: try again later.
        case busy = 75
        /// EX_CONFIG: what the server was set up with can't work.
        case configuration = 78
    }

    package let description: String
    package let status: Status

    package init(_ sentence: String, status: Status = .unavailable) {
        description = sentence
        self.status = status
    }
}
