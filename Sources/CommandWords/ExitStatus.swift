/// The exit statuses of the programs: 1, and those of sysexits(3).
package enum ExitStatus: Int32, Sendable {
    /// The user declined a question, so nothing was done.
    case declined = 1
    /// EX_USAGE: the command line is wrong.
    case usage = 64
    /// EX_DATAERR: the input is invalid.
    case data = 65
    /// EX_NOINPUT: the input cannot be opened, or there is no such item.
    case noInput = 66
    /// EX_NOUSER: there is no such account.
    case noUser = 67
    /// EX_UNAVAILABLE: a resource that the program needs is missing, or the server is not reached.
    case unavailable = 69
    /// EX_SOFTWARE: a bug.
    case software = 70
    /// EX_CANTCREAT: a file can't be written.
    case cannotCreate = 73
    /// EX_IOERR: the output can't be written.
    case ioError = 74
    /// EX_TEMPFAIL: try again later.
    case busy = 75
    /// EX_PROTOCOL: the peer's answer is not understood.
    case protocolError = 76
    /// EX_NOPERM: the user must log in.
    case noPermission = 77
    /// EX_CONFIG: the environment, the settings file or something else in the setup is wrong.
    case configuration = 78
}
