/// Opens the database of a store: new, as it is, or a new one in the place of one that can't be used.
enum StoreFile {
    private static let walMaxBytes = 16 << 20

    /// Opens the database. The caller holds others off.
    static func open(_ home: StoreFolder, _ sealing: Sealing) throws(ClientError) -> (SQLite, Store.Opening) {
        do throws(ClientError) {
            return try openAsIs(home, sealing)
        } catch {
            guard case .store(.damaged) = error else { throw error }
            return try replace(home, sealing)
        }
    }

    /// Sets the database aside and makes a new one.
    static func replace(_ home: StoreFolder, _ sealing: Sealing) throws(ClientError) -> (SQLite, Store.Opening) {
        let aside = try home.setAside()
        return (try openAsIs(home, sealing).0, .replaced(aside))
    }

    private static func openAsIs(_ home: StoreFolder, _ sealing: Sealing) throws(ClientError)
        -> (SQLite, Store.Opening)
    {
        try home.makeDatabase()
        let database = try SQLite(home.database)
        let version = try version(database)
        // A newer version is not touched, not even by a change of its settings.
        guard version == 0 || version == Schema.version else { throw .store(.newer(version: version)) }
        try set(database)
        if version == 0 { try makeTables(database, sealing) }
        try KeyProof.check(database, sealing)
        database.isInOrder = true
        return (database, version == 0 ? .created : .found)
    }

    private static func version(_ database: SQLite) throws(ClientError) -> Int64 {
        try database.rows("PRAGMA user_version") { $0.integer(0) }.first ?? 0
    }

    private static func set(_ database: SQLite) throws(ClientError) {
        try database.run("PRAGMA journal_mode = WAL")
        // Each commit is on disk, also when the power fails.
        try database.run("PRAGMA synchronous = FULL")
        // On Apple's systems fsync(2) is not enough. Others ignore this.
        try database.run("PRAGMA fullfsync = ON")
        try database.run("PRAGMA journal_size_limit = \(walMaxBytes)")
        try database.run("PRAGMA temp_store = MEMORY")
    }

    private static func makeTables(_ database: SQLite, _ sealing: Sealing) throws(ClientError) {
        try database.run("BEGIN IMMEDIATE")
        for statement in Schema.statements { try database.run(statement) }
        try database.run("INSERT INTO account (id, proof) VALUES (1, ?1)", [.blob(try sealing.sealedProof())])
        try database.run("PRAGMA user_version = \(Schema.version)")
        try database.run("COMMIT")
    }
}
