import NeuroViewsCrypto
import Postgres

/// A master key as the database knows it, without the key.
package struct KnownMasterKey: Equatable, Sendable {
    /// The use of a key.
    package enum State: String, Sendable, ColumnValue {
        /// Used for nothing yet; servers are fetching it.
        case prepared
        /// Used for everything new.
        case current
        /// Used for sessions and URLs made with it.
        case previous
        /// Used for nothing any more; it may be stolen.
        case compromised
    }

    /// `MasterKey.kid`.
    package let id: String
    /// `MasterKey.checkValue`.
    package let checkValue: String
    /// Its use.
    package let state: State
    /// The time when this use began.
    package let since: Timestamp

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
