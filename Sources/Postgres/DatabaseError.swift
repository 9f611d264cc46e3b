/// Why the database gave no result.
public enum DatabaseError: Error, Sendable, CustomStringConvertible {
    /// PostgreSQL refused a statement; nothing of its batch has happened.
    case refused(ServerRefusal)
    /// No connection could be had in time, or too many wait already; nothing was sent.
    case unavailable(String)
    /// The connection broke while the answer was awaited: what was sent may have happened or not.
    case connectionLost(String)

    /// For the log: holds no value of a user's.
    public var description: String {
        switch self {
        case .refused(let refusal): "refused: \(refusal.loggable)"
        case .unavailable(let reason): "unavailable: \(reason)"
        case .connectionLost(let reason): "connection lost: \(reason)"
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

    /// What PostgreSQL says of U+0000 in a text.
    static let untranslatableCharacter = ServerRefusal(state: "22021", constraint: "", message: "U+0000 in a parameter")

    /// What the log may say: a data exception (class 22) quotes the value, which is the user's.
    public var loggable: String {
        state.hasPrefix("22") ? "SQLSTATE \(state)" : "\(message) (SQLSTATE \(state))"
    }

    /// Whether waiting or asking again later helps: shutdown, start-up, out of resources, cancelled, lock or serialisation trouble.
    public var isTransient: Bool {
        switch state.prefix(2) {
        case "08", "40", "53", "57", "58": true
        default: state == "55P03" || state == "25006"
        }
    }
}
