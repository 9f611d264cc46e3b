import Crypto
import Net

/// The master keys of this process. A rotation changes them while it runs, so code that uses one key twice reads it once.
public final class KeyRing: Sendable {
    private let keys: Locked<MasterKeys>

    /// Begins with these keys. Throws `.unusableKey` when two have the same id.
    public init(current: MasterKey, previous: [MasterKey] = []) throws(CryptoError) {
        keys = Locked(try MasterKeys(current: current, previous: previous))
    }

    /// The key for all that is new.
    public var current: MasterKey { keys.withLock { $0.current } }
    /// Signs with the current key; accepts all.
    public var tokens: TokenSigner { keys.withLock { $0.tokens } }

    /// The key with this id, or nil when it's no longer (or was never) held.
    public subscript(kid kid: String) -> MasterKey? { keys.withLock { $0[kid: kid] } }

    /// Goes on with other keys. Keys that nobody holds any more are wiped.
    func replace(with other: MasterKeys) { keys.withLock { $0 = other } }
}
