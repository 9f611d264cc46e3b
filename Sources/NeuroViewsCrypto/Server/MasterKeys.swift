/// The current master key, and older ones that sessions still reference by `kid`.
public struct MasterKeys: Sendable {
    /// The master of new sessions.
    public let current: MasterKey
    /// Signs with the current master's token key; accepts tokens of all masters.
    public let tokens: TokenSigner

    private let masters: [MasterKey]

    /// Throws `.unusableKey` if two masters have the same id.
    public init(current: MasterKey, previous: [MasterKey] = []) throws(CryptoError) {
        let masters = [current] + previous
        let keys = Dictionary(masters.map { ($0.kid, $0.tokenKey) }, uniquingKeysWith: { first, _ in first })
        guard keys.count == masters.count else { throw .unusableKey("two master keys have the same id") }
        self.current = current
        self.masters = masters
        tokens = try TokenSigner(keys: keys, current: current.kid)
    }

    /// The master with this id, or nil if this server does not have it.
    public subscript(kid kid: String) -> MasterKey? {
        masters.first { $0.kid == kid }
    }
}
