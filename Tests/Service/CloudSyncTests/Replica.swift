import CloudSync

/// A device's state after storing its answers.
struct Replica: Sendable, Equatable {
    struct Item: Sendable, Equatable {
        let version: VersionTag?
        /// Nil for a tombstone.
        let document: String?
    }

    /// Items by id, in the spelling of their creation.
    private(set) var items: [String: Item] = [:]
    /// The device's sync token.
    private(set) var token: SyncToken?
    private(set) var serverTime = ""
    /// The first error: an answer with an older version than the stored one.
    private(set) var steppedBack: String?

    init() {}

    init(_ items: [String: Item]) { self.items = items }

    /// The number of an item's version, for any spelling of its id.
    func version(of id: String) -> Int {
        items.first { $0.key.lowercased() == id.lowercased() }?.value.version?.number ?? 0
    }

    /// Stores an answer. After a reset, unlisted items are deleted.
    mutating func store(_ pulled: PulledDelta) {
        if pulled.delta.isReset { items = [:] }
        for item in pulled.items {
            if let known = items[item.id], let version = item.version,
                known.version.map({ $0.number > version.number }) == true
            {
                steppedBack = "\(item.id) from \(known) to \(item)"
            }
            items[item.id] = Item(version: item.version, document: item.document)
        }
        token = pulled.delta.next
        serverTime = pulled.delta.serverTime
    }

    /// The differences from the other replica, for a message.
    func difference(from other: Replica) -> [String] {
        Set(items.keys).union(other.items.keys).sorted().compactMap { id in
            let (mine, theirs) = (items[id], other.items[id])
            if mine == theirs { return nil }
            return "\(id): \(mine?.version?.text ?? "-"), there \(theirs?.version?.text ?? "-")"
        }
    }
}

extension ConfigurationService {
    /// Pulls by token to the end, in pages of `limit` items if set.
    func pull(_ replica: inout Replica, limit: Int? = nil, for caller: Caller) async throws {
        while true {
            let cursor = replica.token.map { DeltaRequest.Cursor.token($0) } ?? .none
            let request = DeltaRequest(cursor: cursor, limit: limit)
            guard let pulled = try await pullAll(request, for: caller) else { return }
            replica.store(pulled)
            if !pulled.delta.hasMore { return }
        }
    }
}

extension DeltaRequest {
    /// Requests at most `limit` items.
    init(cursor: Cursor, seen: [SyncToken] = [], limit: Int?) {
        self.init(cursor: cursor, seen: seen)
        self.limit = limit
    }

    /// Sends the request as that device.
    init(cursor: Cursor, deviceID: String) {
        self.init(cursor: cursor)
        self.deviceID = deviceID
    }
}
