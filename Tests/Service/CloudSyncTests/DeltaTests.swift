import Foundation
import Testing

@testable import CloudSync

/// The contents of a pull, with one test for each rule.
struct DeltaTests {
    private static func id(_ number: Int) -> String {
        "0A1B2C3D-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)"
    }

    /// Creates an account with `items` items. If there are several, the first is deleted.
    private static func account(_ world: World, items: Int) async throws -> Caller {
        let caller = try await world.newAccount()[0]
        for number in 0..<items {
            let document = Document("item \(number)", id: id(number), edited: 1)
            _ = try await world.servers[0].create(document.parsed(), for: caller).get()
        }
        if items > 1 { _ = try await world.servers[0].delete(id(0), for: caller).get() }
        return caller
    }

    @Test("A token at the head gets an empty delta, and a known head gets none")
    func nothingNew() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 3)
            var replica = Replica()
            try await world.servers[0].pull(&replica, for: caller)
            let token = try #require(replica.token)
            let again = try #require(try await world.servers[1].delta(DeltaRequest(cursor: .token(token)), for: caller))
            #expect(again.count == 0 && again.next == token && !again.isReset)
            var known = DeltaRequest(cursor: .token(token))
            known.knownState = again.state
            #expect(try await world.servers[0].delta(known, for: caller) == nil)
            _ = try await world.servers[0].delete(Self.id(1), for: caller).get()
            #expect(try await world.servers[0].delta(known, for: caller)?.count == 1)
        }
    }

    @Test("A full set lists the tombstones for every kind of cursor")
    func tombstones() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 3)
            let head = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller)).head
            let ahead = SyncToken(seq: head.seq + 1, chain: head.chain, salt: head.salt, item: head.item)
            let foreign = try #require(SyncToken.ofAnotherHistory)
            let future = Timestamp(seconds: Int(Date().timeIntervalSince1970) + 100_000)
            let last = try #require(Timestamp("9999-12-31T23:59:59Z"))
            let cursors: [(DeltaRequest.Cursor, isReset: Bool)] = [
                (.none, false), (.token(ahead), true), (.token(foreign), true), (.lastSync(future), true),
                (.lastSync(last), true),
            ]
            for (cursor, isReset) in cursors {
                let delta = try #require(try await world.servers[0].delta(DeltaRequest(cursor: cursor), for: caller))
                let items = (0..<delta.count).map { delta[$0] }
                #expect(items.map(\.id) == [Self.id(1), Self.id(2), Self.id(0)], "\(cursor)")
                #expect(items.map { $0.document == nil } == [false, false, true], "\(cursor)")
                #expect(items.map(\.version?.number) == [1, 1, 2], "\(cursor)")
                #expect(delta.isReset == isReset && delta.next == head, "\(cursor)")
            }
        }
    }

    @Test("The pages of a full set hold each item once, also after a lost cursor")
    func pages() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 5)
            let lost = try #require(SyncToken.ofAnotherHistory)
            for limit in 1...5 {
                for first in [DeltaRequest.Cursor.none, .token(lost)] {
                    let seen = try await Self.pages(from: first, limit: limit, world.servers[0], caller)
                    #expect(seen == [1, 2, 3, 4, 0].map(Self.id), "limit \(limit), \(first)")
                }
            }
        }
    }

    private static func pages(
        from first: DeltaRequest.Cursor,
        limit: Int,
        _ server: ConfigurationService,
        _ caller: Caller
    ) async throws -> [String] {
        var cursor = first
        let isLost = if case .token = first { true } else { false }
        var seen: [String] = []
        while true {
            let request = DeltaRequest(cursor: cursor, limit: limit)
            let delta = try #require(try await server.delta(request, for: caller))
            #expect(delta.count <= limit && delta.count > 0)
            #expect(delta.isReset == (isLost && seen.isEmpty), "the first page says so, and no other one")
            seen += (0..<delta.count).map { delta[$0].id }
            if !delta.hasMore || seen.count > 5 { return seen }
            cursor = .token(delta.next)
        }
    }

    @Test("A pull by last_sync reaches back by the overlap, and no further")
    func overlap() async throws {
        try await World.with(overlapSeconds: 3600) { world in
            let caller = try await Self.account(world, items: 3)
            let now = Int(Date().timeIntervalSince1970)
            for (second, count) in [(now - 60, 3), (now + 3000, 3), (now + 7200, 0)] {
                let request = DeltaRequest(cursor: .lastSync(Timestamp(seconds: second)))
                let delta = try #require(try await world.servers[0].delta(request, for: caller))
                #expect(delta.count == count && !delta.isReset, "last_sync \(second - now) s from now")
            }
        }
    }

    @Test("Changes keep their order when the clock goes back")
    func clockGoesBack() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 1)
            try await world.sql("UPDATE sync_heads SET changed_at = now() + interval '1 hour'")
            for number in 1...3 {
                let before = try #require(try await world.servers[0].delta(DeltaRequest(cursor: .none), for: caller))
                let document = Document("later \(number)", id: Self.id(number), edited: 1)
                _ = try await world.servers[0].create(document.parsed(), for: caller).get()
                let time = try #require(Timestamp(before.serverTime))
                let request = DeltaRequest(cursor: .lastSync(time))
                let delta = try #require(try await world.servers[1].delta(request, for: caller))
                #expect((0..<delta.count).contains { delta[$0].id == Self.id(number) })
            }
            #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
        }
    }

    @Test("An item keeps the spelling of its id from its creation")
    func spelling() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 0)
            let (upper, lower) = (Document("A", id: WriteRule.id, edited: 1), WriteRule.id.lowercased())
            _ = try await world.servers[0].create(upper.parsed(), for: caller).get()
            let update = Document("B", id: lower, edited: 2)
            #expect(try await world.servers[0].update(lower, update.parsed(), for: caller).get().id == WriteRule.id)
            let delta = try #require(try await world.servers[1].delta(DeltaRequest(cursor: .none), for: caller))
            #expect(delta.count == 1 && delta[0].id == WriteRule.id)
            let stored = try await world.servers[1].get(lower, for: caller)
            #expect(stored.document == Array(update.text(spelledID: WriteRule.id).utf8))
        }
    }
}

extension SyncToken {
    /// A token of an unknown history.
    static let ofAnotherHistory = SyncToken(
        "1.00000000000000000000000000000000.0.00000000-0000-4000-8000-000000000000.1"
    )
}
