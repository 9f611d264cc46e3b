/// The reasons for a missing result.
public enum DatabaseError: Error, Sendable, CustomStringConvertible {
    /// PostgreSQL refused a statement; nothing of its batch has happened.
    case refused(ServerRefusal)
    /// No connection could be had in time, or too many wait already; nothing was sent.
    case unavailable(String)
    /// The connection broke before the answer came: the batch may have happened or not.
    case connectionLost(String)
    /// No connection of this address and login will ever do: waiting is of no use.
    case unusable(Unusable)

    /// Text for the log, without values of users.
    public var description: String {
        switch self {
        case .refused(let refusal): "refused: \(refusal.loggable)"
        case .unavailable(let reason): "unavailable: \(reason)"
        case .connectionLost(let reason): "connection lost: \(reason)"
        case .unusable(let reason): "\(reason)"
        }
    }
}

/// The reasons against every connection of an address and a login.
public enum Unusable: Sendable, Equatable, CustomStringConvertible {
    /// PostgreSQL refuses the login for good (SQLSTATE 28P01, 28000, 3D000); carries its message.
    case login(String)
    /// A pooler shares backends between connections.
    case pooler
    /// Carries `session_replication_role`, which switches triggers and foreign keys off, and which only a superuser may set.
    case triggersOff(String)

    /// A sentence for the operator.
    public var description: String {
        switch self {
        case .login(let reason):
            "PostgreSQL refuses the login (\(reason)): check \(LibpqEnvironment.urlSetting), its password and pg_hba.conf."
        case .pooler:
            "A pooler in transaction or statement mode is between this server and PostgreSQL, and would run requests under each other's role: "
                + "use its session mode, or PostgreSQL's own address in NEUROVIEWS_DATABASE_URL."
        case .triggersOff(let role):
            "session_replication_role is \(role) for this login, so triggers and foreign keys are off: let a superuser reset it where it is set "
                + "(ALTER ROLE … RESET session_replication_role, ALTER DATABASE, or postgresql.conf)."
        }
    }
}

extension DatabaseError {
    /// True if the database is away, starting or a standby, so that a later try may succeed.
    public var isAbsence: Bool {
        switch self {
        case .unavailable, .connectionLost: true
        case .refused(let refusal): refusal.isTransient
        case .unusable: false
        }
    }
}

/// An error as PostgreSQL reported it. Errors are told apart by `state` and `constraint`, never by `message`.
public struct ServerRefusal: Error, Sendable, Equatable {
    /// The five characters of the SQLSTATE.
    public let state: String
    /// The constraint that was violated, empty where there is none.
    public let constraint: String
    /// For the log alone.
    public let message: String

    /// `unique_violation`.
    public static let uniqueViolation = "23505"
    /// `foreign_key_violation`.
    public static let foreignKeyViolation = "23503"
    /// `check_violation`: also of a row that no partition takes.
    public static let checkViolation = "23514"

    /// PostgreSQL's error for U+0000 in a text.
    static let untranslatableCharacter = ServerRefusal(state: "22021", constraint: "", message: "U+0000 in a parameter")

    /// A lock that did not come in time (55P03), or a deadlock (40P01).
    var isLockConflict: Bool { state == "55P03" || state == "40P01" }

    /// True if the database takes no writes (25006).
    public var isReadOnly: Bool { state == "25006" }

    /// The remedy for `isReadOnly`, for the operator.
    public var readOnlySentence: String {
        "PostgreSQL takes no writes there, as a standby does (\(message)): name the primary in NEUROVIEWS_DATABASE_URL, or all hosts."
    }

    /// Text for the log without values: a data exception (class 22) quotes the value, which is the user's.
    public var loggable: String {
        state.hasPrefix("22") ? "SQLSTATE \(state)" : "\(message) (SQLSTATE \(state))"
    }

    /// True if a later try may succeed: shutdown, start-up, out of resources, cancelled, lock or serialisation trouble.
    public var isTransient: Bool {
        switch state.prefix(2) {
        case "08", "40", "53", "57", "58": true
        default: state == "55P03" || isReadOnly
        }
    }
}
