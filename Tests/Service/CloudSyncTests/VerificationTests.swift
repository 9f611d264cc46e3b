import CloudSync
import Foundation
import NeuroViewsCrypto
import NeuroViewsJSON
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// The verification of a recording after its upload.
struct VerificationTests {
    private static let bytes = BytePattern.bytes(300_000)

    @Test("A recording with a correct file becomes ready, and the next delta has it")
    func ready() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let digest = SHA256.hash(Self.bytes)
            try await fixture.record(id, Self.bytes, caller) { $0.sha256 = digest }
            let changes = fixture.world.recordings[1].changes
            let before = try #require(try await changes.delta(DeltaRequest(cursor: .none), for: caller))
            #expect(try await fixture.complete(id, caller).status == "pending")
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "1")

            try await fixture.runAll()

            let (document, version) = try await fixture.document(id, caller)
            #expect(version == 2)
            #expect(document["processing_status"]?.string == "ready")
            #expect(document["sha256"]?.string == Base64.padded.encode(digest))
            #expect(document["unknown"]?.string == "kept")
            let receipt = try #require(document["receipt"])
            #expect(receipt["size"]?.number?.int64 == Int64(Self.bytes.count))
            #expect(receipt["sha256"] == document["sha256"])
            let verifiedAt = try await fixture.value("SELECT rfc3339(verified_at) FROM recording_files")
            #expect(receipt["verified_at"]?.string == verifiedAt)
            let row =
                "SELECT state || ' ' || (verified_sha256 = sha256) || ' ' || (verified_at IS NOT NULL) FROM recording_files"
            #expect(try await fixture.value(row) == "ready true true")
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            let after = try #require(
                try await changes.delta(DeltaRequest(cursor: .token(before.next)), for: caller)
            )
            #expect(after.count == 1 && !after.isReset)
            let again = try await fixture.complete(id, caller)
            #expect(again.status == "ready" && again.version.number == 1)
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            #expect(fixture.ends == ["verify done"])
        }
    }

    @Test(
        "A recording with a wrong or missing file fails with the reason",
        arguments: [RecordingFailure.wrongSize, .wrongDigest, .lostObject]
    )
    func failed(failure: RecordingFailure) async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, failure == .lostObject ? nil : Self.bytes, caller) { wish in
                if failure == .wrongSize { wish.size += 1 }
                if failure == .wrongDigest { wish.sha256 = SHA256.hash([]) }
            }
            try await fixture.runAll()
            let (document, version) = try await fixture.document(id, caller)
            #expect(version == 2)
            #expect(document["processing_status"]?.string == "failed")
            #expect(document["failure"]?.string == failure.rawValue)
            #expect(document["receipt"] == .null)
            #expect(try await fixture.complete(id, caller).status == "failed")
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            #expect(fixture.ends == ["verify done: \(failure.rawValue)"])
        }
    }

    @Test("A file is not declared lost while the store is away, and is verified afterwards")
    func away() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, Self.bytes, caller)
            try await fixture.stores[0].confirm()
            try fixture.unmount()
            #expect(try await fixture.jobs[0].runNext())
            #expect(fixture.ends == ["verify postponed"])
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "pending")
            await #expect(throws: StorageError.self) { try await fixture.stores[0].confirm() }
            try fixture.mount()
            try await fixture.passLeases()
            try await fixture.runAll()
            #expect(fixture.ends == ["verify postponed", "verify done"])
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
        }
    }

    @Test("A corrupt file loses its receipt, and a repaired one gets a new receipt")
    func rotten() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, Self.bytes, caller)
            try await fixture.runAll()
            #expect(try await fixture.document(id, caller).value["receipt"]?["sha256"] != nil)
            let states: [(bytes: [UInt8], failure: String?)] = [
                (Self.bytes.reversed(), "wrong digest"), (Self.bytes, nil),
            ]
            for (bytes, failure) in states {
                try await fixture.disk.put(bytes, as: key)
                try await fixture.world.sql(
                    "INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'verify' FROM recording_files"
                )
                try await fixture.runAll()
                let document = try await fixture.document(id, caller).value
                #expect(document["failure"]?.string == failure)
                #expect(document["processing_status"]?.string == (failure == nil ? "ready" : "failed"))
                #expect((document["receipt"]?["sha256"] != nil) == (failure == nil))
            }
        }
    }

    @Test("A byte of a recording that changed on the disk is detected")
    func corrupted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, Self.bytes, caller) { $0.sha256 = SHA256.hash(Self.bytes) }
            var changed = Self.bytes
            changed[200_000] ^= 1
            try await fixture.disk.put(changed, as: key)
            try await fixture.runAll()
            #expect(try await fixture.document(id, caller).value["failure"]?.string == "wrong digest")
        }
    }

    @Test("A concurrent change of the metadata and the server's findings are both kept")
    func patched() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, Self.bytes, caller)
            let job = try #require(try await fixture.jobs[0].claim())
            try await Self.patch(id, "B.mov", fixture, caller)
            await fixture.jobs[0].run(job)
            #expect(try await fixture.document(id, caller).value["filename"]?.string == "B.mov")
            try await Self.patch(id, "C.mov", fixture, caller)
            let (document, version) = try await fixture.document(id, caller)
            #expect(version == 4 && document["filename"]?.string == "C.mov")
            #expect(document["processing_status"]?.string == "ready" && document["receipt"]?["sha256"] != nil)
        }
    }

    private static func patch(_ id: String, _ name: String, _ fixture: JobFixture, _ caller: Caller) async throws {
        _ = try await fixture.world.recordings[0].patch(
            id,
            MergePatch(text: #"{"filename":"\#(name)"}"#),
            WriteConditions(),
            by: { value throws(CloudSyncError) in try RecordingMetadata(value) },
            for: caller
        ).get()
    }

    @Test("Jobs of a deleted recording end without effect, and its objects are deleted")
    func deleted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, Self.bytes, caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            try await fixture.disk.put([1], as: thumbnail)
            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            try await fixture.runAll()
            for gone in [key, thumbnail] {
                await #expect(throws: StorageError.missing) { try await fixture.disk.size(of: gone) }
            }
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            #expect(Set(fixture.ends) == ["verify done", "remove done"])
            #expect(try await fixture.value("SELECT count(*) FROM recording_versions") == "2")
        }
    }

    @Test("A thumbnail that is made during its recording's deletion is deleted too")
    func deletedMeanwhile() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, Self.bytes, type: "image/jpeg", caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            #expect(try await fixture.jobs[0].runNext())
            let processing = try #require(try await fixture.jobs[0].claim(.decoding))
            #expect(processing.kind == .process)
            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            #expect(try await fixture.jobs[1].runNext())
            try await fixture.disk.put([1], as: thumbnail)
            try await fixture.jobs[0].store(.processed(MediaFindings(thumbnailBytes: 1000)), of: processing)
            await #expect(throws: StorageError.missing) { try await fixture.disk.size(of: thumbnail) }
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test("The server's findings on a recording are stored also for an account over its quotas")
    func quotas() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, Self.bytes, caller)
            try await fixture.world.sql("UPDATE sync_heads SET history_bytes = 1::bigint << 60, items = 1 << 30")
            try await fixture.runAll()
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
        }
    }
}
