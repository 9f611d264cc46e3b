import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

/// A file, a store on the disk, and a server with faults.
final class UploadFixture {
    let id = UUID()
    let content: [UInt8]
    let file: OpenFile
    let folder = Sandbox.makeFolder()
    let uploads: FakeUploads
    var store: Store
    /// The system's session; nil if the app sends everything.
    var background: BackgroundUploads?
    /// The states in their order.
    private(set) var phases: [UploadPhase] = []
    private(set) var reasons: [ClientError] = []
    /// The number of steps of this process.
    private(set) var steps = 0
    /// The rest of the pause after each step, in milliseconds.
    private(set) var pauses: [Int64] = []
    /// A clock that is a hundred seconds ahead at each look, so that no pause takes time.
    private let clock = Counter()
    private static let key = [UInt8](repeating: 7, count: 32)

    init(bytes: Int = 200_000, _ change: (inout FakeUploads.State) -> Void = { _ in }) throws {
        content = BytePattern.bytes(bytes)
        file = try OpenFile(content)
        // Any change gives the file another time.
        utimensat(AT_FDCWD, file.path, [timespec(tv_sec: 1000, tv_nsec: 7), timespec(tv_sec: 1000, tv_nsec: 7)], 0)
        uploads = FakeUploads(id, change)
        chmod(folder, 0o700)
        store = try Store.open(folder: folder + "/account", key: Self.key, systemID: nil)
        try store.save(row())
    }

    /// The upload as it is queued.
    func row() throws -> UploadRow {
        var metadata = RecordingMetadata(creationDate: Date(timeIntervalSince1970: 1_700_000_000))
        metadata.filename = "a.mp4"
        let identity = try LocalFile(file.path).identity()
        return UploadRow(
            id: id,
            path: file.path,
            identity: identity,
            type: "video/mp4",
            metadata: metadata,
            addedMs: 1
        )
    }

    /// Runs the upload until nothing happens by itself. `observe` gets each state.
    @discardableResult
    func run(_ observe: @escaping (UploadRow) -> Void = { _ in }) async throws -> UploadRow {
        try await carryOn(observe)
        return try stored
    }

    func carryOn(_ observe: @escaping (UploadRow) -> Void) async throws {
        let run = UploadRun(
            id,
            store,
            FakeCalls(uploads),
            uploads,
            UploadMeter { _ in },
            background: background,
            pauses: UploadPauses(maxMs: 8000) { 1 },
            turnMs: 1,
            nowMs: { [clock] in Int64(clock.add()) * 100_000 },
            changed: { row, news in
                self.pauses.append(row.notBeforeMs - Int64(self.clock.value) * 100_000)
                if self.phases.last != row.phase { self.phases.append(row.phase) }
                if news != nil { self.steps += 1 }
                if let reason = news?.reason { self.reasons.append(reason) }
                observe(row)
            }
        )
        try await run.run()
    }

    var stored: UploadRow { get throws { try #require(try store.upload(id)) } }

    /// Opens the store again, as after a crash.
    func reopen() throws {
        store.close()
        store = try Store.open(folder: folder + "/account", key: Self.key, systemID: nil)
    }

    /// Changes the row as a call of the user does. Returns false for a call without effect.
    func take(_ event: UploadEvent) throws -> Bool {
        var row = try stored
        let isTaken = row.take(UploadNews(event), at: 0, UploadPauses(maxMs: 1))
        try store.save(row)
        return isTaken
    }

    func change(_ body: (inout UploadRow) -> Void) throws {
        var row = try stored
        body(&row)
        try store.save(row)
    }
}
