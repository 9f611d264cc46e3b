import Postgres

/// A read of the present state of many accounts: one round trip, in the background role. It has only what was hinted.
struct Refresh: Sendable {
    /// So many accounts are read at once: a larger read is hardly cheaper, and leaves memory behind.
    static let accountsMax = 250

    /// The sessions of these are checked.
    var seats: [RealtimeSeat] = []
    var heads: [AccountID] = []
    var devices: [AccountID] = []
    /// The commands of these that this server may deliver.
    var commands: [AccountID] = []
    /// The commands whose outcome somebody waits for.
    var awaited: [(account: AccountID, id: String)] = []

    struct Found: Sendable {
        var live: [LiveSeat] = []
        var heads: [FoundHead] = []
        var devices: [FoundDevice] = []
        var commands: [OpenCommand] = []
        var ends: [FoundEnd] = []
    }

    /// Reads all of it for this server.
    func run(in database: Database, as serverID: String) async throws -> Found {
        let own = Parameter.text(serverID)
        let queries = (
            live: seats.isEmpty ? nil : liveQuery,
            heads: heads.isEmpty ? nil : RealtimeSQL.heads(Self.ids(heads)),
            devices: devices.isEmpty ? nil : RealtimeSQL.devices(Self.ids(devices), own),
            commands: commands.isEmpty ? nil : RealtimeSQL.commands(Self.ids(commands), own),
            ends: awaited.isEmpty ? nil : endsQuery
        )
        let steps = [
            queries.live?.step, queries.heads?.step, queries.devices?.step, queries.commands?.step, queries.ends?.step,
        ].compactMap { $0 }
        guard !steps.isEmpty else { return Found() }
        let all = try await CloudSync.database { () throws(DatabaseError) in try await database.background(steps) }
        var results = all[...]
        var found = Found()
        found.live = try Self.values(queries.live, &results)
        found.heads = try Self.values(queries.heads, &results)
        found.devices = try Self.values(queries.devices, &results)
        found.commands = try Self.values(queries.commands, &results)
        found.ends = try Self.values(queries.ends, &results)
        return found
    }

    private var liveQuery: BoundQuery<LiveSeat> {
        RealtimeSQL.sessions(
            Self.ids(seats.map(\.account)),
            .uuids(seats.map(\.sessionID)),
            .ints(seats.map { Int32(clamping: $0.counter) })
        )
    }

    private var endsQuery: BoundQuery<FoundEnd> {
        RealtimeSQL.ends(Self.ids(awaited.map(\.account)), .uuids(awaited.map(\.id)))
    }

    private static func ids(_ accounts: [AccountID]) -> Parameter { .uuids(accounts.map(\.text)) }

    private static func values<Value>(
        _ query: BoundQuery<Value>?,
        _ results: inout ArraySlice<Rows>
    ) throws(UnexpectedResult) -> [Value] {
        guard let query else { return [] }
        return try query.values(of: results.removeFirst())
    }
}
