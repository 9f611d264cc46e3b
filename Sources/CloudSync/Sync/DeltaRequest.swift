/// The client's known state, and its limit for one response.
package struct DeltaRequest: Sendable {
    /// The client's position.
    package enum Cursor: Sendable {
        /// No position: the full set.
        case none
        /// The token of an earlier response.
        case token(SyncToken)
        /// The time of the last sync by the client's clock.
        case lastSync(Timestamp)
    }

    /// The client's position.
    package var cursor: Cursor
    /// The heads of the client's writes since its last pull.
    package var seen: [SyncToken]
    /// True if the client sent an invalid token. It gets the full set, marked as a reset.
    package var isUnreadable = false
    /// Limit of items; nil means unlimited.
    package var limit: Int?
    /// The client's device. It filters nothing.
    package var deviceID: String?
    /// The state of a response that the client still has.
    package var knownState: String?

    /// Requests the changes after `cursor`.
    package init(cursor: Cursor, seen: [SyncToken] = []) {
        self.cursor = cursor
        self.seen = seen
    }

    /// The changes that this history must contain; otherwise the client has to reset. Pages of a full set after a reset
    /// need only their token: the client's copies are replaced at the end of the set.
    var named: [SyncToken] {
        guard case .token(let token) = cursor else { return seen }
        return (token.isInFullSet ? [token] : [token] + seen) + token.readAt
    }
    /// The token, if the client names no other change: the usual poll.
    var onlyToken: SyncToken? {
        guard case .token(let token) = cursor, !isUnreadable, named.count == 1 else { return nil }
        return token
    }
}
