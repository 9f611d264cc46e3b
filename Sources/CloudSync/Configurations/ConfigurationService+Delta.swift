import Postgres

/// What a client knows already, and how much it takes at once.
public struct DeltaRequest: Sendable {
    /// Where the client stands.
    public enum Cursor: Sendable {
        /// Nowhere: the full set.
        case none
        /// The token of an earlier answer.
        case token(SyncToken)
        /// The time of the last sync by the client's clock.
        case lastSync(Timestamp)
    }

    /// Where the client stands.
    public var cursor: Cursor
    /// Items at most; nil for all.
    public var limit: Int?
    /// The asking device; it filters nothing.
    public var deviceID: String?
    /// The head of an answer that the client still has.
    public var knownHead: SyncToken?

    /// Asks for what `cursor` does not have.
    public init(cursor: Cursor, limit: Int? = nil, deviceID: String? = nil, knownHead: SyncToken? = nil) {
        self.cursor = cursor
        self.limit = limit
        self.deviceID = deviceID
        self.knownHead = knownHead
    }
}

extension ConfigurationService {
    /// The changes after the cursor; nil when the client's known head is still the newest. One round trip, and another
    /// one where much does not come at once: the rest comes by `pages`.
    public func delta(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        do {
            let found = try await delta(request, documentBytes: deltaLimits.documentBytes, caller)
            if let deviceID = request.deviceID { await devices.noteSeen(deviceID, for: caller) }
            guard let found, !found.isWhole, found.memoryBytes > deltaLimits.keptBytes else { return found }
        }
        // Its first documents would be in memory as long as a slow client takes for all of them. They are not any more.
        return try await delta(request, documentBytes: 0, caller.withoutNonce)
    }

    private func delta(_ request: DeltaRequest, documentBytes: Int, _ caller: Caller) async throws -> Delta? {
        let step = deltaStep(request, documentBytes: documentBytes)
        let results = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, step, record: caller.record)
        }
        guard let first = results[1].first, let epoch = first.text(0), let seq = first.int(1) else {
            throw CloudSyncError.notFound
        }
        let head = SyncToken(epoch: epoch, seq: seq)
        if head == request.knownHead { return nil }
        return Delta(request, head: head, rows: results[1], rowsMax: deltaLimits.rows)
    }

    private func deltaStep(_ request: DeltaRequest, documentBytes: Int) -> Step {
        var token: SyncToken?
        var lastSync: Timestamp?
        switch request.cursor {
        case .none: break
        case .token(let value): token = value
        case .lastSync(let value): lastSync = value
        }
        return ConfigurationSQL.delta(
            .text(token?.epoch),
            .int(token?.seq),
            .int(lastSync?.microseconds),
            .int(overlapSeconds),
            // One more than fits tells whether there is more, and where it begins.
            .int((request.limit ?? deltaLimits.rows) + 1),
            .text(request.knownHead?.epoch),
            .int(request.knownHead?.seq),
            .int(documentBytes)
        )
    }
}
