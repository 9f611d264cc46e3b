import CloudSync
import NeuroViewsCrypto
import Postgres
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// A failed recording whose file is sent again under its id.
struct SentAgainTests {
    private static let bytes = [UInt8](repeating: 7, count: 1000)
    private static let wish = UploadWish(size: 1000, contentType: "image/png")

    /// Makes a recording whose file differs from its digest; returns its object.
    private static func fail(_ id: String, _ fixture: JobFixture, _ caller: Caller) async throws -> ObjectKey {
        let key = try await fixture.record(id, bytes, caller) { $0.sha256 = SHA256.hash([]) }
        try await fixture.runAll()
        #expect(try await fixture.document(id, caller).value["failure"]?.string == "wrong digest")
        return key
    }

    /// Returns the stage of the upload that `complete` refuses; nil if it refuses none.
    private static func refusal(_ id: String, _ fixture: JobFixture, _ caller: Caller) async throws -> String? {
        do {
            _ = try await fixture.complete(id, caller)
            return nil
        } catch CloudSyncError.uploadIncomplete(_, _, let phase) {
            return phase.rawValue
        }
    }

    @Test("A failed recording is sent again under its id, and becomes ready with the same metadata")
    func ready() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let old = try await Self.fail(id, fixture, caller)
            var wish = Self.wish
            wish.sha256 = SHA256.hash(Self.bytes)
            let new = try await fixture.open(id, wish, caller)
            #expect(try await fixture.open(id, wish, caller) == new && new != old)
            wish.size = 1001
            await #expect(throws: CloudSyncError.self) { try await fixture.open(id, wish, caller) }
            wish.size = 1000
            #expect(try await Self.refusal(id, fixture, caller) == "open")
            let (waiting, version) = try await fixture.document(id, caller)
            #expect(waiting["processing_status"]?.string == "failed" && version == 2)

            try await fixture.disk.put(Self.bytes, as: new)
            try await fixture.completeUpload(id)
            let completed = try await fixture.complete(id, caller)
            #expect(completed.status == "pending" && completed.version.number == 3)
            #expect(try await fixture.document(id, caller).value["failure"] == .null)
            try await fixture.runAll()
            let again = try await fixture.complete(id, caller)
            #expect(again.status == "ready" && again.version == completed.version)
            #expect(try await fixture.document(id, caller).value["receipt"]?["sha256"] != nil)
            await #expect(throws: StorageError.missing) { try await fixture.disk.size(of: old) }
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            await #expect(throws: CloudSyncError.self) { try await fixture.open(id, wish, caller) }
        }
    }

    @Test("A second upload that is cancelled or expires leaves the recording failed, and makes room for a third")
    func ended() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let uploads = UploadService(database: fixture.world.databases[0], keys: World.keys)
            for end in ["cancelled", "expired"] {
                let key = try await fixture.open(id, Self.wish, caller)
                try await fixture.disk.createUpload(key).append([1, 2, 3], at: 0)
                try await fixture.world.recordings[0].keepThumbnail(
                    of: id,
                    bytes: 3,
                    for: caller,
                    check: { _ in },
                    store: { _, _ in },
                    remove: { _ in }
                )
                if end == "cancelled" {
                    #expect(try await uploads.cancel(key.description, ifEpoch: 0))
                } else {
                    try await fixture.world.sql("UPDATE recording_files SET expires_at = now() - interval '1 s'")
                    #expect(try await Self.refusal(id, fixture, caller) == end)
                    #expect(try await Sweep.expiredUploads.run(in: fixture.world.databases[0]) == 1)
                }
                #expect(try await Self.refusal(id, fixture, caller) == end)
                let thumbnail = "SELECT has_thumbnail || ' ' || thumbnail_bytes FROM recording_files"
                #expect(try await fixture.value(thumbnail) == "false 0", "its objects are removed")
                try await fixture.runAll()
                #expect(try await fixture.disk.uploads().isEmpty)
                #expect(try await Sweep.expiredUploads.run(in: fixture.world.databases[0]) == 0)
                #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "failed")
            }
            #expect(try await fixture.world.recordings[0].upload(id, Self.wish, for: caller).isNew)
        }
    }

    @Test("A second upload keeps its bytes while the clock is doubted, and ends by a trusted one")
    func doubted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let key = try await fixture.open(id, Self.wish, caller)
            try await fixture.disk.createUpload(key).append([1, 2, 3], at: 0)
            try await fixture.world.sql("UPDATE recording_files SET expires_at = now() - interval '1 s'")
            try await fixture.world.note("now() - interval '8 days'")
            #expect(try await fixture.open(id, Self.wish, caller) == key)
            try await fixture.runAll()
            #expect(try await fixture.disk.uploads().map(\.key) == [key])
            _ = try await fixture.world.acceptClock()
            #expect(try await fixture.open(id, Self.wish, caller) != key)
            try await fixture.runAll()
            #expect(try await fixture.disk.uploads().isEmpty)
        }
    }

    @Test("A patch that changes nothing of a recording that is being sent again writes no version")
    func unchanged() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let before = try await fixture.document(id, caller).version
            _ = try await fixture.open(id, Self.wish, caller)
            try await Self.patch("{}", of: id, fixture, caller)
            #expect(try await fixture.document(id, caller).version == before)
        }
    }

    private static func patch(_ text: String, of id: String, _ fixture: JobFixture, _ caller: Caller) async throws {
        _ = try await fixture.world.recordings[0].patch(
            id,
            MergePatch(text: text),
            WriteConditions(),
            by: { value throws(CloudSyncError) in try RecordingMetadata(value) },
            for: caller
        ).get()
    }

    @Test("A patch of a recording that is being sent again leaves its upload open and its state failed")
    func patched() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let key = try await fixture.open(id, Self.wish, caller)
            try await Self.patch(#"{"filename":"B.mov"}"#, of: id, fixture, caller)
            let patched = try await fixture.document(id, caller).value
            #expect(patched["filename"]?.string == "B.mov" && patched["failure"]?.string == "wrong digest")
            #expect(try await fixture.open(id, Self.wish, caller) == key)
            #expect(try await Self.refusal(id, fixture, caller) == "open")
        }
    }

    @Test("A thumbnail of a file that is being replaced gets 404, is not stored, and takes no room of the new file")
    func thumbnail() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let (address, stored) = (fixture.world.connectionString, Counter())
            let refusal = await #expect(throws: CloudSyncError.self) {
                try await fixture.world.recordings[0].keepThumbnail(
                    of: id,
                    bytes: 3,
                    for: caller,
                    check: { _ in
                        // The service has read the row. Now the row belongs to another upload.
                        let resend = "UPDATE neuroviews.recording_files SET object_key = repeat('a', 32)"
                        try BlockingSession(address).execute(resend)
                    },
                    store: { _, _ in stored.add() },
                    remove: { _ in }
                )
            }
            #expect(refusal?.type == .notFound)
            #expect(stored.value == 0)
            #expect(try await fixture.value("SELECT thumbnail_bytes FROM recording_files") == "0")
        }
    }

    @Test("A deletion of a recording that is being sent again deletes the bytes of its second upload")
    func deleted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            _ = try await Self.fail(id, fixture, caller)
            let key = try await fixture.open(id, Self.wish, caller)
            try await fixture.disk.createUpload(key).append([1, 2, 3], at: 0)
            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            try await fixture.runAll()
            #expect(try await fixture.disk.uploads().isEmpty)
            await #expect(throws: CloudSyncError.self) { try await fixture.open(id, Self.wish, caller) }
        }
    }
}
