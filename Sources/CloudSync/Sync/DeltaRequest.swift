/// What a client knows already, and how much it takes at once.
public struct DeltaRequest: Sendable {
    /// Where the client stands.
    public enum Cursor: Sendable {
        /// Nowhere: the full set.
        case none
        /// The token of an earlier answer.
        case token(SyncToken)
        /// The time of the last sync by the client's clock.
        case lastSync(Timestamp)
    }

    /// Where the client stands.
    public var cursor: Cursor
    /// The heads of writes that the client has made since its last pull.
    public var seen: [SyncToken]
    /// Whether the client sent a token that is none: it gets the full set, and is told to reset.
    public var isUnreadable = false
    /// Items at most; nil for all.
    public var limit: Int?
    /// The asking device; it filters nothing.
    public var deviceID: String?
    /// The state of an answer that the client still has.
    public var knownState: String?

    /// Asks for what `cursor` does not have.
    public init(cursor: Cursor, seen: [SyncToken] = []) {
        self.cursor = cursor
        self.seen = seen
    }

    /// The changes that must be in this history, or the client has to reset. The pages of a full set that began with a reset prove
    /// nothing more: what the client has is replaced at their end.
    var named: [SyncToken] {
        guard case .token(let token) = cursor else { return seen }
        return token.isInFullSet ? [token] : [token] + seen
    }
    /// The token, when it is all that the client names and tells: the usual poll.
    var onlyToken: SyncToken? {
        guard case .token(let token) = cursor, !isUnreadable, named.count == 1 else { return nil }
        return token
    }
}
