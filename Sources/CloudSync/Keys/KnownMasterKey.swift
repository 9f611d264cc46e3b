import Crypto
import Postgres

/// A master key as the database knows it, without the key.
public struct KnownMasterKey: Equatable, Sendable {
    /// The use of a key.
    public enum State: String, Sendable, ColumnValue {
        /// For nothing yet: servers are getting it.
        case prepared
        /// For everything new.
        case current
        /// For sessions, URLs and receipt keys made with it.
        case previous
        /// For nothing any more: somebody else may have it.
        case compromised
    }

    /// `MasterKey.kid`.
    public let id: String
    /// `MasterKey.checkValue`.
    public let checkValue: String
    /// Its use.
    public let state: State
    /// When that began.
    public let since: Timestamp

    init(id: String, checkValue: String, state: State, since: Timestamp) {
        self.id = id
        self.checkValue = checkValue
        self.state = state
        self.since = since
    }

    /// Reads the columns of `MasterKeySQL.columns`.
    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        checkValue = try columns.next()
        state = try columns.next()
        since = try columns.next()
    }

    /// Returns true for the same key.
    func isOf(_ key: MasterKey) -> Bool { id == key.kid && checkValue == key.checkValue }
}
