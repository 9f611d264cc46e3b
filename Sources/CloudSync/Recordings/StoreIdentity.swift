import Net
import Postgres
import Storage

/// Checks that the store is the one that has the database's recordings.
///
/// The database has an id, and its store has an object with this id. With another or an empty folder or bucket, a
/// server would treat every recording as lost. With another database's store, it would delete foreign files. Such a
/// server serves everything but recordings.
package final class StoreIdentity: Sendable {
    /// The relation of a store to the database.
    package enum Standing: Sendable, Equatable {
        /// The store belongs to this database.
        case own
        /// The recordings are in another store; this one belongs to no database.
        case unclaimed
        /// The store belongs to another database.
        case foreign
    }

    private enum Memory {
        case unknown
        case own
        case refused(any Error, untilMs: UInt64)
    }

    private let database: CallerDatabase
    private let storage: ObjectStorage
    private let memory = Locked(Memory.unknown)

    /// The pause after an error. An unreachable service takes some seconds to fail.
    private static let refusalMs: UInt64 = 5000
    private static let idMaxBytes = 100

    /// Takes the database and the store to compare.
    package init(database: Database, storage: ObjectStorage) {
        self.database = CallerDatabase(database)
        self.storage = storage
    }

    /// Returns if the store is the database's own. A new database claims the first store that it sees. Throws
    /// `StorageError`.
    package func confirm() async throws {
        switch memory.withLock({ $0 }) {
        case .own: return
        case .refused(let error, let untilMs) where Monotonic.nowMs() < untilMs: throw error
        case .refused, .unknown: break
        }
        try await confirmNow()
    }

    /// The same, but always reads the store. For actions that can't be undone: an unmounted folder, or a proxy without
    /// its service, has no files either.
    package func confirmNow() async throws {
        do {
            try await require()
            memory.withLock { $0 = .own }
        } catch {
            memory.withLock { $0 = .refused(error, untilMs: Monotonic.nowMs() + Self.refusalMs) }
            throw error
        }
    }

    private func require() async throws {
        switch try await standing() {
        case .own: return
        case .unclaimed:
            throw StorageError.unavailable(
                "the database's recordings are in another store: `neuroviews-server storage check --repair` takes this one"
            )
        case .foreign: throw StorageError.unavailable("the store belongs to another database")
        }
    }

    private func standing() async throws -> Standing {
        // The row is read first: a claimed store had its id before. No transaction: a store that does not answer would
        // occupy the connection.
        guard let row = try await database.background(StoreRow.read()).first else { throw StoreRow.missing }
        let found = try await Self.id(in: storage)
        guard found == nil, !row.isClaimed else {
            if found == row.id, !row.isClaimed { _ = try await database.background(StoreRow.take()) }
            return Self.standing(found, row.id)
        }
        return try await claim()
    }

    /// The row stays locked while the id is written, so only one of several servers claims its store. A server that
    /// dies meanwhile leaves an object with the database's id; the next server finds it.
    private func claim() async throws -> Standing {
        let (database, storage) = (database, storage)
        return try await database.backgroundTransaction(key: "store") { transaction in
            guard let row = try await transaction.run(StoreRow.lock()).first else { throw StoreRow.missing }
            if !row.isClaimed { try await Self.write(row.id, to: storage) }
            try await transaction.commit(row.isClaimed ? [] : [StoreRow.take().step])
            // Another server was faster. If it has the same bucket, the id is there.
            return row.isClaimed ? Self.standing(try await Self.id(in: storage), row.id) : .own
        }
    }

    static func standing(_ found: String?, _ own: String) -> Standing {
        found.map { $0 == own ? .own : .foreign } ?? .unclaimed
    }

    /// The id that a store contains; nil for none.
    static func id(in storage: ObjectStorage) async throws -> String? {
        do {
            let bytes = try await storage.read(.storeID).all(maxBytes: idMaxBytes)
            return String(decoding: bytes, as: UTF8.self)
        } catch StorageError.missing {
            return nil
        }
    }

    static func write(_ id: String, to storage: ObjectStorage) async throws {
        try await storage.put(Array(id.utf8), as: .storeID, contentType: "text/plain")
    }
}
