import NeuroViewsCrypto
import Postgres

/// The history of commits: the row of `lineage`.
struct Lineage: Sendable {
    let salt: Int
    let beganAt: Timestamp
}

/// The head of an account's collection, locked by a transaction that writes: a row of `WriteSQL.lock`.
struct AccountHead: Sendable {
    private(set) var newest: SyncToken
    /// The numbers that the quotas limit.
    private(set) var use: AccountUse
    /// The XOR over the live items of SHA-256(id, digest).
    private(set) var stateHash: [UInt8]
    private(set) var changedAt: Timestamp
    /// The start of the lineage. Each change is later.
    private var lineageBeganAt: Timestamp
    /// The device that the writer's session named at login; nil without one.
    let deviceID: String?

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        let salt: Int = try columns.next()
        newest = try SyncToken(&columns, salt: salt)
        changedAt = try columns.next()
        lineageBeganAt = changedAt
        stateHash = (try columns.next() as Bytea).bytes
        use = AccountUse(
            items: try columns.next(),
            tombstones: try columns.next(),
            historyBytes: try columns.next()
        )
        deviceID = try columns.next()
    }

    /// The head in the current lineage, which is read after the head is locked.
    func within(_ lineage: Lineage) -> AccountHead {
        var head = self
        head.newest = SyncToken(
            seq: newest.seq,
            chain: newest.chain,
            salt: newest.salt ^ lineage.salt,
            item: newest.item
        )
        head.lineageBeganAt = lineage.beganAt
        return head
    }

    /// Makes the next change. Its time is at least 1 ms later than the change before it, and not before the millisecond
    /// in which the write arrived.
    mutating func change(_ write: ItemWrite, _ stored: StoredItem?, receivedAt: Timestamp, bytes: Int) throws
        -> SyncToken
    {
        let received = Timestamp(microseconds: receivedAt.microseconds / 1000 * 1000)
        changedAt = max(changedAt.next, lineageBeganAt.next, received)
        let item = SyncToken.Item(id: write.id, version: (stored?.version.number ?? 0) + 1)
        let chain = try newest.chain.next(seq: newest.seq + 1, item, write, changedAt)
        newest = SyncToken(seq: newest.seq + 1, chain: chain, salt: newest.salt, item: item)
        if let digest = stored?.digest { toggle(write.id, digest) }
        if let digest = write.content?.digest { toggle(write.id, digest) }
        use.count(write, stored, bytes: bytes)
        return newest
    }

    /// Counts a losing document.
    mutating func keepLoser(bytes: Int) { use.historyBytes += bytes }

    private mutating func toggle(_ id: String, _ digest: [UInt8]) {
        let hash = SHA256.hash(Array(id.utf8) + digest)
        for index in stateHash.indices { stateHash[index] ^= hash[index] }
    }
}

extension Timestamp {
    /// 1 ms later.
    fileprivate var next: Timestamp { Timestamp(microseconds: microseconds + 1000) }
}

extension ChainValue {
    /// The chain of the next change: 16 bytes of SHA-256 over the chain before it, the change, and a random value.
    fileprivate func next(
        seq: Int,
        _ item: SyncToken.Item,
        _ write: ItemWrite,
        _ changedAt: Timestamp
    ) throws -> ChainValue {
        let noDigest = [UInt8](repeating: 0, count: SHA256.digestBytes)
        var hash = SHA256()
        let change = "\(seq) \(item.id) \(item.version) \(write.kind.rawValue) \(changedAt.microseconds)"
        hash.update(Array("\(digits) \(change) ".utf8))
        hash.update(write.content?.digest ?? noDigest)
        hash.update(try SecureRandom.bytes(16))
        return ChainValue(hash.digest()[..<16])
    }
}
