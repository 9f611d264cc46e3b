import CommandWords
import Operations
import Settings

/// A parsed command line.
enum Invocation: Equatable {
    case serve(Settings)
    case media(Settings)
    /// Invalid settings are a finding of the doctor, not an error.
    case doctor(Result<Settings, UsageError>, isJSON: Bool)
    case migrate(Settings)
    case migrateTrial(Settings)
    case migrateStatus(Settings)
    case backup(BackupOptions, settings: Settings)
    case restore(RestoreOptions, settings: Settings)
    /// Reads the password from standard input.
    case userAdd(email: String, settings: Settings)
    case user(UserAction, settings: Settings)
    case invite(email: String, settings: Settings)
    case storageCheck(repairs: Bool, readsFiles: Bool, settings: Settings)
    case resetClients(ResetAccounts, settings: Settings)
    case acceptClock(Settings)
    case usage(UsageOptions, settings: Settings)
    case console(port: UInt16, isReadOnly: Bool, settings: Settings)
    case secret(SecretCommand.Action, settings: Settings)
    /// Prints the SQL that an administrator of PostgreSQL runs once.
    case roles
    case sign(SignRequest)
    /// Prints the help of one command, or of all if nil, and exits with 0.
    case help(Command?)
    case version
}

/// The commands and their names.
enum Command: String, CaseIterable {
    case serve
    case media
    case doctor
    case migrate
    case backup
    case restore
    case user
    case invite
    case admin
    case storage
    case usage
    case console
    case secret
    case roles
    case sign

    /// Options that take no value.
    var switches: Set<String> {
        switch self {
        case .doctor: ["--json"]
        case .migrate: ["--dry-run"]
        case .restore: ["--replace", "--unauthenticated"]
        case .admin: ["--all"]
        case .storage: ["--digests", "--repair"]
        case .usage: ["--crashes", "--json"]
        case .user: ["--end"]
        case .console: ["--read-only"]
        case .serve, .media, .backup, .invite, .secret, .roles, .sign: []
        }
    }
}

/// A header field that a signature covers.
struct SignedHeader: Equatable {
    let name: String
    let value: String
}

/// A request for which signature headers are printed.
struct SignRequest: Equatable {
    let method: String
    /// Absolute, as the client sends it.
    let url: String
    /// A file with the Base64 of the signing key.
    let keyPath: String
    /// Nil for no body.
    let bodyPath: String?
    /// 1: the documented signature. 3: the body's digest and `covered` are signed too.
    let version: Int
    /// In the order of the command line.
    var covered: [SignedHeader] = []
}
