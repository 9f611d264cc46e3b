/// Everything that an account has on this device. A step is on disk when it returns, whole, or it changed nothing.
///
/// Other processes, and other objects of this one, may use the same store: their steps take turns.
final class Store {
    /// The state of the store when it was opened.
    enum Opening: Equatable {
        case found
        case created
        /// The former store was damaged or has another key. It was set aside at this path.
        case replaced(String)
        /// The store is that of another device, or of this one before it came back from a backup.
        case otherSystem
    }

    /// The account's folder.
    let folder: String
    private(set) var opening: Opening
    /// Called with the folder when the store was set aside after the opening. This object works on the new one then.
    var onReplaced: ((String) -> Void)?
    /// Called when values that could not be read were taken out.
    var onMended: ((Mended) -> Void)?
    let sealing: Sealing
    /// The stage that this object fills. If the store has another one, the pull is void.
    var stageID: Int64 = 0
    private let home: StoreFolder
    private let place: (@Sendable () -> Void)?
    private var connection: SQLite?
    /// The connection during a step or a look.
    private var active: SQLite?
    private var isClosed = false
    private var isMending = false

    private init(
        _ home: StoreFolder,
        _ sealing: Sealing,
        _ place: (@Sendable () -> Void)?,
        _ opened: (database: SQLite, opening: Opening)
    ) {
        (self.home, self.sealing, self.place) = (home, sealing, place)
        (folder, connection, opening) = (home.path, opened.database, opened.opening)
    }

    /// Opens the store of the folder, which is made if it is missing. `systemID`: the system's id of the device, if it has
    /// one. `place` is called before and after each commit.
    static func open(
        folder: String,
        key: [UInt8],
        systemID: String?,
        place: (@Sendable () -> Void)? = nil
    ) throws(ClientError) -> Store {
        let (home, sealing) = (try StoreFolder.make(folder), try Sealing(key: key))
        let opened = try home.whileAlone { () throws(ClientError) in try StoreFile.open(home, sealing) }
        let store = Store(home, sealing, place, opened)
        let isOther = try store.mended { () throws(ClientError) in try store.meet(systemID) }
        if isOther { store.opening = .otherSystem }
        return store
    }

    /// Removes a store with all that was set aside. Other processes that have it open get `.removed`.
    static func remove(folder: String) throws(ClientError) { try StoreFolder(path: folder).remove() }

    /// Ends the use: each later call throws `.removed`.
    func close() { (isClosed, connection) = (true, nil) }

    /// True after ``close()``, and if another process removed the folder or gave it another name.
    var isRemoved: Bool { isClosed || !isThere }

    /// True if the folder is there, perhaps made again.
    var isThere: Bool { home.isThere }

    /// Runs a step, or a part of the step under way. If `body` throws, nothing is changed.
    func step<T>(_ body: () throws(ClientError) -> T) throws(ClientError) -> T {
        try transaction("BEGIN IMMEDIATE", at: place, body)
    }

    /// Reads one state of the store, without holding others off. `body` must change nothing.
    func look<T>(_ body: () throws(ClientError) -> T) throws(ClientError) -> T {
        try transaction("BEGIN", at: nil, body)
    }

    private func transaction<T>(
        _ begin: String,
        at place: (@Sendable () -> Void)?,
        _ body: () throws(ClientError) -> T
    ) throws(ClientError) -> T {
        if active != nil { return try body() }
        do throws(ClientError) {
            let database = try begun(begin)
            active = database
            let result = try body()
            place?()
            try database.run("COMMIT")
            place?()
            active = nil
            // Another process may have set the store aside during the step, and its new one lacks the change.
            if database.hasMoved { throw .store(.replaced) }
            return result
        } catch {
            try rollBack(after: error)
            throw error
        }
    }

    private func rollBack(after error: ClientError) throws(ClientError) {
        let database = active
        active = nil
        if let database, database.isInTransaction { try database.run("ROLLBACK") }
        switch error {
        case .store(.unreadable) where !isMending: try mend()
        case .store(.unreadable), .store(.damaged): try replace()
        default: break
        }
    }

    /// Takes out what can't be read, so that the next call succeeds.
    private func mend() throws(ClientError) {
        isMending = true
        defer { isMending = false }
        let mended = try takeOutUnreadable(at: .now)
        onMended?(mended)
    }

    private func replace() throws(ClientError) {
        guard let damaged = connection else { return }
        connection = nil
        damaged.isInOrder = false
        connection = try home.whileAlone { () throws(ClientError) in
            let replaces = !damaged.hasMoved
            return try (replaces ? StoreFile.replace : StoreFile.open)(home, sealing).0
        }
        onReplaced?(folder)
    }

    private func begun(_ begin: String) throws(ClientError) -> SQLite {
        if isClosed { throw .store(.removed) }
        if connection?.hasMoved == true { connection = nil }
        let database = if let connection { connection } else { try reopened() }
        try database.run(begin)
        return database
    }

    /// Others set the store aside, or removed it.
    private func reopened() throws(ClientError) -> SQLite {
        guard home.isThere else {
            close()
            throw .store(.removed)
        }
        let database = try home.whileAlone { () throws(ClientError) in try StoreFile.open(home, sealing).0 }
        connection = database
        onReplaced?(folder)
        return database
    }
}

/// Statements on the tables, for those whose tables they are.
extension Store {
    /// Runs a statement, and drops its rows.
    func run(_ sql: String, _ values: SQLValue...) throws(ClientError) { try run(sql, values) }

    /// The same.
    func run(_ sql: String, _ values: [SQLValue]) throws(ClientError) {
        try step { () throws(ClientError) in try database().run(sql, values) }
    }

    /// Reads rows, at most so many. Nil skips one. `read` must run no statement.
    func rows<T>(
        _ sql: String,
        _ values: [SQLValue] = [],
        atMost limit: Int = .max,
        _ read: (SQLRow) throws(ClientError) -> T?
    ) throws(ClientError) -> [T] {
        try look { () throws(ClientError) in try database().rows(sql, values, atMost: limit, read) }
    }

    /// Reads the first row; nil if there is none.
    func row<T>(
        _ sql: String,
        _ values: [SQLValue] = [],
        _ read: (SQLRow) throws(ClientError) -> T?
    ) throws(ClientError) -> T? {
        try rows(sql, values, atMost: 1, read).first
    }

    /// Rows that the last statement of the step inserted, changed or deleted.
    var changedRows: Int { active?.changedRows ?? 0 }

    /// The rowid of the last row that the step inserted.
    var insertedID: Int64 { active?.insertedID ?? 0 }

    /// A number that changes when others have changed the store.
    func dataVersion() throws(ClientError) -> Int64 { try row("PRAGMA data_version") { $0.integer(0) } ?? 0 }

    private func database() throws(ClientError) -> SQLite {
        guard let active else { throw .store(.removed) }
        return active
    }
}
