import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Pauses and repetitions of syncs", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct PauseTests {
    private let given = SyncGiven()

    @Test("A sync within a pause sends nothing, and the user's sync ends a pause of the client's own")
    func ownPause() async throws {
        let client = try await given.synced { setup, _ in setup.pauseMaxMs = 300_000 }
        // Each pause is twice as long as the one before: the last one is 10 s at least.
        for _ in 0..<5 {
            given.server.meet("GET", .unreached)
            #expect(await client.syncFailure() == .offline(.notConnected("nobody listens")))
        }
        let before = given.table.requests.count
        let outcome = await client.sharedSync(endsPause: false)
        #expect(outcome.failure == .offline(.notConnected("nobody listens")) && outcome.wait != nil)
        #expect(given.table.requests.count == before)
        guard case .paused = try await client.status.activity else { throw Program.Failure("no pause") }
        try await client.sync()
        #expect(given.table.requests.count == before + 1)
    }

    @Test("A 304 to a pull without If-None-Match is not the server's")
    func unasked() async throws {
        let client = try await given.synced()
        given.server.put(UUID(), "theirs")
        let token = try await client.inside { try $0.openedStore().account().token }
        try await client.inside { try $0.openedStore().changeAccount { ($0.token, $0.etag) = (nil, "\"1-\"") } }
        given.server.meet("GET", .given(TransferAnswer(status: 304, fields: [], body: [])))
        guard case .unexpectedAnswer? = await client.syncFailure() else { throw Program.Failure("no failure") }
        #expect(token != nil && given.table.requests.last?.fields["if-none-match"] == nil)
        try await client.sync()
        #expect(try await client.names == ["theirs"])
    }

    @Test("The user's sync does not end a pause that the server has asked for")
    func serversPause() async throws {
        let client = try await given.synced()
        let busy = AnswerTable.json(503, #"{"type":"https://x/problems/overloaded"}"#, [("Retry-After", "120")])
        given.server.meet("GET", .given(busy))
        #expect(await client.syncFailure()?.retryAfterSeconds == 120)
        let before = given.table.requests.count
        for _ in 0..<2 {
            let left = try #require(await client.syncFailure()?.retryAfterSeconds)
            #expect((1...120).contains(left))
            await client.networkIsBack()
        }
        #expect(given.table.requests.count == before)
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        try await client.sync()
    }

    @Test("A refused pull is told, and the next one begins anew after a minute")
    func refusedPull() async throws {
        let client = try await given.synced { setup, _ in setup.pauseMaxMs = 300_000 }
        given.server.meet("GET", .given(AnswerTable.problem(403, "forbidden")))
        let outcome = await client.sharedSync(endsPause: true)
        guard case .refused(let problem)? = outcome.failure else { throw Program.Failure("no refusal") }
        #expect(problem.code == "forbidden" && outcome.wait == .seconds(60))
    }

    @Test("A write whose answer was lost is repeated as it was, also by the next process")
    func repetition() async throws {
        let client = try await given.synced()
        let ids = [try await client.make("one"), try await client.make("two")]
        given.server.meet("POST", .lost)
        #expect(await client.syncFailure() != nil)
        let next = try given.client()
        try await next.rename(ids[0], "three")
        try await next.sync()
        let (first, again) = (given.writes[0], given.writes[1])
        #expect(first.body == again.body && first.name == again.name)
        #expect(first.fields["idempotency-key"] == again.fields["idempotency-key"])
        #expect(first.fields["x-nonce"] != again.fields["x-nonce"])
        #expect(given.names == ["three", "two"])
    }

    @Test("The tenth try of a write is the last one if the server answers another request", arguments: [true, false])
    func tenthTry(isServed: Bool) async throws {
        let client = try await given.synced()
        let id = try await client.make("one")
        for _ in 0..<9 {
            given.server.meet("POST", .unreached)
            #expect(await client.syncFailure() != nil)
        }
        given.server.meet("POST", .unreached)
        if !isServed { given.server.meet("GET /configurations?limit=1", .unreached) }
        let outcome = await client.sharedSync(endsPause: true)
        #expect((outcome.failure == nil) == isServed)
        #expect(given.table.requests.contains { $0.path == "/configurations?limit=1" })
        let state = try await client.configuration(id)?.state
        if case .refused? = state { #expect(isServed) } else { #expect(!isServed && state == .unsent) }
        let isUnsure = try await client.inside { try $0.openedStore().item(id.uuidString.lowercased())?.isUnsure }
        #expect(isUnsure == isServed)
    }

    @Test("A pull that was interrupted goes on with the same page, and a new process begins anew")
    func pages() async throws {
        let client = try await given.synced { setup, _ in setup.limit = 2 }
        for number in 0..<5 { given.server.put(UUID(), "\(number)") }
        given.server.meet("GET /configurations?sync_token=t2", .lost)
        #expect(await client.syncFailure() != nil)
        #expect(try await client.names.isEmpty)
        let before = given.table.requests.count
        let next = try given.client { setup, _ in setup.limit = 2 }
        try await client.sync()
        #expect(given.table.requests[before].path.hasPrefix("/configurations?sync_token=t2"))
        #expect(try await client.names.count == 5)
        #expect(try await next.names.count == 5)
    }

    @Test("A pull of another process meanwhile voids the pages of an interrupted one")
    func voidPages() async throws {
        let client = try await given.synced { setup, _ in setup.limit = 2 }
        let ids = (0..<5).map { _ in UUID() }
        for id in ids { given.server.put(id, "old") }
        given.server.meet("GET /configurations?sync_token=t2", .lost)
        #expect(await client.syncFailure() != nil)
        let other = try given.client()
        try await other.sync()
        for id in ids { given.server.put(id, "new") }
        try await other.sync()
        try await client.sync()
        #expect(try await client.names == Array(repeating: "new", count: 5))
        #expect(try await other.names == Array(repeating: "new", count: 5))
    }

    @Test("After an answer that is too large, pages have fewer items, down to one")
    func largePages() async throws {
        let client = try await given.synced()
        for number in 0..<60 { given.server.put(UUID(), "\(number)") }
        takeAtMost(2048)
        let before = given.table.requests.count
        try await client.sync()
        #expect(try await client.names.count == 60)
        let paths = given.table.requests[before...].map(\.path).filter { $0.hasPrefix("/configurations") }
        #expect(paths.map { $0.split(separator: "=").last }.prefix(4) == ["t0", "500", "50", "5"])
        #expect(paths.count(where: { $0.hasSuffix("limit=5") }) == 12)
        given.server.put(UUID(), String(repeating: "x", count: 2048))
        #expect(await client.syncFailure() == .answerTooLarge(maxBytes: 2048))
        takeAtMost(4096)
        _ = await client.sharedSync(endsPause: true)
        #expect(try await client.names.count == 61)
    }

    private func takeAtMost(_ bytes: Int) {
        given.table.answer { [server = given.server] request throws(TransportError) in
            let answer = try server.answer(request)
            guard answer.body.count <= bytes else { throw .tooLarge(maxBytes: bytes) }
            return answer
        }
    }

    @Test("The timer of a client that was stopped begins no sync")
    func lateTimer() async throws {
        let client = try await given.synced()
        let before = given.table.requests.count
        let timer = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await client.endTimer(isBack: false)
        }
        await timer.value
        #expect(given.table.requests.count == before)
    }

    @Test("A start during a stop counts: uploads go on")
    func startDuringStop() async throws {
        let client = try await given.synced { _, options in options.pollInterval = .seconds(3600) }
        given.table.answer { [server = given.server] request throws(TransportError) in
            if request.path.hasPrefix("/recordings") { throw .notConnected("test") }
            return try server.answer(request)
        }
        let gate = given.gate.close()
        await client.start()
        try await eventually("the pull") { await gate.count == 1 }
        async let stop: Void = client.stop()
        try await eventually("the stop") { await client.inside { client in !client.core.isStarted } }
        await client.start()
        let file = URL(fileURLWithPath: given.folder + "/a.mp4")
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata())
        try await eventually("an attempt") { uploadAttempts > 0 }
        await gate.open()
        await stop
        let before = uploadAttempts
        try await eventually("another attempt") { uploadAttempts > before }
        await client.stop()
    }

    @Test("After a failed deletion of the account, a stopped client goes on with the uploads that ran, and no other")
    func failedDeletion() async throws {
        let client = try await given.synced()
        given.table.answer { [server = given.server] request throws(TransportError) in
            if request.path.hasPrefix("/recordings") { throw .notConnected("test") }
            return try server.answer(request)
        }
        let wrong = AnswerTable.problem(401, "credentials-invalid")
        given.server.meet("DELETE /account", .given(wrong), .given(wrong))
        let (file, id) = (URL(fileURLWithPath: given.folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        try await eventually("an attempt") { uploadAttempts > 0 }
        await client.stop()
        let before = uploadAttempts
        await #expect(throws: ClientError.self) { try await client.deleteAccount(.password("wrong")) }
        let goesOn = try await happens { uploadAttempts > before }
        #expect(!goesOn)
        try await client.resumeUpload(id)
        await #expect(throws: ClientError.self) { try await client.deleteAccount(.password("wrong")) }
        let resumed = uploadAttempts
        try await eventually("another attempt") { uploadAttempts > resumed }
        await client.stop()
    }

    private var uploadAttempts: Int { given.table.names.count { $0.hasSuffix("/upload-url") } }

    @Test("A log in during a sync is followed by another sync at once")
    func logInMeanwhile() async throws {
        let client = try await given.synced { _, options in options.pollInterval = .seconds(3600) }
        let gate = given.gate.close()
        await client.start()
        try await eventually("the pull") { await gate.count == 1 }
        let before = given.pulls
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        await gate.open()
        try await eventually("another pull") { given.pulls > before }
        await client.stop()
    }

    @Test("A started client syncs at once, after an edit, and again after the interval; a stopped one does not")
    func started() async throws {
        let client = try await given.synced { _, options in options.pollInterval = .seconds(1) }
        _ = try await client.make("one")
        await client.start()
        try await eventually("the edit") { given.names == ["one"] }
        _ = try await client.make("two")
        try await eventually("the second edit") { given.names == ["one", "two"] }
        let before = given.table.requests.count
        try await eventually("a poll") { given.table.requests.count > before }
        await client.stop()
        guard case .stopped = try await client.status.activity else { throw Program.Failure("not stopped") }
    }
}
