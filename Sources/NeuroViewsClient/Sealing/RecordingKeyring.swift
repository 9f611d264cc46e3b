import NeuroViewsCrypto

/// The keys of an account for sealed recordings, in the secret store. The first one seals; all of them open.
struct RecordingKeyring {
    private static let keysMax = 100
    private static let keyBytes = 32
    private static let lockWait: Duration = .seconds(5)

    private let secrets: any SecretStore
    private let name: String
    private let lock: String

    init(_ secrets: any SecretStore, name: String, lock: String) {
        (self.secrets, self.name, self.lock) = (secrets, name, lock)
    }

    /// The keys, none before the first one was made or entered.
    func keys() throws(ClientError) -> [RecordingKey] {
        do throws(SecretError) {
            guard let all = try secrets.read(name) else { return [] }
            let starts = stride(from: 0, to: all.count, by: Self.keyBytes)
            let keys = starts.compactMap { RecordingKey(stored: Array(all[$0..<min($0 + Self.keyBytes, all.count)])) }
            guard keys.count * Self.keyBytes == all.count else { throw SecretError.unreadable("they are no keys") }
            return keys
        } catch {
            throw .secrets(error)
        }
    }

    /// The key to seal with. Throws `.sealing(.noKey)` if there is none.
    func sealing() throws(ClientError) -> RecordingKey {
        guard let key = try keys().first else { throw .sealing(.noKey) }
        return key
    }

    /// Puts a key first. A known one is moved there.
    func add(_ key: RecordingKey) throws(ClientError) {
        let turn = try take()
        defer { withExtendedLifetime(turn) {} }
        try putFirst(key)
    }

    /// The key to seal with: `made` if there is none.
    func sealing(orAdd made: RecordingKey) throws(ClientError) -> RecordingKey {
        let turn = try take()
        defer { withExtendedLifetime(turn) {} }
        if let key = try keys().first { return key }
        try putFirst(made)
        return made
    }

    private func putFirst(_ key: RecordingKey) throws(ClientError) {
        let keys = [key] + (try keys()).filter { $0.id != key.id }
        guard keys.count <= Self.keysMax else { throw .invalidArgument("A device has at most \(Self.keysMax) keys.") }
        try store(keys.flatMap(\.bytes))
    }

    /// Removes all keys.
    func removeAll() throws(ClientError) {
        let turn = try take()
        defer { withExtendedLifetime(turn) {} }
        try store(nil)
    }

    private func store(_ bytes: [UInt8]?) throws(ClientError) {
        do throws(SecretError) { try secrets.write(name, bytes) } catch { throw .secrets(error) }
    }

    private func take() throws(ClientError) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock.waitBlocking(lock, atMost: Self.lockWait)
        } catch {
            throw error == .busy ? .store(.busy) : .secrets(.unwritable("\(error)"))
        }
    }
}
