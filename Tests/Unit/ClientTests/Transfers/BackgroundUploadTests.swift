import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Uploads while the app sleeps", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct BackgroundUploadTests {
    /// An upload by the system's session.
    private func given(
        holds: Bool = false,
        version: Int = 8,
        _ change: (inout FakeUploads.State) -> Void = { _ in }
    ) throws -> (UploadFixture, SystemStandIn) {
        let fixture = try UploadFixture(change)
        let system = SystemStandIn(fixture.uploads, version: version, holds: holds)
        fixture.background = system.uploads(fixture.folder + "/pieces")
        return (fixture, system)
    }

    private func pieces(_ folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: folder + "/pieces")) ?? []
    }

    /// The app is killed when the system has so many tasks, and started again.
    private func kill(_ fixture: UploadFixture, _ system: SystemStandIn, tasks: Int) async throws {
        nonisolated(unsafe) let app = fixture
        let run = Task { _ = try? await app.run() }
        try await eventually { system.begun.count == tasks }
        run.cancel()
        await run.value
        try fixture.reopen()
        fixture.background = system.uploads(fixture.folder + "/pieces")
    }

    /// Runs the upload; the system goes on when the app waits for it.
    private func end(_ fixture: UploadFixture, _ system: SystemStandIn) async throws {
        nonisolated(unsafe) let app = fixture
        let run = Task { _ = try? await app.run() }
        let ends = try #require(fixture.background).ends
        try await eventually { !ends.awaited.isEmpty }
        system.release()
        await run.value
    }

    @Test("The system gets the file itself, once and without a copy")
    func whole() async throws {
        let (fixture, system) = try given()
        #expect(try await fixture.run().phase == .done)
        #expect(system.begun.map(\.file) == [fixture.file.path] && system.begun[0].request.method == "PUT")
        #expect(system.begun[0].request.fields.isEmpty, "the system adds those of its own draft")
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
        #expect(pieces(fixture.folder).isEmpty)
    }

    @Test(
        "After a cut the rest goes in pieces of a bounded size, whose files are removed, and no byte is sent twice",
        arguments: [8, 3]
    )
    func cut(version: Int) async throws {
        let (fixture, _) = try given(version: version) { $0.cuts = [60_000] }
        var stored: [Int64] = []
        let row = try await fixture.run { row in
            if row.phase == .sending, row.sent > 0 { stored.append(row.sent) }
        }
        #expect(row.phase == .done && stored == [60_000, 110_000, 160_000, 200_000], "each acknowledged piece")
        let sent = fixture.uploads.requests("PATCH")
        #expect(sent.map(\.bodyBytes) == [50_000, 50_000, 40_000, 0])
        #expect(sent.map { $0.fields["Tus-Resumable"] } == ["1.0.0", "1.0.0", "1.0.0", nil])
        #expect(sent.last?.fields["Upload-Complete"] == "?1")
        #expect(fixture.uploads.state.withLock { $0.sentBytes } == 200_000)
        #expect(fixture.uploads.state.withLock { $0.stored } == fixture.content)
        #expect(pieces(fixture.folder).isEmpty)
    }

    @Test("A run after the app was killed waits for what the system still sends, and sends none of it again")
    func relaunched() async throws {
        let (fixture, system) = try given(holds: true)
        try await kill(fixture, system, tasks: 1)
        #expect(try fixture.stored.phase == .sending)
        try await end(fixture, system)
        #expect(try fixture.stored.phase == .done)
        #expect(system.begun.count == 1 && fixture.uploads.requests("PATCH").isEmpty)
        #expect(fixture.phases == [.hashing, .queued, .sending, .completing, .verifying, .done])
    }

    @Test("Three parts at most are under way, and an app that was killed sends none of them again")
    func parts() async throws {
        let (fixture, system) = try given(holds: true) { $0.partSize = 50_000 }
        try await kill(fixture, system, tasks: 3)
        #expect(await system.labels().count == 3 && pieces(fixture.folder).count == 3)
        try await end(fixture, system)
        #expect(try fixture.stored.phase == .done)
        #expect(fixture.uploads.requests("PUT").count == 4)
        #expect(fixture.uploads.state.withLock { $0.sentBytes } == 200_000)
        #expect(fixture.uploads.state.withLock { $0.joined } == fixture.content)
        #expect(pieces(fixture.folder).isEmpty)
    }

    @Test("A task that ended while the app was away is not waited for: the server says what it brought")
    func ended() async throws {
        let (fixture, system) = try given(holds: true) { $0.cuts = [60_000] }
        try await kill(fixture, system, tasks: 1)
        system.release()
        try await eventually { await system.labels().isEmpty }
        // The app starts without a report.
        fixture.background = system.uploads(fixture.folder + "/pieces")
        #expect(try await fixture.run().phase == .done)
        let offsets = fixture.uploads.requests("PATCH").map { $0.fields["Upload-Offset"] }
        #expect(offsets == ["60000", "110000", "160000", "200000"])
        #expect(fixture.phases.filter { $0 == .queued }.count == 2, "nothing of it was under way")
    }

    @Test("A disk without room for a piece makes the upload wait")
    func full() async throws {
        let (fixture, system) = try given { $0.cuts = [60_000] }
        fixture.background = system.uploads("/proc/nothing")
        let row = try await fixture.run { row in
            if row.phase == .waiting { #expect((try? fixture.take(.paused)) == true) }
        }
        #expect(row.phase == .paused && row.sent == 60_000)
        guard case .offline(.other) = fixture.reasons.first else {
            Issue.record("\(fixture.reasons)")
            return
        }
    }

    @Test("Nobody waits for reports that another client of the store gets now")
    func abandoned() async throws {
        let ends = TaskEnds()
        async let end = ends.end(of: "a task") { _ in }
        try await eventually { !ends.awaited.isEmpty }
        ends.abandon()
        guard case .failure(.cancelled) = await end else {
            Issue.record("the wait has another end")
            return
        }
        guard case .failure(.cancelled) = await ends.end(of: "a later one", { _ in }) else {
            Issue.record("a later wait has another end")
            return
        }
    }

    @Test("A client whose reports another one gets begins no task, and ends its run")
    func abandonedRun() async throws {
        let (fixture, system) = try given()
        try #require(fixture.background).ends.abandon()
        #expect(try await fixture.run().phase == .sending)
        #expect(system.begun.isEmpty)
    }

    @Test("A store that is closed ends its tasks and begins no others, and the next one uses its session again")
    func closed() async throws {
        let (fixture, system) = try given(holds: true)
        try await kill(fixture, system, tasks: 1)
        let closed = try #require(fixture.background)
        closed.close()
        #expect(await system.labels().isEmpty)
        let request = TransferRequest("PUT", FakeUploads.location)
        let label = BackgroundLabel(upload: fixture.id, offset: 0)
        guard case .failure(.cut) = await closed.send(request, file: fixture.file.path, label, { _ in }) else {
            Issue.record("the task has another end")
            return
        }
        #expect(system.begun.count == 1)
        fixture.background = system.uploads(fixture.folder + "/pieces")
        try await end(fixture, system)
        #expect(try fixture.stored.phase == .done && system.begun.count == 2)
    }

    @Test("Labels name an upload and a place in it, and those of others are none")
    func labels() throws {
        let label = BackgroundLabel(upload: UUID(), offset: 1 << 40)
        #expect(BackgroundLabel(label.text) == label)
        for text in ["", "x_1", "\(UUID())", "\(UUID())_-1", "\(UUID())_1_2", "\(UUID())_x"] {
            #expect(BackgroundLabel(text) == nil, "\(text)")
        }
    }
}

