import CloudSync
import Foundation
import Media
import NeuroViewsJSON
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// The processing of files with the installed ffprobe and ffmpeg.
struct ProcessingTests {
    private static let isInstalled: Bool = {
        let tools = MediaTools.find()
        return tools.ffmpeg != nil && tools.ffprobe != nil && tools.canLimit
    }()

    /// A test video of one second, in the format of phones.
    static func video() throws -> [UInt8] {
        let source = ["-f", "lavfi", "-i", "testsrc2=s=320x240:r=25", "-t", "1"]
        return try made("A.mov", source + ["-c:v", "libx264", "-pix_fmt", "yuv420p"])
    }

    /// The same in a file.
    static func film() throws -> MediaFile {
        let path = Sandbox.makeFolder() + "/A.mov"
        try Data(Self.video()).write(to: URL(fileURLWithPath: path))
        return MediaFile(path: path, contentType: "video/quicktime")
    }

    /// A file that ffmpeg makes.
    private static func made(_ name: String, _ arguments: [String]) throws -> [UInt8] {
        let path = Sandbox.makeFolder() + "/" + name
        let program = try Program.run(["ffmpeg", "-v", "error", "-nostdin", "-y"] + arguments + [path])
        try #require(program.status == 0, "\(program.complaint)")
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }

