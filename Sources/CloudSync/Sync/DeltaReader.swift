import Postgres

/// Reads the changes of a collection after a cursor.
struct DeltaReader: Sendable {
    let database: CallerDatabase
    let sql: SyncSQL
    /// How far `last_sync` reaches back beyond what it says, in seconds.
    let overlapSeconds: Int
    let limits: DeltaLimits

    /// The changes after the cursor; nil when the client has an answer for the newest state. One round trip, and another one where much
    /// does not come at once: the rest comes by pages.
    func delta(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        do {
            let found = try await delta(request, documentBytes: limits.documentBytes, caller)
            guard let found, !found.isWhole, found.memoryBytes > limits.keptBytes else { return found }
        }
        // Its first documents would be in memory as long as a slow client takes for all of them. They are not any more.
        return try await delta(request, documentBytes: 0, caller)
    }

    private func delta(_ request: DeltaRequest, documentBytes: Int, _ caller: Caller) async throws -> Delta? {
        let rows = try await database.readRows(for: caller, step(request, documentBytes: documentBytes))
        guard let first = rows.first else { throw CloudSyncError.notFound }
        let head = try DeltaHead(first)
        if let known = request.knownState, head.state == known { return nil }
        return try Delta(request, head, rows, rowsMax: limits.rows)
    }

    private func step(_ request: DeltaRequest, documentBytes: Int) -> Step {
        var seq: Int?
        var lastSync: Timestamp?
        switch request.cursor {
        case .none: break
        case .token(let value): seq = value.seq
        case .lastSync(let value): lastSync = value
        }
        let statement = request.named.count == 1 ? sql.delta : sql.deltaNaming
        return statement(
            parameters(request.named) + [
                request.isUnreadable ? .null : .int(seq),
                request.isUnreadable ? .null : .int(lastSync?.microseconds),
                .int(overlapSeconds),
                // One more than fits tells whether there is more, and where it begins.
                .int((request.limit ?? limits.rows) + 1),
                .text(request.knownState),
                .int(documentBytes),
            ]
        )
    }

    private func parameters(_ named: [SyncToken]) -> [Parameter] {
        if named.count == 1 {
            let change = named[0]
            return [
                .int(change.seq), change.chain.parameter, .int(change.salt), .text(change.item?.id),
                .int(change.item?.version),
            ]
        }
        return [
            .integers(named.map(\.seq)),
            ChainValue.parameter(named.map(\.chain)),
            .integers(named.map(\.salt)),
            .array(named.map { $0.item?.id }),
            .integers(named.map { $0.item?.version }),
        ]
    }
}
