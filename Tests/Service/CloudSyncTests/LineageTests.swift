import Foundation
import TestSupport
import Testing

@testable import CloudSync

/// Cursors by time, and their end by a new lineage, a clock set back, or an operator.
struct LineageTests {
    private static func create(_ number: Int, _ world: World, _ caller: Caller) async throws {
        let document = try Document("A", id: BatchTests.id(number), edited: 1).parsed()
        _ = try await world.servers[0].create(document, for: caller).get()
    }

    private static func poll(since time: String, _ world: World, _ caller: Caller) async throws -> Delta {
        let cursor = DeltaRequest.Cursor.lastSync(try #require(Timestamp(time)))
        return try #require(try await world.servers[1].delta(DeltaRequest(cursor: cursor), for: caller))
    }

    /// Starts a new lineage, as on a connection to another cluster, timeline or database.
    private static func beginLineage(_ world: World) async throws {
        try await world.sql("UPDATE lineage SET value = 'another one'; SELECT check_lineage()")
    }

    private static func accounts(_ world: World) async throws -> String? {
        try await world.sql("SELECT string_agg(h::text || h.xmin, '' ORDER BY user_id) FROM sync_heads h").first?.text(
            0
        )
    }

    @Test("A last_sync from before the lineage's begin gets the full set once, also without writes")
    func resetOnce() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            for number in 1...3 { try await Self.create(number, world, caller) }
            let before = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller))
            #expect(try await Self.poll(since: before.serverTime, world, caller).isReset == false)
            let accounts = try await Self.accounts(world)
            try await Self.beginLineage(world)
            #expect(try await Self.accounts(world) == accounts, "a new lineage touches no account")
            let first = try await Self.poll(since: before.serverTime, world, caller)
            #expect(first.isReset && first.count == 3)
            #expect(first.serverTime > before.serverTime && first.state != before.state)
            for _ in 0..<2 {
                let idle = try await Self.poll(since: first.serverTime, world, caller)
                #expect(!idle.isReset && idle.count == 0 && idle.serverTime == first.serverTime)
            }
            let byToken = DeltaRequest(cursor: .token(before.next))
            #expect(try await world.servers[0].delta(byToken, for: caller)?.isReset == false)
        }
    }

    @Test("Writes after a lineage's begin are returned for the last_sync that it gave")
    func writesAfter() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.create(1, world, caller)
            // The first lineage begins ahead of the clock, the next ones after the first.
            for number in 2...4 {
                try await Self.beginLineage(world)
                let start = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller))
                try await Self.create(number, world, caller)
                let next = try await Self.poll(since: start.serverTime, world, caller)
                #expect(!next.isReset && (0..<next.count).map { next[$0].id } == [BatchTests.id(number)])
            }
            #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
        }
    }

    @Test("Each lineage begins at a whole second, at least one second after the one before")
    func begins() async throws {
        try await World.with { world in
            func begin() async throws -> (Int, Bool) {
                let row = try await world.sql(
                    "SELECT extract(epoch FROM began_at)::bigint, began_at = date_trunc('second', began_at) FROM lineage"
                ).first
                return (try #require(row?.int(0)), row?.bool(1) == true)
            }
            try await world.sql("SELECT check_lineage()")
            #expect(try await begin() == (0, true), "nothing was read before the first one")
            var last = 0
            for _ in 0..<3 {
                let now = Int(Date().timeIntervalSince1970)
                try await Self.beginLineage(world)
                let (time, isWhole) = try await begin()
                #expect(time > last && time > now && isWhole)
                last = time
                try await world.sql("SELECT check_lineage()")
                #expect(try await begin().0 == last, "the same lineage goes on")
            }
        }
    }

    @Test("A head days ahead of the clock keeps times growing, and its server_time is a valid last_sync")
    func headAhead() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.create(1, world, caller)
            try await world.putHeadAhead(seconds: 3 * 86400)
            var last = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller))
            for number in 2...4 {
                try await Self.create(number, world, caller)
                let next = try await Self.poll(since: last.serverTime, world, caller)
                #expect(!next.isReset && next.serverTime >= last.serverTime)
                #expect((0..<next.count).contains { next[$0].id == BatchTests.id(number) })
                last = next
                if number == 3 {
                    try await Self.beginLineage(world)
                    #expect(try await Self.poll(since: last.serverTime, world, caller).isReset)
                    last = try #require(try await world.servers[0].delta(.init(cursor: .none), for: caller))
                }
            }
            #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
        }
    }

    @Test("A head more than a week ahead of the clock does not take the next lineage along")
    func farAhead() async throws {
        try await World.with { world in
            _ = try await world.newAccount()
            try await world.putHeadAhead(seconds: 8 * 86400)
            try await world.sql("SELECT check_lineage()")
            try await Self.beginLineage(world)
            let isAhead = "SELECT began_at > now() + interval '1 minute' FROM lineage"
            #expect(try await world.sql(isAhead).first?.bool(0) == false)
        }
    }

    @Test("A last_sync from before an operator's reset of one account gets the full set once")
    func operatorResetByTime() async throws {
        try await World.with { world in
            let callers = [try await world.newAccount()[0], try await world.newAccount()[0]]
            for caller in callers { try await Self.create(1, world, caller) }
            try await world.putHeadAhead(seconds: 3600)
            let before = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: callers[0]))
            let email = try await world.sql("SELECT email FROM users WHERE id = '\(callers[0].userID)'").first?.text(0)
            _ = try await onThread { [address = world.connectionString] in try ClientReset.run(email: email, address) }
            let first = try await Self.poll(since: before.serverTime, world, callers[0])
            #expect(first.isReset && first.count == 1 && first.serverTime > before.serverTime)
            let idle = try await Self.poll(since: first.serverTime, world, callers[0])
            #expect(!idle.isReset && idle.count == 0 && idle.serverTime == first.serverTime)
            try await Self.create(2, world, callers[0])
            let next = try await Self.poll(since: first.serverTime, world, callers[0])
            #expect(!next.isReset && (0..<next.count).map { next[$0].id } == [BatchTests.id(2)])
            let other = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: callers[1]))
            #expect(other.serverTime < first.serverTime, "the reset touches no other account")
            #expect(try await FinalState(of: callers[0].userID, in: world).irregularities == [])
        }
    }

    @Test("An operator invalidates the sync tokens of one account, or all of them and every last_sync")
    func operatorReset() async throws {
        try await World.with { world in
            let callers = [try await world.newAccount()[0], try await world.newAccount()[0]]
            var before: [Delta] = []
            for caller in callers {
                try await Self.create(1, world, caller)
                before.append(try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller)))
            }
            // Nil if the server answers that the client is up to date.
            func resets() async throws -> [Bool?] {
                var resets: [Bool?] = []
                for (caller, delta) in zip(callers, before) {
                    var byToken = DeltaRequest(cursor: .token(delta.next))
                    byToken.knownState = delta.state
                    resets.append(try await world.servers[1].delta(byToken, for: caller)?.isReset)
                }
                return resets
            }
            func reset(_ email: String?) async throws -> Int {
                try await onThread { [address = world.connectionString] in try ClientReset.run(email: email, address) }
            }
            let email = try await world.sql("SELECT email FROM users WHERE id = '\(callers[0].userID)'").first?.text(0)
            #expect(try await resets() == [nil, nil])
            #expect(try await reset("nobody@example.org") == 0)
            #expect(try await resets() == [nil, nil])
            #expect(try await reset(email?.uppercased()) == 1)
            #expect(try await resets() == [true, nil])
            #expect(try await Self.poll(since: before[1].serverTime, world, callers[1]).isReset == false)
            #expect(try await reset(nil) == 2)
            #expect(try await resets() == [true, true])
            #expect(try await Self.poll(since: before[1].serverTime, world, callers[1]).isReset)
            // The head in a write's answer is a valid token.
            let document = try Document("A", id: BatchTests.id(2), edited: 1).parsed()
            let head = try #require(try await world.servers[0].create(document, for: callers[1]).head)
            let next = try await world.servers[1].delta(DeltaRequest(cursor: .token(head)), for: callers[1])
            #expect(next?.isReset == false)
        }
    }
}
