import CloudSync
import TestSupport
import Testing

/// Deltas too large for one result.
struct DeltaPageTests {
    private static func limits(
        rows: Int = 1000,
        documentBytes: Int = 16384,
        pageBytes: Int = 262_144,
        keptBytes: Int = 1 << 30
    ) -> DeltaLimits {
        var limits = DeltaLimits()
        limits.keptBytes = keptBytes
        limits.rows = rows
        limits.documentBytes = documentBytes
        limits.pageBytes = pageBytes
        return limits
    }

    private static let everything = limits(rows: 1_000_000, documentBytes: 1 << 30)

    private func expectSame(_ pulled: PulledDelta, _ whole: PulledDelta, _ comment: Comment) {
        #expect(whole.delta.isWhole, comment)
        #expect(pulled.items == whole.items, comment)
        #expect(pulled.deleted == whole.deleted, comment)
        #expect(pulled.delta.next == whole.delta.next && pulled.delta.head == whole.delta.head, comment)
        #expect(pulled.delta.hasMore == whole.delta.hasMore && pulled.delta.isReset == whole.delta.isReset, comment)
    }

    @Test("A delta in pages equals the delta at once", arguments: TestRun.cases(5, of: [0, 1, 999, 1000, 1001, 20000]))
    func sameInPages(items: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.fill(caller.userID, items: items)
            let start = DeltaRequest(cursor: .none)
            let whole = try #require(try await world.server(Self.everything).pullAll(start, for: caller))
            #expect(whole.versions.count == items && whole.deleted.count == items / 7)
            for limits in [Self.limits(), Self.limits(rows: 999), Self.limits(pageBytes: 10_000)] {
                let pulled = try #require(try await world.server(limits).pullAll(start, for: caller))
                expectSame(pulled, whole, "\(items) items, \(limits)")
                #expect(pulled.delta.isWhole == (items <= limits.rows))
            }
        }
    }

    @Test(
        "The size of internal pages changes no delta, from any cursor and with any limit",
        arguments: TestRun.cases(2, of: [1, 49, 2, 5, 50])
    )
    func sizes(rows: Int) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.fill(caller.userID, items: 50, deletedEvery: 5)
            let reference = world.server(Self.everything)
            var tokens: [SyncToken] = []
            for seq in [0, 1, 37, 49, 50] { tokens.append(try await world.token(at: seq, caller)) }
            let lost = try #require(SyncToken.ofAnotherHistory)
            let cursors =
                [DeltaRequest.Cursor.none, .token(lost), .lastSync(Timestamp(seconds: 1_700_000_000))]
                + tokens.map { .token($0) }
            for cursor in cursors {
                for limit in [nil, 1, 7, 1000] {
                    let request = DeltaRequest(cursor: cursor, limit: limit)
                    let whole = try #require(try await reference.pullAll(request, for: caller))
                    for limits in [
                        Self.limits(rows: rows), Self.limits(documentBytes: 0, pageBytes: rows * 40),
                        Self.limits(rows: rows, documentBytes: 150, pageBytes: 1),
                        Self.limits(rows: rows, keptBytes: 0),
                    ] {
                        let pulled = try #require(try await world.server(limits).pullAll(request, for: caller))
                        expectSame(pulled, whole, "\(request), \(limits)")
                    }
                }
            }
        }
    }

    @Test("The memory of a delta's page is bounded by rows and by bytes")
    func bounded() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.fill(caller.userID, items: 2000)
            let server = world.server(Self.limits(rows: 100, pageBytes: 5000))
            let delta = try #require(try await server.delta(DeltaRequest(cursor: .none), for: caller))
            #expect(delta.count == 100 && !delta.isListed)
            var pages = try server.pages(.documents, of: delta, for: caller)
            while let page = try await pages.next() {
                let bytes = (0..<page.count).map { page[$0].document?.count ?? 0 }
                #expect(page.count <= 100 && bytes.dropLast().reduce(0, +) < 5000)
            }
        }
    }

    @Test("Documents of a first result that is too large to keep are read again in pages")
    func largeFirstResult() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.fill(caller.userID, items: 2000)
            let start = DeltaRequest(cursor: .none)
            let whole = try #require(try await world.server(Self.everything).pullAll(start, for: caller))
            let kept = try #require(try await world.server(Self.limits()).delta(start, for: caller))
            let limits = Self.limits(keptBytes: kept.memoryBytes - 1)
            let pulled = try #require(try await world.server(limits).pullAll(start, for: caller))
            expectSame(pulled, whole, "\(limits)")
            #expect(kept.documentCount == 1000 && pulled.delta.documentCount == 0)
            #expect(kept.memoryBytes > pulled.delta.memoryBytes + 100_000)
            // A complete delta is sent at once, in one round trip at any size.
            let small = try await world.server(Self.limits(keptBytes: 0)).delta(
                DeltaRequest(cursor: .token(kept.head)),
                for: caller
            )
            #expect(small?.isWhole == true)
        }
    }

    @Test("Writes during the reading of a delta's pages appear in the next delta only")
    func oneState() async throws {
        try await World.with { world in
            for rows in [1, 3, 8] {
                let caller = try await world.newAccount()[0]
                for number in 0..<20 {
                    let document = Document("first \(number)", id: Self.id(number), edited: 1)
                    _ = try await world.servers[0].create(document.parsed(), for: caller).get()
                }
                _ = try await world.servers[0].delete(Self.id(3), for: caller).get()
                let whole = try #require(
                    try await world.server(Self.everything).pullAll(DeltaRequest(cursor: .none), for: caller)
                )
                var writes = 0
                let pulled = try #require(
                    try await world.server(Self.limits(rows: rows)).pullAll(DeltaRequest(cursor: .none), for: caller) {
                        writes += 1
                        try await Self.change(writes, world, caller)
                    }
                )
                expectSame(pulled, whole, "pages of \(rows)")
                #expect(try pulled.computedHash() == pulled.delta.stateHash, "pages of \(rows)")
                var replica = Replica()
                replica.store(pulled)
                try await world.servers[1].pull(&replica, for: caller)
                let end = try await FinalState(of: caller.userID, in: world)
                #expect(replica.difference(from: end.replica) == [], "pages of \(rows)")
            }
        }
    }

    /// Makes one of these changes in turn: changes or deletes an item already sent or not yet sent, creates a new item,
    /// or restores a deleted item.
    private static func change(_ number: Int, _ world: World, _ caller: Caller) async throws {
        let server = world.servers[number % 2]
        let revived = Document("revived \(number)", id: id(3), edited: number)
        switch number % 5 {
        case 0: _ = try await server.create(Document("new", id: id(40 + number), edited: 1).parsed(), for: caller).get()
        case 1 where number == 1:
            let conditions = try await world.ifMatch(2, of: id(3), caller)
            _ = try await server.update(id(3), revived.parsed(), conditions, for: caller).get()
        case 1: _ = try await server.update(id(3), revived.parsed(), for: caller).get()
        case 2: _ = try await server.delete(id(19 - number % 4), for: caller).get()
        default:
            let (target, edited) = (id(number * 7 % 15), 1000 + number)
            if target == id(3) { return }
            _ = try await server.update(target, Document("again", id: target, edited: edited).parsed(), for: caller)
                .get()
        }
    }

    private static func id(_ number: Int) -> String {
        let digits = String(number)
        return "0A1B2C3D-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    @Test("A delta whose state can't be read to its end fails instead of ending early", arguments: Break.all)
    func broken(reason: Break) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await world.fill(caller.userID, items: 30)
            var pages = 0
            let error = await #expect(throws: (any Error).self) {
                try await world.server(Self.limits(rows: 5)).pullAll(DeltaRequest(cursor: .none), for: caller) {
                    pages += 1
                    if pages == 3 { try await world.sql(reason.sql(caller)) }
                }
            }
            #expect(pages == 3 && "\(error.map { "\($0)" } ?? "")".contains(reason.error))
        }
    }

    struct Break: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let error: String
        let sql: @Sendable (Caller) -> String

        static let all = [
            Break(testDescription: "another change at the head", error: "another history") {
                "UPDATE sync_heads SET chain = uuid_send(gen_random_uuid()) WHERE user_id = '\($0.userID)'"
            },
            Break(testDescription: "a history that has lost the head, and gone on", error: "another history") {
                """
                UPDATE configuration_versions SET chain = uuid_send(gen_random_uuid())
                WHERE user_id = '\($0.userID)' AND seq = 30;
                UPDATE sync_heads SET seq = 31, chain = uuid_send(gen_random_uuid()) WHERE user_id = '\($0.userID)'
                """
            },
            Break(testDescription: "the session ended", error: "session-ended") {
                "UPDATE sessions SET ended_at = now() WHERE id = '\($0.sessionID)'"
            },
            Break(testDescription: "a document was replaced and its history cut", error: "history was cut") {
                """
                UPDATE configuration_versions SET document = NULL WHERE user_id = '\($0.userID)';
                UPDATE configurations SET seq = seq + 100, changed_at = now() WHERE user_id = '\($0.userID)' AND seq = 20
                """
            },
        ]
    }
}