    @Test("A video is measured and gets a thumbnail", .enabled(if: isInstalled, "ffmpeg is not installed"))
    func video() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, try Self.video(), type: "video/quicktime", caller)
            #expect(try await fixture.jobs[0].runNext())
            // The receipt exists before the thumbnail; clients do not see the intermediate state.
            #expect(try await fixture.value("SELECT state FROM recording_files") == "processing")
            let (verified, version) = try await fixture.document(id, caller)
            #expect(version == 2 && verified["processing_status"]?.string == "pending")
            #expect(verified["receipt"]?["sha256"] != nil && verified["probe"] == .null)
            #expect(try await fixture.complete(id, caller).status == "pending")

            try await fixture.runAll()
            let document = try await fixture.document(id, caller).value
            #expect(document["processing_status"]?.string == "ready")
            #expect(document["receipt"] == verified["receipt"])
            let probe = try #require(document["probe"])
            #expect(probe["width"]?.number?.int64 == 320 && probe["height"]?.number?.int64 == 240)
            #expect(probe["duration"]?.number?.double == 1 && probe["frame_rate"]?.number?.double == 25)
            #expect(probe["video_codec"]?.string == "h264" && probe["audio_codec"] == .null)
            #expect(probe["container"]?.string == "mov")
            let kept = "SELECT has_thumbnail || ' ' || (probe->>'width') FROM recording_files"
            #expect(try await fixture.value(kept) == "true 320")
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            let reader = try await fixture.disk.read(thumbnail)
            #expect(try await reader.next()?.starts(with: [0xFF, 0xD8]) == true)
            #expect(fixture.ends == ["verify done", "process done"])
        }
    }

    @Test("Sound is measured, and gets neither a thumbnail nor a preview", .needsFFmpeg)
    func sound() async throws {
        var settings = RecordingJobs.Settings()
        settings.previews = PreviewLimits()
        try await JobFixture.with(settings) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let bytes = try Self.made("A.wav", ["-f", "lavfi", "-i", "sine", "-t", "1"])
            try await fixture.record(id, bytes, type: "audio/wav", caller)
            try await fixture.runAll()
            let document = try await fixture.document(id, caller).value
            #expect(document["processing_status"]?.string == "ready")
            #expect(document["probe"]?["container"]?.string == "wav" && document["probe"]?["width"] == .null)
            #expect(document["probe"]?["duration"]?.number?.double == 1)
            #expect(try await fixture.value("SELECT has_thumbnail FROM recording_files") == "f")
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
            #expect(fixture.ends == ["verify done", "process done"])
        }
    }

    @Test(
        "A picture does not replace a client's thumbnail in transit or repair a failed recording",
        .needsFFmpeg
    )
    func meanwhile() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, try Self.video(), type: "video/quicktime", caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            #expect(try await fixture.jobs[0].runNext())
            // The thumbnail is reserved and stored, but not recorded yet.
            try await fixture.world.sql("UPDATE recording_files SET thumbnail_bytes = 3")
            try await fixture.disk.put([1, 2, 3], as: thumbnail)
            try await fixture.runAll()
            #expect(try await fixture.disk.size(of: thumbnail) == 3)
            #expect(
                try await fixture.value("SELECT state || ' ' || has_thumbnail FROM recording_files") == "ready false"
            )
            try await fixture.world.sql(
                """
                UPDATE recording_files SET state = 'failed', failure = 'wrong digest';
                INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'process' FROM recording_files
                """
            )
            try await fixture.runAll()
            #expect(try await fixture.value("SELECT state FROM recording_files") == "failed")
        }
    }

    private static let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

    @Test("A client's thumbnail that arrives while the server stores its picture is not replaced")
    func sameTime() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            #expect(try await fixture.jobs[0].runNext())
            let job = try #require(try await fixture.jobs[0].claim(.decoding))
            let (server, client) = try await fixture.holdingStore {
                let server = Task { try await fixture.jobs[0].storeThumbnail([9, 9], as: thumbnail, of: job) }
                try await eventually { fixture.pool.waitingCount == 1 }
                let ended = Counter()
                let client = Task {
                    defer { ended.add() }
                    try await Self.putThumbnail([1, 2, 3], thumbnail, of: id, fixture, caller)
                }
                try await eventually {
                    if ended.value > 0 { return true }
                    return try await fixture.value(Self.waiting) != "0"
                }
                return (server, client)
            }
            #expect(try await server.value)
            try await client.value
            #expect(try await fixture.disk.size(of: thumbnail) == 3)
            #expect(try await fixture.value("SELECT has_thumbnail FROM recording_files") == "t")
        }
    }

    /// Stores a client's thumbnail by the second server. Writes the file without the store's threads: they may be held.
    private static func putThumbnail(
        _ bytes: [UInt8],
        _ thumbnail: ObjectKey,
        of id: String,
        _ fixture: JobFixture,
        _ caller: Caller
    ) async throws {
        try await fixture.world.recordings[1].keepThumbnail(
            of: id,
            bytes: bytes.count,
            for: caller,
            check: { _ in },
            store: { _, _ in
                try Data(bytes).write(to: URL(fileURLWithPath: fixture.disk.path(of: thumbnail)))
            },
            remove: { _ in }
        )
    }

    @Test("A client's thumbnail that could not be stored makes room for the server's picture")
    func unstored() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            await #expect(throws: StorageError.full) {
                try await fixture.world.recordings[0].keepThumbnail(
                    of: id,
                    bytes: 3,
                    for: caller,
                    check: { _ in },
                    store: { _, _ in throw StorageError.full },
                    remove: { _ in }
                )
            }
            #expect(try await fixture.jobs[0].runNext())
            let job = try #require(try await fixture.jobs[0].claim(.decoding))
            #expect(try await fixture.jobs[0].storeThumbnail([9, 9], as: thumbnail, of: job))
        }
    }

    @Test("A picture of a recording that is gone is not stored")
    func gone() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            let thumbnail = try #require(ObjectKey(ThumbnailObject.key(of: key.description)))
            #expect(try await fixture.jobs[0].runNext())
            let job = try #require(try await fixture.jobs[0].claim(.decoding))
            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            #expect(try await !fixture.jobs[0].storeThumbnail([9, 9], as: thumbnail, of: job))
            await #expect(throws: StorageError.missing) { try await fixture.disk.size(of: thumbnail) }
        }
    }

    @Test(
        "A file that can't be measured is ready with its receipt",
        arguments: TestRun.cases(
            2,
            of: ["video/quicktime", "image/heic", "video/mp4", "image/jpeg", "audio/mp4", "audio/wav"]
        )
    )
    func unreadable(type: String) async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, Array("#EXTM3U\n/etc/passwd\n".utf8), type: type, caller)
            try await fixture.runAll()
            let document = try await fixture.document(id, caller).value
            #expect(document["processing_status"]?.string == "ready" && document["probe"] == .null)
            #expect(document["receipt"]?["sha256"] != nil)
            #expect(try await fixture.value("SELECT has_thumbnail FROM recording_files") == "f")
        }
    }

    @Test("A video on a machine without media programs is ready without a thumbnail")
    func noTools() async throws {
        try await JobFixture.with(tools: { MediaTools.find(in: []) }) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            try await fixture.runAll()
            let document = try await fixture.document(id, caller).value
            #expect(document["processing_status"]?.string == "ready" && document["probe"] == .null)
            #expect(fixture.ends == ["verify done", "process done: ffmpeg is not installed"])
        }
    }

    @Test("An encrypted recording is never decoded, and keeps unknown members of its envelope")
    func encrypted() async throws {
        try await JobFixture.with(tools: { fatalError("nothing is to be started") }) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let text = #"{"scheme":"x","unknown":{"b":[1.50,1e300,null],"a":"\u00e9"}}"#
            let envelope = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
            try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller) { $0.encryption = envelope }
            try await fixture.runAll()
            let (document, version) = try await fixture.document(id, caller)
            #expect(version == 2 && document["processing_status"]?.string == "ready")
            #expect(document["receipt"]?["sha256"] != nil)
            #expect(document["encryption"]?.serialized() == envelope.serialized())
            #expect(fixture.ends == ["verify done"])
        }
    }
}
