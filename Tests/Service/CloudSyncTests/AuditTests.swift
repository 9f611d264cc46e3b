import CloudSync
import Foundation
import NeuroViewsJSON
import Postgres
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// The repairs of `storage check --repair` that `StorageCheckTests` does not cover.
struct AuditTests {
    private static func audit(_ fixture: JobFixture, repairs: Bool = true) async throws -> StorageAudit.Report {
        try await StorageAudit(BlockingSession(fixture.world.connectionString), .disk(fixture.disk)).run(
            repairs: repairs
        )
    }

    @Test(
        "A recording that failed while its file was unreadable is verified again without a trace",
        arguments: [RecordingFailure.notVerified, .lostObject]
    )
    func unverified(failure: RecordingFailure) async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], caller)
            let job = try #require(try await fixture.jobs[0].claim())
            try await fixture.jobs[0].store(.failed(failure), of: job)
            #expect(try await fixture.document(id, caller).value["failure"]?.string == failure.rawValue)

            let report = try await Self.audit(fixture)
            #expect(report.findings == [.unverified(key.description)] && report.mendedCount == 1)
            // The job is due already.
            #expect(try await Self.audit(fixture).mendedCount == 0)
            try await fixture.runAll()
            let document = try await fixture.document(id, caller).value
            #expect(document["processing_status"]?.string == "ready" && document["failure"] == .null)
            #expect(document["receipt"]?["sha256"] != nil)
            #expect(try await Self.audit(fixture).findings.isEmpty)
        }
    }

    @Test("A recording whose measurement was given up is measured again, and is no difference", .needsFFmpeg)
    func unmeasured() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, try ProcessingTests.video(), type: "video/quicktime", caller)
            try await fixture.record(JobFixture.newID(), [1, 2, 3], type: "image/png", caller)
            try await fixture.record(JobFixture.newID(), [1, 2, 3], type: "video/quicktime", caller) {
                $0.encryption = .object(JSONObject([.init(name: "scheme", value: .string("x"))]))
            }
            while try await fixture.jobs[0].runNext() {}
            let job = try #require(try await fixture.jobs[0].claim(.decoding))
            // A job that is given up ends like this.
            try await fixture.jobs[0].store(.processed(MediaFindings()), of: job)
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")

            let found = try await Self.audit(fixture, repairs: false)
            #expect(found.findings.isEmpty && found.remeasuredCount == 0)
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            let repaired = try await Self.audit(fixture)
            #expect(repaired.findings.isEmpty && repaired.remeasuredCount == 1)
            #expect(try await Self.audit(fixture).remeasuredCount == 0, "the job is there")
            try await fixture.runAll()
            #expect(try await fixture.document(id, caller).value["probe"]?["width"]?.number?.int64 == 320)
            #expect(try await Self.audit(fixture).remeasuredCount == 0)
        }
    }

    @Test("A recording with a wrong or really lost file stays failed")
    func rightlyFailed() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, nil, caller)
            try await fixture.runAll()
            let report = try await Self.audit(fixture)
            #expect(report.findings.isEmpty && report.mendedCount == 0)
            #expect(try await fixture.document(id, caller).value["failure"]?.string == "lost object")
        }
    }

    @Test("The bytes of an ended second upload are not verified: they are removed soon")
    func ended() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, nil, caller)
            try await fixture.runAll()
            #expect(try await fixture.document(id, caller).value["failure"]?.string == "lost object")
            let key = try await fixture.open(id, UploadWish(size: 3, contentType: "image/png"), caller)
            try await fixture.disk.put([1, 2, 3], as: key)
            try await fixture.completeUpload(id)
            try await fixture.world.sql("UPDATE recording_files SET expires_at = now() - interval '1 s'")
            #expect(try await Sweep.expiredUploads.run(in: fixture.world.databases[0]) == 1)
            #expect(try await Self.audit(fixture).findings.isEmpty)
        }
    }

    @Test(
        "A lost thumbnail is made again, and that of a ciphertext is removed from its recording",
        .needsFFmpeg
    )
    func thumbnails() async throws {
        try await JobFixture.with { fixture in
            let (caller, id, sealed) = (try await fixture.world.newAccount()[0], JobFixture.newID(), JobFixture.newID())
            let key = try await fixture.record(id, try ProcessingTests.video(), type: "video/quicktime", caller)
            try await fixture.record(sealed, [1, 2, 3], type: "video/quicktime", caller) {
                $0.encryption = .object(JSONObject([.init(name: "scheme", value: .string("x"))]))
            }
            try await fixture.runAll()
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            try await fixture.disk.delete(thumbnail)
            try await fixture.world.sql("UPDATE recording_files SET has_thumbnail = true")

            let report = try await Self.audit(fixture)
            #expect(report.findings.count == 2 && report.mendedCount == 2)
            #expect(try await fixture.value("SELECT string_agg(kind::text, ',') FROM jobs") == "process")
            try await fixture.runAll()
            #expect(try await fixture.disk.size(of: thumbnail) > 0)
            #expect(try await fixture.value("SELECT count(*) FROM recording_files WHERE has_thumbnail") == "1")
            #expect(try await fixture.document(id, caller).value["probe"]?["width"]?.number?.int64 == 320)
            #expect(try await Self.audit(fixture).findings.isEmpty)
        }
    }
}
