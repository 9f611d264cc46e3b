#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The session's record in the secret store. Processes take turns to change it.
struct SessionVault: Sendable {
    /// A change takes milliseconds; a refresh and a log in wait for the network.
    private static let (changeLimit, turnLimit) = (Duration.seconds(10), Duration.seconds(90))

    private let secrets: any SecretStore
    private let name: String
    private let folder: ServerFolder
    private let systemID: String?

    init(_ secrets: any SecretStore, _ address: ServerAddress, _ folder: ServerFolder, systemID: String?) {
        (self.secrets, self.folder, self.systemID) = (secrets, folder, systemID)
        name = "session_\(address.folderName)"
    }

    /// The record; nil before the first log in. Throws `.secrets(.locked)` while nobody can know. A damaged one counts as
    /// none, and the next log in replaces it.
    func read() throws(ClientError) -> SessionRecord? { try load().map { ofThisSystem($0) } }

    /// Changes the stored record and returns it.
    func change(_ body: (inout SessionRecord) -> Void) async throws(ClientError) -> SessionRecord {
        let lock = try await lock("session.lock", atMost: Self.changeLimit)
        defer { withExtendedLifetime(lock) {} }
        let stored = try load()
        var record = ofThisSystem(stored ?? SessionRecord())
        body(&record)
        record.systemID = systemID ?? record.systemID
        if record != stored { try store(record) }
        return record
    }

    /// Removes the record, unless it is another account's. Returns what is stored then.
    func remove(of user: UUID) async throws(ClientError) -> SessionRecord? {
        let lock = try await lock("session.lock", atMost: Self.changeLimit)
        defer { withExtendedLifetime(lock) {} }
        if let stored = try load(), let account = stored.account, account.id != user { return ofThisSystem(stored) }
        try store(nil)
        return nil
    }

    /// The lock for replacing the token over the network. It is another one than that of changes, so that a log out
    /// waits for nobody.
    func turn() async throws(ClientError) -> FileLock { try await lock("token.lock", atMost: Self.turnLimit) }

    /// A session that came from another device would be used by both: this one has none, and gets a name of its own.
    private func ofThisSystem(_ record: SessionRecord) -> SessionRecord {
        guard let systemID, let other = record.systemID, other != systemID else { return record }
        var own = record
        own.end(nil)
        own.deviceID = nil
        own.isErasing = false
        return own
    }

    private func load() throws(ClientError) -> SessionRecord? {
        do throws(SecretError) { return try secrets.read(name).flatMap { SessionRecord($0) } } catch {
            throw .secrets(error)
        }
    }

    private func store(_ record: SessionRecord?) throws(ClientError) {
        do throws(SecretError) { try secrets.write(name, record?.bytes) } catch { throw .secrets(error) }
    }

    private func lock(_ file: String, atMost limit: Duration) async throws(ClientError) -> FileLock {
        do throws(FileLock.Failure) {
            return try await FileLock.wait("\(folder.path)/\(file)", atMost: limit)
        } catch {
            switch error {
            case .busy: throw .tryLater(nil, seconds: nil)
            case .cancelled: throw .cancelled
            case .unusable(let reason): throw .secrets(.unwritable(reason))
            }
        }
    }
}
