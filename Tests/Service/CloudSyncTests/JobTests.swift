import CloudSync
import Foundation
import Glibc
import Media
import Net
import Storage
import TestSupport
import Testing
import Uploads

@testable import CloudSync

/// The servers, tries and order of jobs.
struct JobTests {
    @Test("Kinds of jobs and states of recordings and uploads have the same names in SQL and Swift")
    func names() async throws {
        try await World.with { world in
            for (type, names) in [
                ("job_kind", JobKind.allCases.map(\.rawValue)),
                ("job_lane", JobLane.allCases.map(\.rawValue)),
                ("recording_state", RecordingState.allCases.map(\.rawValue)),
                ("upload_state", UploadState.Phase.allCases.map(\.rawValue)),
            ] {
                let rows = try await world.sql("SELECT unnest(enum_range(NULL::\(type)))::text")
                #expect((0..<rows.count).compactMap { rows[$0].text(0) } == names)
            }
        }
    }

    @Test("A job of a dead server is run again, and the dead server's result is ignored")
    func deadServer() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], caller)
            let job = try #require(try await fixture.jobs[0].claim())
            #expect(try await fixture.jobs[1].runNext() == false)
            try await fixture.passLeases()
            let begun = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 { group.addTask { try await fixture.jobs[number % 2].runNext() } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(begun == 1)
            await fixture.jobs[0].run(job)
            #expect(fixture.ends == ["verify done", "verify lost"])
            let (document, version) = try await fixture.document(id, caller)
            #expect(version == 2 && document["processing_status"]?.string == "ready")
        }
    }

    @Test("Fifty jobs on two servers run once each")
    func twoServers() async throws {
        try await JobFixture.with { fixture in
            for caller in try await [fixture.world.newAccount()[0], fixture.world.newAccount()[0]] {
                for _ in 0..<25 { try await fixture.record(JobFixture.newID(), [1, 2, 3], caller) }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<4 {
                    group.addTask { while try await fixture.jobs[number % 2].runNext() {} }
                }
                try await group.waitForAll()
            }
            try await fixture.runAll()
            #expect(fixture.ends == Array(repeating: "verify done", count: 50))
            let ready =
                "SELECT count(*) FROM recordings r JOIN recording_files f USING (user_id, id) WHERE state = 'ready' AND version = 2"
            #expect(try await fixture.value(ready) == "50")
        }
    }

    @Test("A file that can't be read is retried with growing delays for as long as the store fails")
    func outage() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, nil, caller)
            // A symbolic link to itself: opening it fails with an error other than "not found".
            let path = fixture.disk.path(of: key)
            #expect(symlink(path, path) == 0)
            for attempt in 1...12 {
                #expect(try await fixture.jobs[0].runNext())
                #expect(try await fixture.jobs[0].runNext() == false)
                let pause = try await fixture.value("SELECT extract(epoch FROM run_at - now())::float FROM jobs")
                let usual = 10 * pow(2, Double(attempt - 1))
                #expect((0.7 * usual...1.25 * usual).contains(try #require(Double(pause))))
                #expect(try await fixture.value("SELECT attempts FROM jobs WHERE lease IS NULL") == "\(attempt)")
                try await fixture.passLeases()
            }
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "pending")
            #expect(unlink(path) == 0)
            try await fixture.disk.put([1], as: key)
            try await fixture.runAll()
            #expect(fixture.ends == Array(repeating: "verify postponed", count: 12) + ["verify done"])
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
            #expect(try await fixture.value("SELECT count(*) FROM jobs") == "0")
        }
    }

    @Test(
        "Programs that can't start are tried eight times, and then the recording is ready without them",
        .needsFFmpeg
    )
    func dead() async throws {
        try await JobFixture.with(tools: lostTools) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], type: "video/quicktime", caller)
            #expect(try await fixture.jobs[0].runNext())
            for _ in 1...8 {
                #expect(try await fixture.jobs[0].runNext(.decoding))
                try await fixture.passLeases()
            }
            let postponed = Array(repeating: "process postponed", count: 7)
            #expect(fixture.ends == ["verify done"] + postponed + ["process dead"])
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
        }
    }

    @Test("A job made by a clock that was ahead runs at once, and the delay after a failure stays")
    func clockAhead() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], caller)
            try await fixture.world.sql("UPDATE jobs SET run_at = now() + interval '27000 seconds', attempts = 1")
            #expect(try await fixture.jobs[0].runNext() == false)
            try await fixture.world.sql("UPDATE jobs SET attempts = 0")
            #expect(try await fixture.jobs[0].runNext())
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
            try await fixture.record(JobFixture.newID(), [1, 2, 3], caller)
            try await fixture.world.sql("UPDATE jobs SET run_at = now() + interval '1 day', attempts = 1")
            #expect(try await fixture.jobs[0].runNext(), "the pause after a failure is never that long")
        }
    }

    @Test("A job that repeatedly kills its server is given up")
    func deadly() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], caller)
            for _ in 0..<8 {
                #expect(try await fixture.jobs[0].claim() != nil)
                try await fixture.passLeases()
            }
            try await fixture.runAll()
            #expect(fixture.ends == ["verify dead"])
            #expect(try await fixture.document(id, caller).value["failure"]?.string == "not verified")
        }
    }

    @Test("Jobs of accounts run in turns: a single job does not wait for another account's thousand")
    func fairness() async throws {
        var settings = RecordingJobs.Settings()
        settings.mediaJobs = 8
        try await JobFixture.with(settings) { fixture in
            let many = try await fixture.world.newAccount()[0]
            let few = try await (0..<3).asyncMap { _ in try await fixture.world.newAccount()[0] }
            try await fixture.world.sql(
                """
                INSERT INTO jobs (user_id, recording_id, object_key, kind, run_at)
                SELECT '\(many.userID)', gen_random_uuid(), 'key-' || n, 'remove', now() - (2000 - n) * interval '1 second'
                FROM generate_series(1, 1000) n
                """
            )
            for caller in few {
                try await fixture.world.sql(
                    """
                    INSERT INTO jobs (user_id, recording_id, object_key, kind)
                    VALUES ('\(caller.userID)', gen_random_uuid(), 'only', 'remove')
                    """
                )
            }
            var begun: [RecordingJob] = []
            for _ in 0..<6 { begun.append(try #require(try await fixture.jobs[0].claim())) }
            #expect(Set(few.map(\.userID)).isSubset(of: begun.prefix(4).map(\.userID)))
            let theirs = begun.filter { $0.userID == many.userID }.map(\.objectKey)
            #expect(theirs == ["key-1", "key-2", "key-3"].prefix(theirs.count).map { $0 })
        }
    }

    @Test("A long job keeps its lease, and completes on a server slower than the lease")
    func prolonged() async throws {
        var settings = RecordingJobs.Settings()
        settings.leaseSeconds = 3
        try await JobFixture.with(settings) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, nil, caller)
            // Opening the named pipe waits for a writer.
            let path = fixture.disk.path(of: key)
            #expect(mkfifo(path, 0o600) == 0)
            let job = try #require(try await fixture.jobs[0].claim())
            let first = try await fixture.value("SELECT run_at FROM jobs")
            let running = Task { await fixture.jobs[0].run(job) }
            try await eventually {
                try await fixture.value("SELECT run_at > '\(first)'::timestamptz FROM jobs") == "t"
            }
            let writer = Glibc.open(path, O_WRONLY)
            await running.value
            close(writer)
            #expect(fixture.ends == ["verify done: wrong size"])
        }
    }

    @Test("A stopping server returns its job without counting an attempt")
    func interrupted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, Array(repeating: 7, count: 1 << 20), caller)
            let job = try #require(try await fixture.jobs[0].claim())
            await Task {
                withUnsafeCurrentTask { $0?.cancel() }
                await fixture.jobs[0].run(job)
            }.value
            #expect(try await fixture.value("SELECT attempts FROM jobs WHERE lease IS NULL") == "0")
            try await fixture.runAll()
            #expect(fixture.ends == ["verify interrupted", "verify done"])
            #expect(try await fixture.document(id, caller).version == 2)
        }
    }

    @Test("Workers run announced jobs, and end when they are cancelled")
    func workers() async throws {
        try await JobFixture.with { fixture in
            let loop = fixture.world.loops[0]
            let wakeup = Wakeup(loop)
            let workers = (0..<2).map { number in loop.spawn { await fixture.jobs[number].work(waking: wakeup) } }
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], caller)
            wakeup.signal()
            try await eventually { fixture.ends == ["verify done"] }
            for worker in workers { worker.cancel() }
            wakeup.signal()
            for worker in workers { await worker.value }
        }
    }
}

/// The installed programs by symbolic links that are deleted after the search.
@Sendable
private func lostTools() -> MediaTools {
    let folder = Sandbox.makeFolder()
    for name in ["nice", "setpriv", "prlimit", "choom", "ffprobe", "ffmpeg"] {
        let places = MediaTools.usualFolders.map { "\($0)/\(name)" }
        if let place = places.first(where: { access($0, X_OK) == 0 }) { symlink(place, "\(folder)/\(name)") }
    }
    defer { try? FileManager.default.removeItem(atPath: folder) }
    return MediaTools.find(in: [folder])
}

extension Range<Int> {
    fileprivate func asyncMap<T>(_ body: (Int) async throws -> T) async rethrows -> [T] {
        var values: [T] = []
        for number in self { values.append(try await body(number)) }
        return values
    }
}