@Suite("The app and the system's session", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct BackgroundWakeTests {
    private static let parts = (1...4).map {
        #"{"number":\#($0),"size":1000,"url":"http://127.0.0.1/store?part=\#($0)"}"#
    }

    /// A client that is logged in, whose system holds back what it gets: parts for a store. The first `failures` requests for URLs
    /// do not arrive.
    private func given(_ folder: String, failures: Int = 0) async throws -> (NeuroViews, SystemStandIn) {
        let tries = Counter()
        let multipart = #"{"part_size":1000,"parts":[\#(Self.parts.joined(separator: ","))]}"#
        let grant = #"{"upload_url":"http://127.0.0.1/store","upload_offset":0,"multipart":\#(multipart)}"#
        let table = AnswerTable { request throws(TransportError) in
            guard request.path.hasSuffix("upload-url"), tries.add() > failures else { throw .notConnected("test") }
            return AnswerTable.json(200, grant)
        }
        let system = SystemStandIn(table, holds: true)
        var (options, setup) = (Options(), ClientSetup())
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = FileSecretStore(folder: folder + "/secrets")
        options.uploadsWhileAsleep = true
        (setup.transport, setup.systemID) = (table, "this one")
        setup.backgroundSession = { [system] _, ends in
            system.report(to: ends)
            return system
        }
        let client = try NeuroViews(server: #require(URL(string: "https://cloud.example.org")), options, setup)
        _ = try await client.logIn(with: .password(email: "a@example.org", password: "secret"))
        return (client, system)
    }

    private func upload(_ client: NeuroViews, _ folder: String, id: UUID = UUID()) async throws -> UUID {
        try Data(repeating: 7, count: 4000).write(to: file(folder, id))
        return try await client.upload(file(folder, id), RecordingMetadata(), id: id).id
    }

    private func file(_ folder: String, _ id: UUID) -> URL { URL(fileURLWithPath: "\(folder)/\(id).mp4") }

    private func identifier(_ client: NeuroViews) async -> String? {
        await client.inside { client in client.core.account?.background?.identifier }
    }

    @Test("Two folders of an account have sessions of their own, and a folder has the same one at each launch")
    func folders() async throws {
        let folders = [Sandbox.makeFolder(), Sandbox.makeFolder()]
        var names: [String?] = []
        for folder in folders + folders {
            let (client, _) = try await given(folder)
            names.append(await identifier(client))
        }
        #expect(names[0] != nil && names[0] != names[1])
        #expect(names.prefix(2) == names.suffix(2))
    }

    @Test("The tasks of an upload that its user pauses end, and their files go")
    func orphans() async throws {
        let folder = Sandbox.makeFolder()
        let (client, system) = try await given(folder)
        let id = try await upload(client, folder)
        try await eventually { await system.labels().count == 3 }
        let pieces = try await client.inside { client in try client.openedStore().folder } + "/pieces"
        #expect(try FileManager.default.contentsOfDirectory(atPath: pieces).count == 3)
        try await client.pauseUpload(id)
        try await eventually {
            let rest = try FileManager.default.contentsOfDirectory(atPath: pieces)
            return await system.labels().isEmpty && rest.isEmpty
        }
        // Stopping the client leaves the system's part alone.
        try await client.resumeUpload(id)
        try await eventually { await system.labels().count == 3 }
        await client.stop()
        #expect(await system.labels().count == 3)
    }

    @Test("The tasks of an upload whose file was changed end")
    func changedFile() async throws {
        let folder = Sandbox.makeFolder()
        let (client, system) = try await given(folder)
        let id = try await upload(client, folder)
        try await eventually { await system.labels().count == 3 }
        await client.stop()
        try Data(repeating: 8, count: 5000).write(to: file(folder, id))
        await client.start()
        try await eventually { await system.labels().isEmpty }
        #expect(try await client.upload(id)?.state == .failed(.fileChanged))
        await client.stop()
    }

    @Test("An app that uploads while it sleeps no more removes the pieces of its former version")
    func optionTurnedOff() async throws {
        let folder = Sandbox.makeFolder()
        let (client, system) = try await given(folder)
        _ = try await upload(client, folder)
        try await eventually { await system.labels().count == 3 }
        await client.stop()
        let pieces = try await client.inside { client in try client.openedStore().folder } + "/pieces"
        #expect(try FileManager.default.contentsOfDirectory(atPath: pieces).count == 3)
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let next = try Given.client(table, at: folder)
        #expect(try FileManager.default.contentsOfDirectory(atPath: pieces).isEmpty)
        #expect(try await next.uploads().count == 1)
    }

    @Test("An app that was woken stays awake for a short pause, until the system has the parts")
    func pause() async throws {
        let folder = Sandbox.makeFolder()
        let (client, system) = try await given(folder, failures: 2)
        _ = try await upload(client, folder)
        try await eventually { try await client.uploads().first?.state == .waiting }
        system.deliver()
        await client.wake(try #require(await identifier(client)))
        #expect(await system.labels().count == 3)
        await client.stop()
    }

    @Test("The app may sleep again when the system has the next parts, and the session of others is left alone")
    func wake() async throws {
        let folder = Sandbox.makeFolder()
        let (client, system) = try await given(folder)
        _ = try await upload(client, folder, id: try Given.id("a"))
        try await eventually { await system.labels().count == 3 }
        // It has the lock of the first one, and waits for its end.
        _ = try await upload(client, folder, id: try Given.id("a"))
        await client.wake("of another library")
        let identifier = await identifier(client)
        system.deliver()
        let begin = ContinuousClock.now
        await client.wake(try #require(identifier))
        #expect(ContinuousClock.now - begin < .seconds(20))
        #expect(identifier?.hasSuffix("/" + AnswerTable.user.uuidString.lowercased()) == true)
        await client.stop()
    }
}
