import NeuroViewsCrypto

/// The key of the stores of one server, which is made when it is needed first.
struct StoreKey {
    private static let bytes = 32
    private static let lockWait: Duration = .seconds(5)
    private let secrets: any SecretStore
    private let name: String
    private let lock: String

    init(_ secrets: any SecretStore, name: String, lock: String) {
        (self.secrets, self.name, self.lock) = (secrets, name, lock)
    }

    /// The key. Two processes get the same one.
    func read() throws(ClientError) -> [UInt8] {
        if let key = try stored() { return key }
        let turn = try take()
        defer { withExtendedLifetime(turn) {} }
        if let key = try stored() { return key }
        let key = try Self.made()
        do throws(SecretError) { try secrets.write(name, key) } catch { throw .secrets(error) }
        return key
    }

    private func stored() throws(ClientError) -> [UInt8]? {
        do throws(SecretError) {
            guard let key = try secrets.read(name) else { return nil }
            guard key.count == Self.bytes else { throw SecretError.unreadable("it is no key of a store") }
            return key
        } catch {
            throw .secrets(error)
        }
    }

    private static func made() throws(ClientError) -> [UInt8] {
        do throws(CryptoError) { return try SecureRandom.bytes(bytes) } catch { throw .store(.other("\(error)")) }
    }

    private func take() throws(ClientError) -> FileLock {
        do throws(FileLock.Failure) {
            return try FileLock.waitBlocking(lock, atMost: Self.lockWait)
        } catch {
            switch error {
            case .busy, .cancelled: throw .store(.busy)
            case .unusable(let reason): throw .store(.other(reason))
            }
        }
    }
}
