import Foundation
import Media
import Net
import TestSupport
import Testing

@testable import CloudSync

/// A bubblewrap that fails until a file exists. All other programs are the machine's.
private struct FailingBubblewrap: Sendable {
    private let folder = Sandbox.makeFolder()
    private var works: String { folder + "/works" }

    init() throws {
        let script = """
            if [ "$1" = --version ]; then echo bubblewrap 0.8.0; exit; fi
            [ -e \(folder)/works ] || { echo "bwrap: no namespaces" >&2; exit 1; }
            exec /usr/bin/bwrap "$@"
            """
        try Script.write(script + "\n", to: folder + "/bwrap")
    }

    func mend() throws { try Data().write(to: URL(fileURLWithPath: works)) }

    func fail() throws { try FileManager.default.removeItem(atPath: works) }

    @Sendable func tools() -> MediaTools { MediaTools.find(in: [folder] + MediaTools.usualFolders) }
}

@Suite("Media programs without walls", .needsFFmpeg)
struct MissingWallsTests {
    private static let refused = "not decoded: bubblewrap failed: bwrap: no namespaces"

    private static let hasBubblewrap: Bool = {
        let box = try? Program.run(["bwrap", "--unshare-user", "--ro-bind", "/", "/", "true"])
        return box?.status == 0
    }()

    @Test(
        "Without walls recordings are ready and not decoded, and each job tries to make the walls again",
        .inFull,
        .enabled(if: hasBubblewrap, "bubblewrap does not work here")
    )
    func triedAgain() async throws {
        let bubblewrap = try FailingBubblewrap()
        try await JobFixture.with(allowsNoWalls: false, tools: bubblewrap.tools) { fixture in
            let (caller, video) = (try await fixture.world.newAccount()[0], try ProcessingTests.video())
            func record() async throws -> [String] {
                let id = JobFixture.newID()
                try await fixture.record(id, video, type: "video/quicktime", caller)
                try await fixture.runAll()
                let document = try await fixture.document(id, caller).value
                #expect(document["receipt"]?["sha256"] != nil)
                return [
                    fixture.ends.last ?? "", document["processing_status"]?.string ?? "",
                    document["probe"] == .null ? "not measured" : "measured",
                ]
            }
            func thumbnails() async throws -> String {
                try await fixture.value("SELECT count(*) FROM recording_files WHERE has_thumbnail")
            }
            #expect(try await record() == ["process done: \(Self.refused)", "ready", "not measured"])
            #expect(try await thumbnails() == "0")
            try bubblewrap.mend()
            #expect(try await record() == ["process done", "ready", "measured"])
            #expect(try await thumbnails() == "1")
            // These walls were possible before, so the failure may be over at a later attempt.
            try bubblewrap.fail()
            #expect(try await record() == ["process postponed", "pending", "not measured"])
            try await fixture.passLeases()
            try await fixture.runAll()
            #expect(fixture.ends.suffix(2) == ["process postponed", "process postponed"])
            try bubblewrap.mend()
            try await fixture.passLeases()
            try await fixture.runAll()
            #expect(fixture.ends.last == "process done")
            #expect(try await thumbnails() == "2")
        }
    }

    @Test(
        "Walls that worked before are reported as missing, and their failure is the machine's",
        .inFull,
        .enabled(if: hasBubblewrap, "bubblewrap does not work here")
    )
    func lost() async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let reports = Locked<[UnwalledFile]>([])
        let bubblewrap = try FailingBubblewrap()
        try bubblewrap.mend()
        let laboratory = MediaLaboratory(
            pool: pool,
            find: bubblewrap.tools,
            report: { report in reports.withLock { $0.append(report) } }
        )
        let film = try ProcessingTests.film()
        #expect(try await laboratory.examine(film).thumbnail != nil)
        try bubblewrap.fail()
        await #expect(throws: MediaBoxError.self) { _ = try await laboratory.examine(film) }
        #expect(reports.withLock { $0 } == [])
        await #expect(throws: MissingWalls.self) { _ = try await laboratory.examine(film) }
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test("A preview without walls is tried again later", .inFull)
    func preview() async throws {
        var settings = RecordingJobs.Settings()
        settings.previews = PreviewLimits()
        try await JobFixture.with(settings, allowsNoWalls: false, tools: FailingBubblewrap().tools) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.record(JobFixture.newID(), try ProcessingTests.video(), type: "video/quicktime", caller)
            try await fixture.runAll()
            try await fixture.world.sql(
                "INSERT INTO jobs (user_id, recording_id, object_key, kind) SELECT user_id, id, object_key, 'preview' FROM recording_files"
            )
            #expect(try await fixture.jobs[0].runNext(.previews))
            #expect(fixture.ends.last == "preview postponed")
        }
    }

    @Test(
        "Each file without walls is reported, and decoded only where the risk is accepted",
        .inFull,
        arguments: [false, true]
    )
    func reported(isAccepted: Bool) async throws {
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let reports = Locked<[UnwalledFile]>([])
        let laboratory = MediaLaboratory(
            pool: pool,
            allowsNoWalls: isAccepted,
            find: try FailingBubblewrap().tools,
            report: { report in reports.withLock { $0.append(report) } }
        )
        let film = try ProcessingTests.film()
        for _ in 0..<2 {
            let found = try await laboratory.examine(film)
            #expect((found.thumbnail != nil) == isAccepted && (found.findings.probe != nil) == isAccepted)
        }
        let one = UnwalledFile(reason: "bubblewrap failed: bwrap: no namespaces", isDecoded: isAccepted)
        #expect(reports.withLock { $0 } == [one, one])
        #expect(try await laboratory.problem() == one.reason)
    }

    @Test("A film whose probe has used up its time gets no thumbnail")
    func killedProbe() async throws {
        let found = try await Self.examining(killed: "ffprobe", beside: "ffmpeg", by: "XCPU")
        #expect(found.thumbnail == nil)
        #expect(found.findings.notes == ["probe: \(MediaFailure.killed)"])
    }

    @Test("A film that takes too much memory for its thumbnail keeps its measurements at the last try")
    func killedThumbnail() async throws {
        await #expect(throws: MediaBoxError.self) {
            _ = try await Self.examining(killed: "ffmpeg", beside: "ffprobe", by: "KILL")
        }
        let found = try await Self.examining(killed: "ffmpeg", beside: "ffprobe", by: "KILL", isLast: true)
        #expect(found.thumbnail == nil && found.findings.probe != nil)
        #expect(found.findings.notes.count == 1)
    }

    /// Examines a film by programs of which one is killed by that signal.
    private static func examining(
        killed: String,
        beside other: String,
        by signal: String,
        isLast: Bool = false
    ) async throws -> (findings: MediaFindings, thumbnail: [UInt8]?) {
        let folder = Sandbox.makeFolder()
        let script = "[ \"$1\" = -version ] && echo \(killed) version 5.1 || kill -\(signal) $$\n"
        try Script.write(script, to: "\(folder)/\(killed)")
        for name in ["nice", "setpriv", "prlimit", "choom", other] {
            let places = MediaTools.usualFolders.map { "\($0)/\(name)" }
            let place = try #require(places.first { access($0, X_OK) == 0 })
            try #require(symlink(place, "\(folder)/\(name)") == 0)
        }
        let pool = try BlockingPool(threads: 1, queueMax: 10)
        defer { pool.stop() }
        let laboratory = MediaLaboratory(pool: pool, allowsNoWalls: true, find: { MediaTools.find(in: [folder]) })
        return try await laboratory.examine(try ProcessingTests.film(), isLast: isLast)
    }
}
