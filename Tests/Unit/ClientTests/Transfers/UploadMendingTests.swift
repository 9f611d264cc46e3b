import Foundation
import NeuroViewsJSON
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Uploads whose store fails", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct UploadMendingTests {
    /// Makes a column of the upload bad, and meets it.
    private func spoil(_ column: String, _ fixture: UploadFixture) throws {
        let raw = try SQLite(fixture.store.folder + "/store/items.sqlite")
        try raw.run("UPDATE upload SET \(column) = zeroblob(40) WHERE added = 1")
        let error = #expect(throws: ClientError.self) { try fixture.store.uploads() }
        guard case .store(.unreadable) = error else { throw Program.Failure("\(String(describing: error))") }
    }

    @Test("Metadata that can't be read fail their upload alone, and the store stays", arguments: UploadPhase.allCases)
    func metadata(phase: UploadPhase) async throws {
        let fixture = try UploadFixture()
        try fixture.change { $0.phase = phase }
        var other = try fixture.row()
        other = UploadRow(
            id: UUID(),
            path: other.path,
            identity: other.identity,
            type: other.type,
            metadata: other.metadata,
            addedMs: 2
        )
        other.phase = .failed
        other.failure = .otherDigest
        var mended: [Mended] = []
        fixture.store.onMended = { mended.append($0) }
        try fixture.store.save(other)
        try spoil("metadata", fixture)
        let row = try fixture.stored
        // The server has the file, and needs no metadata.
        let goesOn = [.verifying, .done].contains(phase)
        #expect(row.phase == (goesOn ? phase : .failed))
        #expect(row.failure == (goesOn ? nil : .unreadable))
        #expect(mended.flatMap(\.uploads).map(\.id) == (goesOn ? [] : [fixture.id]))
        #expect(try fixture.store.upload(other.id) == other)
    }

    @Test("A reason of a failure that can't be read leaves the metadata alone")
    func problem() throws {
        let fixture = try UploadFixture()
        try fixture.change { $0.phase = .failed }
        try spoil("problem", fixture)
        var expected = try fixture.row()
        expected.phase = .failed
        #expect(try fixture.stored == expected)
    }

    @Test("A row without a file, which nobody could go on with, goes")
    func rest() throws {
        let fixture = try UploadFixture()
        let raw = try SQLite(fixture.store.folder + "/store/items.sqlite")
        try raw.run("UPDATE upload SET size = -1")
        #expect(throws: ClientError.self) { try fixture.store.uploads() }
        #expect(try fixture.store.uploads().isEmpty)
    }

    @Test("An upload that can't be read is begun anew by the same call, and resumed by none")
    func again() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let folder = Sandbox.makeFolder()
        let client = try await Given.client(table, folder: folder)
        let (file, id) = (URL(fileURLWithPath: folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        await client.stopTransfers()
        try await client.inside { client in
            let store = try client.openedStore()
            try store.run("UPDATE upload SET metadata = zeroblob(40)")
            #expect(throws: ClientError.self) { try store.uploads() }
        }
        #expect(try await client.upload(id)?.state == .failed(.unreadable))
        await #expect(throws: ClientError.self) { try await client.resumeUpload(id) }
        var metadata = RecordingMetadata()
        metadata.cameraPosition = "back"
        #expect(try await client.upload(file, metadata, id: id).state.isOver == false)
        await client.stopTransfers()
        let stored = try await client.inside { client in try client.openedStore().upload(id)?.metadata.cameraPosition }
        #expect(stored == "back")
    }

    /// Lets each write of an upload fail.
    private static let noRoom =
        "CREATE TRIGGER no_room BEFORE INSERT ON upload BEGIN SELECT RAISE(ABORT, 'full'); END"

    /// A started client with an upload, whose store `breaks` has spoiled.
    private func failing(_ given: SyncGiven, _ breaks: String, pauseMaxMs: Int64) async throws -> NeuroViews {
        let client = try await given.synced { setup, _ in setup.pauseMaxMs = pauseMaxMs }
        given.table.answer { _ throws(TransportError) in throw .notConnected("test") }
        let file = URL(fileURLWithPath: given.folder + "/a.mp4")
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata())
        await client.stopTransfers()
        try await client.inside { client in try client.openedStore().run(breaks) }
        await client.start()
        return client
    }

    /// The number of requests of the upload so far.
    private func attempts(_ given: SyncGiven) -> Int { given.table.names.count { $0.hasSuffix("/upload-url") } }

    @Test("An upload whose store failed goes on by itself when the store works again", arguments: [true, false])
    func storeFailure(isListed: Bool) async throws {
        let given = SyncGiven()
        let breaks = isListed ? Self.noRoom : "ALTER TABLE upload RENAME TO away"
        let mends = isListed ? "DROP TRIGGER no_room" : "ALTER TABLE away RENAME TO upload"
        let client = try await failing(given, breaks, pauseMaxMs: 20)
        try await eventually("several failures") {
            await client.inside { client in client.transfers.waiting.failures.values.contains { $0 > 2 } }
        }
        let before = attempts(given)
        try await client.inside { client in try client.openedStore().run(mends) }
        try await eventually("an attempt") { attempts(given) > before }
        await client.stop()
    }

    @Test("A client that was stopped begins no upload whose store failed")
    func stoppedAfterFailure() async throws {
        let given = SyncGiven()
        let client = try await failing(given, Self.noRoom, pauseMaxMs: 200)
        try await eventually("a failure") { try await client.uploads().contains { $0.interruption != nil } }
        await client.stop()
        let before = attempts(given)
        try await client.inside { client in try client.openedStore().run("DROP TRIGGER no_room") }
        let goesOn = try await happens(withinMs: 600) { attempts(given) > before }
        #expect(!goesOn)
    }

    @Test("Only local files can be uploaded, and only metadata that can be stored")
    func arguments() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let client = try await Given.client(table)
        for text in ["https://example.org/etc/passwd", "file:///etc/passwd%00.mp4"] {
            let file = try #require(URL(string: text))
            let error = await #expect(throws: ClientError.self) { try await client.upload(file, RecordingMetadata()) }
            guard case .invalidArgument = error else { throw Program.Failure("\(String(describing: error))") }
        }
        var metadata = RecordingMetadata()
        metadata.frameRate = .nan
        let refused = ClientError.invalid(InvalidEdit(pointer: "/frame_rate", reason: .notFinite))
        await #expect(throws: refused) { try await client.upload(URL(fileURLWithPath: "/etc/passwd"), metadata) }
    }
}
