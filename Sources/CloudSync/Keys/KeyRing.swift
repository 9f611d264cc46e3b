import Net
import NeuroViewsCrypto

/// The master keys of this process. A rotation changes them while it runs, so code that uses one key twice reads it once.
package final class KeyRing: Sendable {
    private let keys: Locked<MasterKeys>

    /// Takes the first keys. Throws `.unusableKey` when two have the same id.
    package init(current: MasterKey, previous: [MasterKey] = []) throws(CryptoError) {
        keys = Locked(try MasterKeys(current: current, previous: previous))
    }

    /// The key for everything new.
    package var current: MasterKey { keys.withLock { $0.current } }
    /// Signs with the current key; accepts tokens of all keys.
    package var tokens: TokenSigner { keys.withLock { $0.tokens } }

    /// The key with this id, or nil when it's no longer (or was never) held.
    package subscript(kid kid: String) -> MasterKey? { keys.withLock { $0[kid: kid] } }

    /// Replaces the keys. A key is wiped when its last user releases it.
    func replace(with other: MasterKeys) { keys.withLock { $0 = other } }
}
