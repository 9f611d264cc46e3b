import Foundation
import Media
import NeuroViewsJSON
import Storage
import TestSupport
import Testing

@testable import CloudSync

extension Trait where Self == ConditionTrait {
    /// For tests that run ffmpeg.
    static var needsFFmpeg: Self {
        .enabled("ffmpeg is not installed") {
            let tools = MediaTools.find()
            return tools.ffmpeg != nil && tools.ffprobe != nil && tools.canLimit
        }
    }
}

@Suite("Preview jobs")
struct PreviewJobTests {
    private static func settings(_ change: (inout PreviewLimits) -> Void = { _ in }) -> RecordingJobs.Settings {
        var (settings, limits) = (RecordingJobs.Settings(), PreviewLimits())
        change(&limits)
        settings.previews = limits
        return settings
    }

    private static func preview(_ key: ObjectKey) throws -> ObjectKey {
        try #require(ObjectKey(PreviewObject.key(of: key.description)))
    }

    private static func exists(_ key: ObjectKey, _ fixture: JobFixture) -> Bool {
        access(fixture.disk.path(of: key), F_OK) == 0
    }

    @Test("A measured video gets a preview after all other jobs, without a new version", .needsFFmpeg)
    func made() async throws {
        try await JobFixture.with(Self.settings()) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, try ProcessingTests.video(), type: "video/quicktime", caller)
            try await fixture.runAll()
            #expect(fixture.ends == ["verify done", "process done"])
            let (before, version) = try await fixture.document(id, caller)
            #expect(before["processing_status"]?.string == "ready")
            #expect(try await fixture.value("SELECT kind FROM jobs") == "preview")

            // The leftover object of an attempt that ended in a crash.
            let work = try #require(ObjectKey("\(key).preview.1"))
            try await fixture.disk.createUpload(work).append([1], at: 0)
            #expect(try await fixture.jobs[1].runNext(.previews))
            #expect(fixture.ends.last == "preview done")
            #expect(try await fixture.jobs[1].runNext(.previews) == false)
            #expect(try await fixture.value("SELECT has_preview FROM recording_files") == "t")
            #expect(try await fixture.disk.uploads().isEmpty)
            let bytes = try await fixture.disk.read(Self.preview(key)).next() ?? []
            #expect(bytes[4..<8].elementsEqual("ftyp".utf8))
            let (after, unchanged) = try await fixture.document(id, caller)
            #expect(unchanged == version && after == before)

            // After another verification, the recording keeps its preview.
            try await fixture.world.sql(
                "INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'verify' FROM recording_files"
            )
            try await fixture.runAll()
            #expect(try await fixture.jobs[0].runNext(.previews) == false)

            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            try await fixture.runAll()
            for object in [key, try Self.preview(key)] { #expect(!Self.exists(object, fixture)) }
        }
    }

    @Test(
        "Photos, ciphertext and unreadable files get no preview, and none is made when they are off",
        .inFull,
        .needsFFmpeg
    )
    func none() async throws {
        let video = try ProcessingTests.video()
        try await JobFixture.with(Self.settings()) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.record(JobFixture.newID(), [1, 2, 3], type: "image/jpeg", caller)
            try await fixture.record(JobFixture.newID(), Array("#EXTM3U".utf8), type: "video/quicktime", caller)
            try await fixture.record(JobFixture.newID(), video, type: "video/quicktime", caller) {
                $0.encryption = .object(JSONObject([.init(name: "scheme", value: .string("x"))]))
            }
            try await fixture.runAll()
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
        }
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.record(JobFixture.newID(), video, type: "video/quicktime", caller)
            try await fixture.runAll()
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test(
        "A preview without disk space is retried, and a too large one is given up without a file",
        .inFull,
        .needsFFmpeg
    )
    func room() async throws {
        let video = try ProcessingTests.video()
        for (maxBytes, end) in [
            (1 << 60, "preview postponed"), (2000, "preview done: preview: the size limit was reached"),
        ] {
            try await JobFixture.with(Self.settings { $0.maxBytes = maxBytes }) { fixture in
                let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
                let key = try await fixture.record(id, video, type: "video/quicktime", caller)
                try await fixture.runAll()
                #expect(try await fixture.jobs[0].runNext(.previews))
                #expect(fixture.ends.last == end)
                #expect(try await fixture.value("SELECT has_preview FROM recording_files") == "f")
                #expect(try await fixture.value("SELECT count(*) FROM jobs") == (maxBytes == 2000 ? "0" : "1"))
                #expect(!Self.exists(try Self.preview(key), fixture))
                #expect(try await fixture.disk.uploads().isEmpty)
            }
        }
    }

    @Test("A deleted recording's waiting preview is deleted, and files of a crash after a day")
    func deleted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            try await fixture.world.sql(
                "INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'preview' FROM recording_files"
            )
            try await fixture.disk.put([1], as: Self.preview(key))
            let works = try ["\(key).preview.old", "\(key).preview.new"].map { try #require(ObjectKey($0)) }
            for work in works { try await fixture.disk.createUpload(work).append([1, 2], at: 0) }
            let folder = fixture.disk.path(of: key).components(separatedBy: "/objects/")[0] + "/uploads/"
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -2 * 86400)],
                ofItemAtPath: folder + works[0].description
            )
            let sweep = OrphanSweep(
                database: fixture.world.databases[0],
                storage: .disk(fixture.disk),
                pagesPerRun: 256
            )
            #expect(try await sweep.run() == OrphanSweep.Removed(objects: 0, uploads: 1, bytes: 2))
            #expect(try await fixture.disk.uploads().map(\.key) == [works[1]])

            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            try await fixture.runAll()
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            #expect(!Self.exists(try Self.preview(key), fixture))
        }
    }
}
