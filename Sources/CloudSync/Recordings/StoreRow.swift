import Postgres

/// The database's record of its store.
struct StoreRow: Sendable {
    /// The id that the store has in an object.
    let id: String
    /// True if a store has been claimed.
    let isClaimed: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        id = try columns.next()
        isClaimed = try columns.next()
    }

    private static let get = "SELECT id::text, is_claimed FROM neuroviews.object_store"
    private static let claim = "UPDATE neuroviews.object_store SET is_claimed = true"

    /// Reads the row.
    static let read = Query(get) { columns throws(UnexpectedResult) in try StoreRow(&columns) }
    /// Reads the row and locks it until the transaction ends.
    static let lock = Query("\(get) FOR UPDATE") { columns throws(UnexpectedResult) in try StoreRow(&columns) }
    /// Claims the store.
    static let take = Query<Void>(claim)
    /// Every database has its row.
    static let missing = UnexpectedResult("the database has no id")

    /// Reads the row, for a command beside the server.
    init(reading session: BlockingSession) throws {
        let rows = try session.execute(Self.get)
        guard rows.count == 1 else { throw Self.missing }
        var columns = Columns(rows[0])
        try self.init(&columns)
    }

    /// Claims the store, for a command beside the server.
    static func take(with session: BlockingSession) throws { try session.execute(claim) }
}
