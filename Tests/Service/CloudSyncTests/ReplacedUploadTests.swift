import CloudSync
import NeuroViewsCrypto
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// Uploads of another file under the id of an upload.
struct ReplacedUploadTests {
    private static let wish = UploadWish(size: 1000, contentType: "image/png")
    private static var other: UploadWish {
        var wish = wish
        (wish.size, wish.replaces) = (1001, true)
        return wish
    }

    @Test(
        "An upload of another file ends the one under way, open or complete, if it replaces it",
        arguments: ["open", "complete"]
    )
    func first(phase: String) async throws {
        try await World.with { world in
            let (service, caller, id) = (world.recordings[0], try await world.newAccount()[0], JobFixture.newID())
            let first = try await service.upload(id, Self.wish, for: caller)
            try await world.sql("UPDATE recording_files SET upload = '\(phase)', upload_offset = 9, epoch = 3")
            let second = try await service.upload(id, Self.other, for: caller)
            #expect(second.isNew && second.offset == 0 && second.objectKey != first.objectKey)
            #expect(try await service.upload(id, Self.other, for: caller).token == second.token)
            let removed = "SELECT count(*) FROM jobs WHERE kind = 'remove' AND object_key = '\(first.objectKey)'"
            #expect(try await world.sql(removed).first?.int(0) == 1)
            #expect(try await world.sql("SELECT sum(size)::bigint FROM recording_files").first?.int(0) == 1001)
            let uploads = UploadService(database: world.databases[0], keys: World.keys)
            let change = UploadChange(phase: .open, offset: 10, epoch: 4)
            #expect(try await !uploads.store(change, of: first.objectKey, ifEpoch: 3), "the first one is over")
        }
    }

    @Test(
        "The second upload of a failed recording is replaced, and the recording stays; a verified one is never replaced"
    )
    func recording() async throws {
        try await JobFixture.with { fixture in
            let (caller, id, bytes) = (
                try await fixture.world.newAccount()[0], JobFixture.newID(), [UInt8](repeating: 7, count: 1000)
            )
            _ = try await fixture.record(id, bytes, caller) { $0.sha256 = SHA256.hash([]) }
            try await fixture.runAll()
            let second = try await fixture.open(id, Self.wish, caller)
            let third = try await fixture.open(id, Self.other, caller)
            #expect(third != second)
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "failed")
            #expect(try await fixture.value("SELECT count(*) FROM recording_files WHERE is_sent_again") == "1")
            let whole = JobFixture.newID()
            _ = try await fixture.record(whole, bytes, caller)
            try await fixture.runAll()
            await #expect(throws: CloudSyncError.self) { try await fixture.open(whole, Self.other, caller) }
        }
    }
}
