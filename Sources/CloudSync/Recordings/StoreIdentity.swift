import Net
import Postgres
import Storage

/// Whether the store is the one that the database's recordings are in.
///
/// The database has an id, and its store has an object with this id. A server that has another folder or bucket, or an empty one, would
/// take every recording for lost; one that has another database's would delete its files. Such a server serves all but recordings.
public final class StoreIdentity: Sendable {
    /// How a store stands to the database.
    public enum Standing: Sendable, Equatable {
        /// It is the database's.
        case own
        /// The recordings are in another one: this one belongs to nobody.
        case unclaimed
        /// It is another database's.
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

    /// What went wrong is not tried again for so long: a service that can't be reached takes some seconds to say so.
    private static let refusalMs: UInt64 = 5000
    private static let idMaxBytes = 100

    /// Compares that store with that database.
    public init(database: Database, storage: ObjectStorage) {
        self.database = CallerDatabase(database)
        self.storage = storage
    }

    /// Returns when the store is the database's. A new database takes the store that it sees first. Throws `StorageError`.
    public func confirm() async throws {
        switch memory.withLock({ $0 }) {
        case .own: return
        case .refused(let error, let untilMs) where Monotonic.nowMs() < untilMs: throw error
        case .refused, .unknown: break
        }
        try await confirmNow()
    }

    /// The same by a look at the store itself, for what can't be taken back: a folder that is not mounted, or a proxy without its service,
    /// has no files either.
    public func confirmNow() async throws {
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
        // The row first: a claimed store has had its id before. And not in one transaction, since a store that does not answer would keep the
        // connection.
        guard let row = try await database.background(StoreRow.read()).first else { throw StoreRow.missing }
        let found = try await Self.id(in: storage)
        guard found == nil, !row.isClaimed else {
            if found == row.id, !row.isClaimed { _ = try await database.background(StoreRow.take()) }
            return Self.standing(found, row.id)
        }
        return try await claim()
    }

    /// The row stays locked while the id is written, so that one of several servers takes its store. A server that dies meanwhile leaves an
    /// object with the database's id, which the next one finds.
    private func claim() async throws -> Standing {
        let (database, storage) = (database, storage)
        return try await database.backgroundTransaction(key: "store") { transaction in
            guard let row = try await transaction.run(StoreRow.lock()).first else { throw StoreRow.missing }
            if !row.isClaimed { try await Self.write(row.id, to: storage) }
            try await transaction.commit(row.isClaimed ? [] : [StoreRow.take().step])
            // Another server was faster: with the same bucket it has written the id there.
            return row.isClaimed ? Self.standing(try await Self.id(in: storage), row.id) : .own
        }
    }

    static func standing(_ found: String?, _ own: String) -> Standing {
        found.map { $0 == own ? .own : .foreign } ?? .unclaimed
    }

    /// What a store says of itself; nil for nothing.
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
