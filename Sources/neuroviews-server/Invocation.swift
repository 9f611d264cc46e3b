/// What the command line asks for.
enum Invocation: Equatable {
    case serve(Settings)
    case migrate(Settings)
    /// The password comes from standard input.
    case userAdd(email: String, settings: Settings)
    case sign(SignRequest)
    /// Print the help of one command, or of all when nil, and exit with 0.
    case help(Command?)
    case version
}

/// The commands, as they are written.
enum Command: String, CaseIterable {
    case serve
    case migrate
    case user
    case sign
}

/// A request whose signature headers are to be printed.
struct SignRequest: Equatable {
    let method: String
    /// Absolute, as the client sends it.
    let url: String
    /// The decoded signing key, 32 bytes.
    let key: [UInt8]
    /// nil: no body.
    let bodyPath: String?
    /// 1: the documented signature; 2: the body's digest is signed too.
    let version: Int
}
