import Testing

@testable import CloudSync

/// The validity of tokens, also during and after a full set.
struct SyncTokenTests {
    /// Creates an account with `items` items, written in order.
    private static func account(_ world: World, items: Int) async throws -> Caller {
        let caller = try await world.newAccount()[0]
        let operations = try (0..<items).map { try BatchTests.create("A", $0) }
        _ = try await world.servers[0].batch(operations, for: caller)
        return caller
    }

    private static func delta(
        _ cursor: DeltaRequest.Cursor,
        seen: [SyncToken] = [],
        limit: Int? = nil,
        _ world: World,
        _ caller: Caller
    ) async throws -> Delta {
        let request = DeltaRequest(cursor: cursor, seen: seen, limit: limit)
        return try #require(try await world.servers[0].delta(request, for: caller))
    }

    /// The token with one part changed.
    private static func changed(_ token: SyncToken, _ place: Place) -> SyncToken {
        let item = token.item.map { item in
            let version = place == .version ? item.version + 1 : item.version
            return SyncToken.Item(id: place == .item ? WriteRule.id : item.id, version: version)
        }
        let other = ChainValue("0123456789abcdef0123456789abcdef")
        return SyncToken(
            seq: place == .seq ? token.seq + 1 : token.seq,
            chain: place == .chain ? other ?? token.chain : token.chain,
            salt: place == .salt ? token.salt + 1 : token.salt,
            item: item
        )
    }

    private enum Place: CaseIterable { case seq, chain, salt, item, version }

    @Test("A sync token is valid at the head, at each older change and at the beginning")
    func good() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 4)
            _ = try await world.servers[0].batch([BatchTests.replace("B", 0)], for: caller)
            for seq in 0...5 {
                let token = try await world.token(at: seq, caller)
                #expect(SyncToken(token.text) == token)
                let delta = try await Self.delta(.token(token), world, caller)
                // The first item moved to the end.
                #expect(delta.count == min(4, 5 - seq) && !delta.isReset, "seq \(seq)")
                #expect(try await Self.delta(.none, seen: [token], world, caller).isReset == false, "seq \(seq)")
            }
        }
    }

    @Test("A sync token with another chain, salt, seq, item or version gets the full set, also in seen")
    func bad() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 4)
            let head = try await world.token(at: 4, caller)
            for seq in 0...4 {
                let token = try await world.token(at: seq, caller)
                for place in Place.allCases {
                    // At the head and at the beginning, the chain alone proves the token.
                    if [0, 4].contains(seq), [.item, .version].contains(place) { continue }
                    let bad = Self.changed(token, place)
                    for (cursor, seen) in [(bad, []), (head, [bad]), (token, [head, bad])] {
                        let delta = try await Self.delta(.token(cursor), seen: seen, world, caller)
                        #expect(delta.isReset && delta.count == 4, "\(place) of seq \(seq)")
                        #expect(delta.next == head)
                    }
                    let polled = DeltaRequest.Cursor.lastSync(Timestamp(seconds: 1_800_000_000))
                    let byTime = try await Self.delta(polled, seen: [bad], world, caller)
                    #expect(byTime.isReset && byTime.count == 4, "\(place) of seq \(seq) by last_sync")
                }
            }
        }
    }

    @Test("A sync token of another account gets the full set")
    func otherAccount() async throws {
        try await World.with { world in
            let (mine, theirs) = (try await Self.account(world, items: 2), try await Self.account(world, items: 2))
            for seq in 0...2 {
                let token = try await world.token(at: seq, theirs)
                #expect(try await Self.delta(.token(token), world, mine).isReset)
            }
        }
    }

    @Test("A cursor of an unknown form gets the full set, with any other parameters")
    func unreadable() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 3)
            for cursor in [DeltaRequest.Cursor.none, .token(try await world.token(at: 2, caller))] {
                var request = DeltaRequest(cursor: cursor)
                request.isUnreadable = true
                let delta = try #require(try await world.servers[0].delta(request, for: caller))
                #expect(delta.isReset && delta.count == 3)
            }
        }
    }

    @Test(
        "A malformed sync token is not parsed",
        arguments: [
            "", "0", "1.2", "0.0123456789abcdef0123456789abcdef.0.", "0.0123456789abcdef0123456789abcdef.0..1",
            "0.0123456789ABCDEF0123456789abcdef.0..", "0.0123456789abcdef0123456789abcde.0..",
            "0.0123456789abcdef0123456789abcdef...", "0.0123456789abcdef0123456789abcdef.0...g",
            "1.0123456789abcdef0123456789abcdef.0..", "-1.0123456789abcdef0123456789abcdef.0..",
            "1.0123456789abcdef0123456789abcdef.0.0a1b2c3d-0000-4000-8000-00000000abcd.0",
            "1.0123456789abcdef0123456789abcdef.0.0a1b2c3d-0000-4000-8000-00000000abcd.1.f.f",
            "0.0123456789abcdef0123456789abcdef.0..~", "0.0123456789abcdef0123456789abcdef.0..~a~b",
            "~0.0123456789abcdef0123456789abcdef.0..",
            "0.0123456789abcdef0123456789abcdef.0..~0.0123456789abcdef0123456789abcdef.0...f",
            "1234567890123456789.0123456789abcdef0123456789abcdef.0.0a1b2c3d-0000-4000-8000-00000000abcd.1",
        ]
    )
    func noToken(text: String) {
        #expect(SyncToken(text) == nil)
    }

    @Test("Pages of a full set ignore seen, which is checked again at their end")
    func fullSet() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 5)
            let bad = try #require(SyncToken.ofAnotherHistory)
            for first in [DeltaRequest.Cursor.none, .token(bad)] {
                var page = try await Self.delta(first, seen: [bad], limit: 2, world, caller)
                #expect(page.isReset && page.hasMore && page.next.isInFullSet)
                page = try await Self.delta(.token(page.next), seen: [bad], limit: 2, world, caller)
                #expect(!page.isReset && page.hasMore && page.next.isInFullSet && page.count == 2)
                page = try await Self.delta(.token(page.next), seen: [bad], limit: 2, world, caller)
                #expect(!page.isReset && !page.hasMore && page.next == page.head && page.count == 1)
                #expect(try await Self.delta(.token(page.next), seen: [bad], limit: 2, world, caller).isReset)
            }
            let lost = try await Self.delta(.none, limit: 2, world, caller).next
            try await world.sql("UPDATE configuration_versions SET chain = uuid_send(gen_random_uuid()) WHERE seq = 2")
            #expect(try await Self.delta(.token(lost), limit: 2, world, caller).isReset)
        }
    }

    @Test("Pages of a delta check seen")
    func pages() async throws {
        try await World.with { world in
            let caller = try await Self.account(world, items: 5)
            let (start, bad) = (try await world.token(at: 1, caller), try #require(SyncToken.ofAnotherHistory))
            let page = try await Self.delta(.token(start), limit: 2, world, caller)
            #expect(!page.isReset && page.hasMore && !page.next.isInFullSet)
            var expected = try await world.token(at: 3, caller)
            expected.readAt = [page.head]
            #expect(page.next == expected)
            #expect(try await Self.delta(.token(page.next), limit: 2, world, caller).isReset == false)
            #expect(try await Self.delta(.token(page.next), seen: [bad], limit: 2, world, caller).isReset)
        }
    }
}
