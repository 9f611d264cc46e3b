import NeuroViewsCrypto

/// The usable keys of a secret file: the file has the keys, and the database defines the use of each.
package struct ReadableKeys: Sendable {
    /// All keys of the database, the oldest first.
    package let known: [KnownMasterKey]
    /// The file's keys that the database knows and that are not compromised.
    package let held: [MasterKey]
    /// Usable keys of the database that the file lacks.
    package let missing: [KnownMasterKey]
    /// The current key; nil if the file lacks it or none is current.
    package let current: MasterKey?
    /// True if every key of the database is compromised.
    package let areCompromised: Bool
    private let newestPrevious: MasterKey?

    /// Compares the keys of a file with those of the database.
    package init(_ file: [MasterKey], _ known: [KnownMasterKey]) {
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
    package var areComplete: Bool { missing.allSatisfy { $0.state == .prepared } && current != nil }

    /// The keys for a server's ring. Without any key it gets a random one that fits no token. Nobody can log in then,
    /// so nothing is made with it.
    func ring() throws(CryptoError) -> MasterKeys {
        guard let first = current ?? newestPrevious else {
            return try MasterKeys(current: MasterKey(bytes: SecureRandom.bytes(MasterKey.keyBytes)), previous: held)
        }
        return try MasterKeys(current: first, previous: held.filter { $0.kid != first.kid })
    }
}
