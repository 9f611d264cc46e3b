/// A place for tokens and keys, such as the Keychain or a folder that only its user can read.
///
/// Other processes of the same user may use the store at the same time.
public protocol SecretStore: Sendable {
    /// Returns the secret of that name, nil if there is none.
    func read(_ name: String) throws(SecretError) -> [UInt8]?
    /// Stores a secret, or removes it with nil. After a failure or a crash the old secret is there, or the new one.
    func write(_ name: String, _ value: [UInt8]?) throws(SecretError)
}

/// A failure of a ``SecretStore``. Secrets are never in it.
public enum SecretError: Error, Hashable, Sendable {
    /// The device is locked. The secret is there and can be read later.
    case locked
    /// The secret can't be read, for the reason given.
    case unreadable(String)
    /// The secret can't be stored or removed, for the reason given. The old one is unchanged.
    case unwritable(String)
    /// Others may read or replace the secret, at the path given.
    case notPrivate(String)
}

extension SecretError: CustomStringConvertible {
    /// The failure with its remedy.
    public var description: String {
        switch self {
        case .locked: "The device is locked: unlock it."
        case .unreadable(let reason): "The secret can't be read: \(reason)."
        case .unwritable(let reason): "The secret can't be stored: \(reason)."
        case .notPrivate(let path):
            "\(path) is not private: it must be no link, belong to you, and be closed to others (chmod go= \(path))."
        }
    }
}
