import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Syncs", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct SyncTests {
    private let given = SyncGiven()

    @Test("A sync brings the edits of this device to the server, and the documents of others here")
    func bothWays() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        let mine = try await client.make("mine")
        #expect(try await client.configuration(mine)?.state == .unsent)
        let report = try await client.sync()
        #expect(report == SyncReport(sent: 1, pulled: 1))
        #expect(try await client.names == ["mine", "theirs"])
        #expect(given.names == ["mine", "theirs"])
        let status = try await client.status
        #expect(status.unsent == 0 && status.lastComplete != nil)
        try await client.delete(mine)
        try await client.sync()
        #expect(given.names == ["theirs"])
        #expect(try await client.configuration(mine) == nil)
    }

    @Test("120 edits are sent in three batches")
    func batches() async throws {
        let client = try await given.synced()
        for number in 0..<120 { _ = try await client.make("\(number)") }
        #expect(try await client.sync().sent == 120)
        #expect(given.writes.map(\.name) == Array(repeating: "POST /configurations/batch", count: 3))
        #expect(given.server.documents.count == 120)
    }

    @Test("After 16 writes a pull comes before the next one")
    func manyHeads() async throws {
        let client = try await given.synced { setup, _ in setup.style = .put }
        for number in 0..<20 { _ = try await client.make("\(number)") }
        let first = given.table.requests.count
        try await client.sync()
        let names = given.table.requests[first...].map { $0.name.split(separator: "?")[0] }
        #expect(names.dropFirst().prefix { $0 == "POST /configurations" }.count == 16)
        #expect(given.server.documents.count == 20)
    }

    @Test("An edit that meets a deletion was not taken: it is lost, and counts as no edit that was sent")
    func deletedMeanwhile() async throws {
        let client = try await given.synced()
        let id = try await client.make("one")
        try await client.sync()
        try await client.rename(id, "two")
        given.server.meet(
            "P",
            .given(AnswerTable.problem(409, "configuration-deleted", #","version":"9-aaaaaaaaaaaa""#))
        )
        let report = try await client.sync()
        #expect((report.sent, report.lost) == (0, 1))
        #expect(try await client.names.isEmpty)
    }

    @Test("An edit during its item's write is kept and sent after it")
    func since() async throws {
        let client = try await given.synced()
        let id = try await client.make("one")
        try await client.sync()
        try await client.rename(id, "two")
        // The pull, and then the write.
        let pull = given.gate.close()
        async let report = client.sync()
        try await eventually("the pull") { await pull.count == 1 }
        let write = given.gate.close()
        await pull.open()
        try await eventually("the write") { await write.count == 1 }
        try await client.rename(id, "three")
        await write.open()
        #expect(try await report.sent == 2)
        #expect(try await client.names == ["three"])
        #expect(given.names == ["three"])
        #expect(try await client.lost().isEmpty)
    }

    @Test("Callers during a sync share it")
    func shared() async throws {
        let client = try await given.synced()
        let (before, callers) = (given.table.requests.count, Guarded(0))
        let gate = given.gate.close()
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { _ = try await client.sync() }
            try await eventually("a pull") { await gate.count == 1 }
            for _ in 0..<20 {
                group.addTask {
                    callers.withLock { $0 += 1 }
                    try await client.sync()
                }
            }
            try await eventually("all callers") { callers.withLock { $0 } == 20 }
            guard case .syncing = try await client.status.activity else { throw Program.Failure("no sync") }
            await gate.open()
            try await group.waitForAll()
        }
        // One that comes after the end begins a sync of its own.
        #expect((1...5).contains(given.table.requests.count - before))
    }

    @Test("Two clients of one store sync one after the other")
    func lock() async throws {
        let first = try await given.synced()
        let second = try given.client()
        let id = try await first.make("one")
        let before = given.table.requests.count
        let gate = given.gate.close()
        async let report = first.sync()
        try await eventually("a pull") { await gate.count == 1 }
        async let other = second.sync()
        try await second.rename(id, "two")
        let isBeside = try await happens { given.table.requests.count > before + 1 }
        #expect(!isBeside)
        await gate.open()
        #expect(try await report.sent + other.sent >= 1)
        #expect(given.names == ["two"])
        try await first.sync()
        #expect(try await first.names == ["two"])
        #expect(try await first.status.unsent == 0)
    }

    @Test("A second pull that finds nothing new is a 304, and ends the wait of an item")
    func notModified() async throws {
        let client = try await given.synced()
        let id = try await client.make("one")
        try await client.sync()
        for _ in 0..<2 { try await client.sync() }
        let conditional = given.table.requests.filter { $0.fields["if-none-match"] != nil }
        #expect(!conditional.isEmpty && conditional.allSatisfy { $0.path.contains("sync_token=") })
        try await client.rename(id, "two")
        given.server.meet("PUT", .given(AnswerTable.problem(412, "version-mismatch")))
        try await client.sync()
        #expect(given.names == ["two"])
        given.server.put(id, "three")
        try await client.sync()
        #expect(try await client.names == ["three"])
    }

    @Test("A pull that finds nothing new is no commit within a minute")
    func quietPull() async throws {
        let client = try await given.synced()
        // The answer to the same question has an ETag.
        try await client.sync()
        let folder = try await client.inside { client in try client.openedStore().folder }
        let other = try SQLite(folder + "/store/items.sqlite")
        func version() throws -> [Int64] { try other.rows("PRAGMA data_version") { $0.integer(0) } }
        let before = try version()
        try await client.sync()
        #expect(given.table.requests.last?.fields["if-none-match"] != nil)
        #expect(try version() == before)
        _ = try await client.make("one")
        #expect(try version() != before)
    }

    @Test("A wrong state hash causes one full set, and is told once a day")
    func wrongHash() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        given.server.change { $0.isWrong = true }
        var events = client.events().makeAsyncIterator()
        let before = given.table.requests.count
        #expect(try await client.sync().differsFromServer)
        guard case .differsFromServer? = await events.next() else { throw Program.Failure("no event") }
        #expect(given.table.requests[before...].map(\.path).map { $0.contains("sync_token=") } == [true, false])
        given.server.put(UUID(), "another")
        #expect(try await !client.sync().differsFromServer)
        #expect(given.table.requests.count == before + 3)
        #expect(try await client.names == ["another", "theirs"])
    }

    @Test("A full set for a wrong hash that gets no answer is asked for again")
    func lostFullSet() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        given.server.change { $0.isWrong = true }
        let gate = given.gate.close()
        async let failure = client.syncFailure()
        try await eventually("the pull") { await gate.count == 1 }
        given.server.meet("GET", .lost)
        await gate.open()
        #expect(await failure != nil)
        #expect(given.table.requests.last?.path.contains("sync_token=") == false)
        #expect(try await client.sync().differsFromServer)
    }

    @Test("A pull whose token is forgotten before its first page brings everything")
    func forgottenToken() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        let (before, gate) = (given.table.requests.count, given.gate.close())
        async let report = client.sync()
        try await eventually("the pull") { await gate.count == 1 }
        try await client.inside { client in
            try client.openedStore().changeAccount { ($0.token, $0.etag) = (nil, nil) }
        }
        await gate.open()
        #expect(try await report.pulled == 1)
        #expect(given.table.requests[before...].map(\.path).map { $0.contains("sync_token=") } == [true, false])
    }

    @Test("A token that the server does not take is worth a full set")
    func badToken() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        given.server.meet("GET", .given(AnswerTable.problem(400, "invalid-parameter")))
        try await client.sync()
        #expect(try await client.names == ["theirs"])
    }

    @Test("Whatever is refused is named, and waits for its user")
    func refused() async throws {
        let client = try await given.synced()
        var events = client.events().makeAsyncIterator()
        let id = try await client.make("one")
        given.server.meet("POST", .given(AnswerTable.problem(403, "quota-exceeded")))
        #expect(try await client.sync().refused == 1)
        guard case .refused(id, let problem)? = await events.next() else { throw Program.Failure("no event") }
        #expect(problem.code == "quota-exceeded")
        await #expect(throws: ClientError.refused(problem)) { try await client.synced(id) }
        try await client.rename(id, "two")
        try await client.synced(id)
        #expect(given.names == ["two"])
    }

    @Test("A wait for an edit ends with an error after a log out that discards it")
    func discarded() async throws {
        let client = try await given.synced { _, options in options.pollInterval = .seconds(3600) }
        let id = try await client.make("one")
        let gate = given.gate.close()
        let wait = Task { try await client.synced(id) }
        try await eventually("the sync") { await gate.count == 1 }
        given.table.answer { _ throws(TransportError) in throw .notConnected("test") }
        await client.start()
        async let logOut: Void = client.logOut(.discard)
        try await eventually("the end of the sync") {
            await client.inside { client in client.running?.isCancelled == true }
        }
        await gate.open()
        try await logOut
        await #expect(throws: ClientError.needsLogIn(nil)) { try await wait.value }
        await client.stop()
    }
}
