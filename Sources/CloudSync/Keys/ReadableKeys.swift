import Crypto

/// The keys of a secret file that may be used: the file has keys, and the database names the use of each.
public struct ReadableKeys: Sendable {
    /// All that the database knows, in the order of their times.
    public let known: [KnownMasterKey]
    /// Those of the file that the database knows and nobody has reported.
    public let held: [MasterKey]
    /// Keys that the database uses, or is about to use, and the file lacks.
    public let missing: [KnownMasterKey]
    /// The current one; nil: the file lacks it, or there is none.
    public let current: MasterKey?
    /// True when every key of the database was reported.
    public let areCompromised: Bool
    private let newestPrevious: MasterKey?

    /// Compares the keys of a file with those of the database.
    public init(_ file: [MasterKey], _ known: [KnownMasterKey]) {
        self.known = known
        let usable = known.filter { $0.state != .compromised }
        let held = file.filter { key in usable.contains { $0.isOf(key) } }
        self.held = held
        missing = usable.filter { known in !held.contains { known.isOf($0) } }
        func key(_ known: KnownMasterKey?) -> MasterKey? { held.first { known?.isOf($0) == true } }
        current = key(usable.first { $0.state == .current })
        newestPrevious =
            usable.filter { $0.state == .previous }.sorted { $0.since > $1.since }.lazy
            .compactMap { key($0) }.first
        areCompromised = usable.isEmpty && !known.isEmpty
    }

    /// True when a server can read everything made with the database's keys.
    public var areComplete: Bool { missing.allSatisfy { $0.state == .prepared } && current != nil }

    /// For a server's ring. Without any key it gets a random one, which no token fits: nobody is logged in, so nothing is made with it.
    func ring() throws(CryptoError) -> MasterKeys {
        guard let first = current ?? newestPrevious else {
            return try MasterKeys(current: MasterKey(bytes: SecureRandom.bytes(MasterKey.keyBytes)), previous: held)
        }
        return try MasterKeys(current: first, previous: held.filter { $0.kid != first.kid })
    }
}
