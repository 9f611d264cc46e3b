import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The user's part in uploads", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct UploadUserTests {
    @Test("The last byte of an upload that was just paused changes nothing, and it goes on where it was")
    func latePause() async throws {
        let fixture = try UploadFixture()
        let row = try await fixture.run { row in
            // The pause is stored while the completion is on its way.
            guard row.phase == .completing else { return }
            #expect((try? fixture.take(.paused)) == true)
        }
        #expect(row.phase == .paused)
        #expect(fixture.uploads.calls("complete") == 0)
        #expect(try fixture.take(.resumed))
        #expect(try await fixture.run().phase == .done)
        #expect(fixture.uploads.requests("PATCH").count == 1)
    }

    @Test("A file that takes the place of one that is done may not be deleted")
    func nameUsedTwice() async throws {
        let fixture = try UploadFixture()
        let row = try await fixture.run()
        #expect(Upload(row).mayDeleteFile)
        try Data([1, 2, 3]).write(to: URL(fileURLWithPath: row.path))
        #expect(Upload(row).state == .done && !Upload(row).mayDeleteFile)
    }

    @Test("Uploads in a pause leave their places to others")
    func places() async throws {
        let given = SyncGiven()
        let client = try await given.synced { setup, _ in setup.pauseMaxMs = 60_000 }
        given.table.answer { _ throws(TransportError) in throw .notConnected("test") }
        for name in ["a", "b", "c"] {
            let file = URL(fileURLWithPath: "\(given.folder)/\(name).mp4")
            try Data([1, 2, 3]).write(to: file)
            try await client.upload(file, RecordingMetadata())
        }
        await client.start()
        try await eventually("an attempt of each") {
            Set(given.table.names.filter { $0.hasSuffix("/upload-url") }).count == 3
        }
        try await eventually("the reasons") { try await client.uploads().allSatisfy { $0.interruption != nil } }
        await client.stop()
    }

    @Test("An upload that was cancelled meanwhile ends its run")
    func cancelled() async throws {
        let fixture = try UploadFixture()
        try await fixture.carryOn { row in
            if row.phase == .completing { try? fixture.store.removeUpload(fixture.id) }
        }
        #expect(try fixture.store.upload(fixture.id) == nil)
        #expect(fixture.uploads.calls("complete") == 0)
    }

    @Test("An upload that another process carries on is left to it, and its end is seen")
    func otherProcess() async throws {
        let fixture = try UploadFixture()
        let lock = try FileLock.attempt("\(fixture.store.folder)/upload-\(fixture.id.lower.prefix(1)).lock")
        #expect(lock != nil)
        var looks = 0
        let row = try await fixture.run { row in
            looks += 1
            // The other process is done.
            try? fixture.change { $0.phase = .done }
        }
        #expect(row.phase == .done && looks == 2 && fixture.steps == 0)
        #expect(fixture.uploads.state.withLock { $0.calls.isEmpty && $0.requests.isEmpty })
        withExtendedLifetime(lock) {}
    }

    @Test("An upload that another process has cancelled is not opened again when the server forgets it")
    func cancelledElsewhere() async throws {
        let fixture = try UploadFixture { $0.faults = [("PATCH", .of(404))] }
        let (folder, id) = (fixture.store.folder, fixture.id)
        let key = [UInt8](repeating: 7, count: 32)
        fixture.uploads.state.withLock { state in
            state.beforeAnswer = { _ = try? Store.open(folder: folder, key: key, systemID: nil).removeUpload(id) }
        }
        try await fixture.carryOn { _ in }
        #expect(fixture.uploads.calls("upload-url") == 1)
        #expect(try fixture.store.upload(id) == nil)
    }

    @Test("An upload's states end with a log out, and when another process cancels it", arguments: [true, false])
    func statesEnd(byLogOut: Bool) async throws {
        let given = SyncGiven()
        let client = try await given.synced()
        given.table.answer { _ throws(TransportError) in throw .notConnected("test") }
        let (file, id) = (URL(fileURLWithPath: given.folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        var states = client.progress(of: id).makeAsyncIterator()
        // In a pause no run notices it.
        while let upload = await states.next(), upload.state != .waiting {}
        if byLogOut {
            try await client.logOut(.discard)
        } else {
            try await given.client().inside { client in try client.openedStore().removeUpload(id) }
        }
        while await states.next() != nil {}
    }

    @Test("An upload goes on after each pause, also when the pause is over before anybody waits for its end")
    func shortPauses() async throws {
        let given = SyncGiven()
        let client = try await given.synced { setup, _ in setup.pauseMaxMs = 2 }
        given.table.answer { _ throws(TransportError) in throw .notConnected("test") }
        let (file, id) = (URL(fileURLWithPath: given.folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        try await eventually("50 attempts") { given.table.requests.count > 50 }
        try await client.cancelUpload(id)
    }

    @Test("The states of a paused upload end with the sync that finds that another process has cancelled it")
    func pausedStatesEnd() async throws {
        let given = SyncGiven()
        let client = try await given.synced()
        let (file, id) = (URL(fileURLWithPath: given.folder + "/a.mp4"), UUID())
        try Data([1, 2, 3]).write(to: file)
        try await client.inside { client in
            try client.upload(file, RecordingMetadata(), id: id)
            try client.pauseUpload(id)
        }
        var states = client.progress(of: id).makeAsyncIterator()
        #expect(await states.next()?.state == .paused)
        try await given.client().inside { client in try client.openedStore().removeUpload(id) }
        try await client.sync()
        while await states.next() != nil {}
    }

    @Test("A row is stored and read back whole, and the metadata can't be read in the file")
    func row() throws {
        let fixture = try UploadFixture()
        var row = try fixture.row()
        row.phase = .failed
        row.sha256 = [UInt8](repeating: 9, count: 32)
        (row.sent, row.attempts, row.notBeforeMs, row.isGranted) = (1 << 40, 3, 1 << 42, true)
        row.failure = .refused(Problem(NeuroViewsRules.Problem(status: 403)))
        row.partSize = 5 << 20
        try fixture.store.save(row)
        try fixture.reopen()
        #expect(try fixture.stored == row)
        #expect(try fixture.store.unfinishedUploads() == 1)
        let failures: [UploadFailure] = [
            .fileChanged, .fileUnreadable(code: 13), .notVerified("x"), .otherDigest, .unreadable,
        ]
        for failure in failures {
            #expect(UploadFailure(failure.json) == failure)
        }
        for path in try FileManager.default.subpathsOfDirectory(atPath: fixture.folder) {
            let bytes = FileManager.default.contents(atPath: fixture.folder + "/" + path) ?? Data()
            #expect(bytes.range(of: Data("creation_date".utf8)) == nil, "\(path)")
        }
    }

    /// Uploads whose ids begin with these digits.
    private func rows(_ digits: String) throws -> [UploadRow] {
        let row = try UploadFixture().row()
        return try digits.map { digit in
            UploadRow(
                id: try Given.id(digit),
                path: row.path,
                identity: row.identity,
                type: row.type,
                metadata: row.metadata,
                addedMs: 1
            )
        }
    }

    @Test("An upload that would wait for another one's lock leaves its place to a third, and follows at that one's end")
    func locks() throws {
        let transfers = Transfers()
        let rows = try rows("aab")
        for row in rows { transfers.want(row.id) }
        #expect(transfers.due(of: rows) == [rows[0].id, rows[2].id])
        for row in [rows[0], rows[2]] { transfers.begin(row.id, Task {}) }
        transfers.end(rows[2].id, nil)
        #expect(transfers.due(of: rows).isEmpty)
        transfers.end(rows[0].id, nil)
        #expect(transfers.due(of: rows) == [rows[1].id])
    }

    @Test("Two uploads send at the same time, in their order, and verified ones need no place")
    func places() throws {
        let transfers = Transfers()
        let rows = try rows("01234")
        for row in rows { transfers.want(row.id) }
        let first = transfers.due(of: rows)
        #expect(first == rows.prefix(2).map(\.id))
        for id in first { transfers.begin(id, Task {}) }
        #expect(transfers.due(of: rows).isEmpty)
        var verifying = rows[0]
        verifying.phase = .verifying
        transfers.note(verifying, UploadNews(.completed))
        #expect(transfers.due(of: rows) == [rows[2].id])
        transfers.end(rows[1].id, nil)
        var paused = rows
        paused[3].phase = .paused
        transfers.begin(rows[2].id, Task {})
        #expect(transfers.due(of: paused) == [rows[4].id])
    }

    @Test("A pause ends early for the user and for a network that is back, and a wrong clock makes none")
    func pause() throws {
        var row = try UploadFixture().row()
        row.phase = .waiting
        row.notBeforeMs = 5000
        #expect(row.pauseMs(at: 1000) == 4000 && row.pauseMs(at: 6000) == 0)
        #expect(row.pauseMs(at: -4_000_000) == 0)
        let hasEnded = row.endPause(at: 1000)
        #expect(hasEnded && row.phase == .sending && row.pauseMs(at: 1000) == 0)
        let again = row.endPause(at: 1000)
        #expect(!again)
        (row.phase, row.notBeforeMs) = (.completing, 5000)
        let completes = row.endPause(at: 1000)
        #expect(completes && row.phase == .completing && row.notBeforeMs == 0)
    }

    @Test("The bytes under way are stored each time that a fiftieth of the file has gone, while the upload sends")
    func noted() throws {
        let fixture = try UploadFixture(bytes: 100_000)
        try fixture.change { ($0.phase, $0.sent) = (.sending, 10_000) }
        let row = try fixture.stored
        #expect(!row.isBehind(11_999) && row.isBehind(12_000))
        try fixture.store.note(sent: 12_000, of: fixture.id)
        try fixture.reopen()
        #expect(try Upload(fixture.stored).sent == 12_000)
        try fixture.change { $0.phase = .paused }
        let paused = try fixture.stored
        #expect(!paused.isBehind(90_000))
        try fixture.store.note(sent: 90_000, of: fixture.id)
        #expect(try fixture.stored.sent == 12_000)
    }

    @Test("Bytes that an attempt brought end the growth of pauses, also if more were under way")
    func progress() throws {
        var row = try UploadFixture().row()
        (row.phase, row.attempts, row.sent) = (.sending, 5, 4000)
        let isTaken = row.take(.interrupted(sent: 3000, before: 1000), at: 0, UploadPauses(maxMs: 8000) { 1 })
        #expect(isTaken && row.attempts == 1 && row.sent == 3000)
        (row.phase, row.attempts) = (.sending, 5)
        let again = row.take(.interrupted(sent: 3000, before: 3000), at: 0, UploadPauses(maxMs: 8000) { 1 })
        #expect(again && row.attempts == 6)
    }

    @Test("An app that starts again shows the bytes that were under way, before it asks the server")
    func restarted() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let (folder, id) = (Sandbox.makeFolder(), UUID())
        let client = try await Given.client(table, folder: folder)
        let file = URL(fileURLWithPath: folder + "/a.mp4")
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        await client.stopTransfers()
        let goesOn = try await client.inside { client in
            let store = try client.openedStore()
            var row = try #require(try store.upload(id))
            row.phase = .sending
            try store.save(row)
            return client.followProgress(id, 2, store)
        }
        #expect(goesOn)
        let next = try Given.client(table, at: folder)
        #expect(try await next.upload(id)?.sent == 2)
    }

    @Test("A user resumes an upload that waits, also if nothing runs and its pause is over")
    func resumed() async throws {
        let table = AnswerTable { _ throws(TransportError) in throw .notConnected("test") }
        let (folder, id) = (Sandbox.makeFolder(), UUID())
        let client = try await Given.client(table, folder: folder)
        let file = URL(fileURLWithPath: folder + "/a.mp4")
        try Data([1, 2, 3]).write(to: file)
        try await client.upload(file, RecordingMetadata(), id: id)
        await client.stopTransfers()
        try await client.inside { client in
            let store = try client.openedStore()
            var row = try #require(try store.upload(id))
            (row.phase, row.notBeforeMs) = (.waiting, 0)
            try store.save(row)
        }
        let before = table.requests.count
        try await client.resumeUpload(id)
        try await eventually("an attempt") { table.requests.count > before }
        await client.stopTransfers()
    }

    @Test("A pause of the server's is not ended by the user")
    func boundPause() throws {
        let (transfers, row) = (Transfers(), try UploadFixture().row())
        transfers.note(row, .interrupted(.tryLater(nil, seconds: 60)))
        #expect(!transfers.mayEndPause(row.id))
        transfers.note(row, .interrupted(.offline(.cut("x"))))
        #expect(transfers.mayEndPause(row.id))
    }
}
