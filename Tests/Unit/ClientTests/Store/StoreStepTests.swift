import Net
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Steps on the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreStepTests {
    private let given = StoreGiven()

    @Test("A step that throws changes nothing, with the steps within it")
    func rollback() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: "{}"))
        let other = try StoreGiven.item(StoreGiven.otherID, edit: "deletion")
        #expect(throws: ClientError.cancelled) {
            try store.step { () throws(ClientError) in
                try store.save(Item(id: StoreGiven.id))
                try store.save(other)
                throw .cancelled
            }
        }
        #expect(try store.item(StoreGiven.id) != nil)
        #expect(try store.item(StoreGiven.otherID) == nil)
        #expect(try store.account().hash == StoreGiven.hash([StoreGiven.id: "{}"]))
        try store.save(Item(id: StoreGiven.id))
        #expect(try store.item(StoreGiven.id) == nil)
    }

    @Test("The places of a crash are before and after the commit of a whole step")
    func places() throws {
        let given = given
        let seen = Locked<[Bool]>([])
        _ = try given.open()
        let store = try given.open {
            // Another connection sees only what is on disk.
            let isThere = (try? given.open().item(StoreGiven.id)) != nil
            seen.withLock { $0.append(isThere) }
        }
        let item = try StoreGiven.item(copy: "{}")
        try store.step { () throws(ClientError) in
            try store.save(item)
            try store.changeAccount { $0.token = "t" }
        }
        #expect(seen.withLock { $0 } == [false, true])
        _ = try store.item(StoreGiven.id)
        #expect(seen.withLock { $0.count } == 2)
    }

    @Test("An edit of another object is not lost during a step, and is noticed")
    func turns() async throws {
        let (given, first) = (given, try given.open())
        try first.save(StoreGiven.item(copy: #"{"n":0}"#))
        let version = try first.dataVersion()
        // Each on a thread of its own, since the suite is a blocking one.
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<4 { group.addTask { try Self.countUp(try given.open(), 50) } }
            try await group.waitForAll()
        }
        let number = try first.item(StoreGiven.id)?.copy?.document?.object["n"]?.number?.int64
        #expect(number == 200)
        #expect(try first.dataVersion() != version)
    }

    /// Counts up a member of the item.
    private static func countUp(_ store: Store, _ times: Int) throws {
        for _ in 0..<times {
            try store.change(StoreGiven.id) { item throws(ClientError) in
                let number = item.copy?.document?.object["n"]?.number?.int64 ?? 0
                item.copy?.document = try? StoreGiven.document("{\"n\":\(number + 1)}")
            }
        }
    }

    @Test("One sync has the lock at a time, and edits need none")
    func lock() throws {
        let (first, second) = (try given.open(), try given.open())
        var lock = try first.attemptSyncLock()
        #expect(lock != nil)
        #expect(try second.attemptSyncLock() == nil)
        try second.save(StoreGiven.item(copy: "{}"))
        lock = nil
        #expect(try second.attemptSyncLock() != nil)
    }

    @Test("A closed store is not used any more")
    func closed() throws {
        let store = try given.open()
        store.close()
        #expect(throws: ClientError.store(.removed)) { try store.save(StoreGiven.item(copy: "{}")) }
        #expect(throws: ClientError.store(.removed)) { try store.account() }
    }
}
