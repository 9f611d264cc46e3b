import Testing

@testable import CloudSync

/// A restored backup: changes are lost, and their version numbers are used again.
struct LostHistoryTests {
    private static func document(_ name: String, _ edited: Int) throws -> ConfigurationDocument {
        try Document(name, id: WriteRule.id, edited: edited).parsed()
    }

    private static func update(
        _ name: String,
        if conditions: WriteConditions = WriteConditions(),
        _ world: World,
        _ caller: Caller
    ) async throws -> Written<WriteReceipt> {
        try await world.servers[0].update(WriteRule.id, document(name, 9), conditions, for: caller)
    }

    /// Creates an account with an item in version 2 and backs it up.
    private static func account(_ world: World) async throws -> Caller {
        let caller = try await world.newAccount()[0]
        _ = try await world.servers[0].create(document("A", 1), for: caller).get()
        _ = try await world.servers[0].update(WriteRule.id, document("B", 2), for: caller).get()
        try await world.backUp()
        return caller
    }

    @Test("Equal writes at the same time in two copies of one history have different chains and tags")
    func sameWrites() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            // If the head is ahead of the clock, times depend only on the head.
            try await world.putHeadAhead(seconds: 3600)
            try await world.backUp()
            var written: [Written<WriteReceipt>] = []
            for _ in 0..<3 {
                try await world.restoreBackup()
                written.append(try await Self.update("C", world, caller))
                #expect(try await FinalState(of: caller.userID, in: world).irregularities == [])
            }
            let receipts = try written.map { try $0.get() }
            let heads = try written.map { try #require($0.head) }
            #expect(Set(receipts.map(\.version.number)) == [3])
            #expect(Set(receipts.map(\.changedAt)).count == 1)
            #expect(Set(receipts.map(\.version.text)).count == 3)
            #expect(Set(heads.map(\.seq)) == [3])
            #expect(Set(heads.map(\.chain.digits)).count == 3)
        }
    }

    @Test("A client that saw a lost change is reset, and one that did not see it goes on")
    func readers() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            func poll(_ replica: Replica, knowing state: String? = nil) async throws -> Delta? {
                var request = DeltaRequest(cursor: .token(try #require(replica.token)))
                request.knownState = state
                return try await world.servers[1].delta(request, for: caller)
            }
            var (old, lost) = (Replica(), Replica())
            try await world.servers[0].pull(&old, for: caller)
            _ = try await Self.update("lost", world, caller).get()
            try await world.servers[0].pull(&lost, for: caller)
            let state = try await poll(lost)?.state
            try await world.restoreBackup()
            for name in ["C", "D"] {
                #expect(try await poll(lost, knowing: state)?.isReset == true, "before \(name)")
                _ = try await Self.update(name, world, caller).get()
            }
            let goesOn = try #require(try await poll(old))
            #expect(!goesOn.isReset && goesOn.count == 1)
            let end = try await FinalState(of: caller.userID, in: world)
            for var replica in [old, lost] {
                try await world.servers[0].pull(&replica, for: caller)
                #expect(replica.difference(from: end.replica) == [])
                #expect(replica.steppedBack == nil)
            }
        }
    }

    @Test("A client whose write was lost is reset by its Sync-Head, though its older token is valid")
    func writers() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            var replica = Replica()
            try await world.servers[0].pull(&replica, for: caller)
            let token = try #require(replica.token)
            let head = try #require(try await Self.update("lost", world, caller).head)
            func isReset(_ seen: [SyncToken]) async throws -> Bool? {
                let request = DeltaRequest(cursor: .token(token), seen: seen)
                return try await world.servers[1].delta(request, for: caller)?.isReset
            }
            #expect(try await isReset([head]) == false)
            try await world.restoreBackup()
            #expect(try await isReset([head]) == true)
            let next = try #require(try await Self.update("C", world, caller).head)
            #expect(try await isReset([next]) == false)
            #expect(try await isReset([next, head]) == true)
        }
    }

    @Test("Pages begin anew when a change is lost for which the first page has passed an item over")
    func pages() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            _ = try await world.servers[0].batch((0..<3).map { try BatchTests.create("A", $0) }, for: caller)
            try await world.backUp()
            for cursor in [DeltaRequest.Cursor.none, .token(try await world.token(at: 0, caller))] {
                func next(_ cursor: DeltaRequest.Cursor, limit: Int) async throws -> Delta {
                    var request = DeltaRequest(cursor: cursor)
                    request.limit = limit
                    return try #require(try await world.servers[1].delta(request, for: caller))
                }
                _ = try await Self.update("lost", world, caller).get()
                let first = try await next(cursor, limit: 2)
                #expect(first.count == 2 && !first.isReset)
                #expect((0..<first.count).allSatisfy { first[$0].id != WriteRule.id })
                // The page names a change that is not the newest one any more.
                _ = try await Self.update("later", world, caller).get()
                let token = try #require(SyncToken(first.next.text))
                #expect(token == first.next)
                let second = try await next(.token(token), limit: 1)
                #expect(!second.isReset && second.hasMore && second.next.readAt == [second.head])
                try await world.restoreBackup()
                let anew = try await next(.token(token), limit: 9)
                #expect(anew.isReset && anew.count == 4)
            }
        }
    }

    @Test("A lost version is neither a condition nor a merge's base, also if its number is reused")
    func conditions() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let lost = try await Self.update("lost", world, caller).get().version
            try await world.restoreBackup()
            let made = try await Self.update("C", world, caller).get().version
            #expect(made.number == lost.number && made != lost)
            _ = try await Self.update("D", if: .init(ifMatch: .any), world, caller).get()
            let named = WriteConditions(ifMatch: .versions([lost]))
            func refusal<Value>(_ written: Written<Value>) -> WriteConflict.Reason? {
                guard case .failure(.conflict(let conflict)) = written.result else { return nil }
                return conflict.reason
            }
            #expect(refusal(try await Self.update("E", if: named, world, caller)) == .versionMismatch)
            #expect(
                refusal(try await world.servers[0].delete(WriteRule.id, named, for: caller)) == .versionMismatch
            )
            let merge = try await world.servers[0].merging.update(
                WriteRule.id,
                Self.document("E", 9),
                named,
                by: #require(DocumentRules.anything),
                for: caller
            )
            #expect(refusal(merge) == .versionMismatch)
            await #expect(throws: CloudSyncError.self) { try await world.patch(#"{"x":2}"#, named, for: caller) }
            await #expect(throws: CloudSyncError.self) {
                try await world.servers[0].restoring.restore(lost, of: WriteRule.id, for: caller).get()
            }
            #expect(try await world.tags(of: WriteRule.id, caller).count == 4)
        }
    }

    @Test("A repeated deletion deletes if its first answer was of a lost history")
    func deletions() async throws {
        try await World.with { world in
            let caller = try await Self.account(world)
            let named = try await world.ifMatch(2, caller)
            let lost = try await world.servers[0].delete(WriteRule.id, named, for: caller).get()
            try await world.restoreBackup()
            let again = try await world.servers[1].delete(WriteRule.id, named, for: caller).get()
            #expect(again.version.number == 3 && again.version != lost.version)
            #expect(try await world.servers[0].delete(WriteRule.id, named, for: caller).get().version == again.version)
        }
    }
}
