import Net
import NeuroViewsCrypto
import Postgres
import Synchronization

/// Follows rotations of the master key while a server runs. The file is read again only when the database names a key that this server
/// lacks. Keys that the database no longer names are dropped.
package final class KeyWatch: Sendable {
    private let database: CallerDatabase
    private let server: ServerID
    private let ring: KeyRing
    private let readFile: @Sendable () async throws -> [MasterKey]
    private let state: Locked<(keys: ReadableKeys, lookedAt: String?)>
    private let isNoted = Atomic(true)

    /// Keeps `ring` up to date, beginning with `keys`. `readFile` reads the secret file again.
    package init(
        _ database: Database,
        _ server: ServerID,
        _ ring: KeyRing,
        _ keys: ReadableKeys,
        readFile: @escaping @Sendable () async throws -> [MasterKey]
    ) throws(CryptoError) {
        self.database = CallerDatabase(database)
        self.server = server
        self.ring = ring
        self.readFile = readFile
        state = Locked((keys, nil))
        ring.replace(with: try keys.ring())
    }

    /// The server's id in `server_keys`.
    package var serverID: String { server.id }

    /// The reason why nobody can log in at this server; nil: everybody can.
    package var problem: String? {
        state.withLock { state in
            let keys = state.keys
            guard keys.current == nil else { return nil }
            let current = keys.missing.first { $0.state == .current }
            return current.map { "the secret file lacks the current master key \($0.id)" } ?? "no master key is current"
        }
    }

    /// Looks for other keys and notes this server's own. To be called every few seconds. Returns the keys if they
    /// changed.
    package func look() async throws -> ReadableKeys? {
        let before = state.withLock { $0.keys }
        isNoted.store(false, ordering: .relaxed)
        let (_, known, times) = try await database.background(note(), MasterKeySQL.all(), MasterKeySQL.clock())
        isNoted.store(true, ordering: .relaxed)
        // Before the file is read, which may fail or take long: a compromised key is dropped at once.
        try adopt(ReadableKeys(before.held, known), times.first)
        guard state.withLock({ !$0.keys.missing.isEmpty }) else { return changed(since: before) }
        if let file = try? await readFile() { try adopt(ReadableKeys(file, known), times.first) }
        _ = try await database.background(note())
        return changed(since: before)
    }

    /// Deletes this server's note when it stops. Does nothing if the last note failed: the server must not wait for a
    /// database that is down.
    package func leave() async {
        guard isNoted.load(ordering: .relaxed) else { return }
        _ = await database.aside("end of a note of keys", server.leave())
    }

    private func adopt(_ keys: ReadableKeys, _ time: String?) throws(CryptoError) {
        let isOther = state.withLock { $0.keys.signature != keys.signature }
        if isOther { ring.replace(with: try keys.ring()) }
        state.withLock { $0 = (keys, time) }
    }

    private func changed(since before: ReadableKeys) -> ReadableKeys? {
        let now = state.withLock { $0.keys }
        return now.signature == before.signature ? nil : now
    }

    private func note() -> BoundQuery<Void> {
        let (keys, time) = state.withLock { $0 }
        return server.note(has: keys.held.map(\.kid), lacks: keys.missing.map(\.id), asOf: time)
    }
}

extension ReadableKeys {
    /// Equal when nothing has changed.
    fileprivate var signature: [[String]] { [held.map(\.kid).sorted(), missing.map(\.id), [current?.kid ?? ""]] }
}
