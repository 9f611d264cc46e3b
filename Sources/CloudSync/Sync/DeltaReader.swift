import Postgres

/// Reads the changes of a collection after a cursor.
package struct DeltaReader: Sendable {
    let database: CallerDatabase
    /// Records when a device was last seen; nil for none.
    let devices: DeviceService?
    let sql: SyncSQL
    /// The overlap, in seconds: a delta also contains changes from this time before `last_sync`.
    let overlapSeconds: Int
    let limits: DeltaLimits
    /// A pull of everything keeps memory until it is sent. So an account has only some under way, and the others wait before they read.
    private let pulls = AccountSeats(ofAccount: 32, waitMs: 5000)

    /// The changes after the cursor; nil if the client has the response for the newest state. One round trip checks the
    /// known state, one reads the changes, and one more is needed if much remains for pages.
    package func delta(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        let delta = try await read(request, for: caller)
        if let deviceID = request.deviceID { await devices?.noteSeen(deviceID, for: caller) }
        return delta
    }

    /// The memory of a page, in bytes, unless a document is larger than a page.
    package var pageMemoryBytes: Int { limits.pageMemoryBytes }

    private func read(_ request: DeltaRequest, for caller: Caller) async throws -> Delta? {
        if let known = request.knownState {
            let state = try await database.read(for: caller, sql.state(.text(caller.userID))).first
            if state == known { return nil }
        }
        let seat = lane(request) == .large ? try await pulls.take(caller.userID) : nil
        do {
            var found = try await delta(request, documentBytes: limits.documentBytes, caller)
            found.seat = seat
            guard !found.isWhole, found.memoryBytes > limits.keptBytes else { return found }
        }
        // A slow client would keep the first documents in memory until all pages are sent. So they are read again
        // without documents.
        var found = try await delta(request, documentBytes: 0, caller)
        found.seat = seat
        return found
    }

    private func delta(_ request: DeltaRequest, documentBytes: Int, _ caller: Caller) async throws -> Delta {
        let read = step(request, documentBytes: documentBytes, caller)
        let rows = try await database.readRows(for: caller, on: lane(request), read)
        if rows.count == 0 { throw CloudSyncError.accountGone }
        return try Delta(request, rows, rowsMax: limits.rows)
    }

    /// A poll of a device that has synced before goes on the small lane.
    private func lane(_ request: DeltaRequest) -> ReadLane {
        if case .none = request.cursor { return .large }
        return request.limit ?? 0 > limits.rows ? .large : .small
    }

    private func step(_ request: DeltaRequest, documentBytes: Int, _ caller: Caller) -> Step {
        // One row more than the limit shows if there is more, and its first seq.
        let limits: [Parameter] = [.int((request.limit ?? limits.rows) + 1), .int(documentBytes)]
        let first = [Parameter.text(caller.userID)] + limits
        if let token = request.onlyToken { return sql.deltaAfterToken(first + Self.parameters(token)) }
        var seq: Int?
        var lastSync: Timestamp?
        switch request.cursor {
        case .none: break
        case .token(let value): seq = value.seq
        case .lastSync(let value): lastSync = value
        }
        return sql.delta(
            first + Self.parameters(request.named) + [
                request.isUnreadable ? .null : .int(seq),
                request.isUnreadable ? .null : .int(lastSync?.microseconds),
                .int(overlapSeconds),
            ]
        )
    }

    private static func parameters(_ change: SyncToken) -> [Parameter] {
        [
            .int(change.seq), change.chain.parameter, .int(change.salt), .text(change.item?.id),
            .int(change.item?.version),
        ]
    }

    private static func parameters(_ named: [SyncToken]) -> [Parameter] {
        [
            .integers(named.map(\.seq)),
            ChainValue.parameter(named.map(\.chain)),
            .integers(named.map(\.salt)),
            .uuids(named.map { $0.item?.id }),
            .integers(named.map { $0.item?.version }),
        ]
    }
}
