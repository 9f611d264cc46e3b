import Foundation
import TestSupport
import Testing

@testable import CloudSync

/// The shares of accounts in the workers of all processes.
@Suite("Turns of accounts at jobs")
struct JobTurnTests {
    /// Two processes with so many workers that decode.
    private static func with(
        decoders: Int,
        _ body: @escaping @Sendable (JobFixture) async throws -> Void
    ) async throws {
        var settings = RecordingJobs.Settings()
        settings.mediaJobs = decoders
        try await JobFixture.with(settings, body)
    }

    /// The claims until one finds no job.
    private static func claims(_ jobs: RecordingJobs, _ lane: JobLane = .decoding) async throws -> [RecordingJob] {
        var claimed: [RecordingJob] = []
        while let job = try await jobs.claim(lane) { claimed.append(job) }
        return claimed
    }

    @Test("An account gets all decoding workers of all processes but one, and another account the last one")
    func share() async throws {
        try await Self.with(decoders: 2) { fixture in
            let (many, few) = (try await fixture.world.newAccount()[0], try await fixture.world.newAccount()[0])
            try await fixture.addJobs(.process, 10, many)
            #expect(try await Self.claims(fixture.jobs[0]).count == 1)
            // The second process brings two workers more.
            #expect(try await Self.claims(fixture.jobs[1]).count == 2)
            try await fixture.addJobs(.process, 10, few)
            let next = try #require(try await fixture.jobs[0].claim(.decoding))
            #expect(next.userID == few.userID)
            // Files are checked beside all that.
            try await fixture.addJobs(.verify, 1, many)
            #expect(try await fixture.jobs[0].claim(.checks)?.kind == .verify)
        }
    }

    @Test("One worker decodes for an account, whether the process is alone or has ended and started again")
    func oneWorker() async throws {
        try await Self.with(decoders: 1) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.addJobs(.process, 10, caller)
            #expect(try await Self.claims(fixture.jobs[0]).count == 1)
            try await fixture.jobs[0].leave()
            #expect(try await fixture.value("SELECT count(*) FROM job_workers") == "0")
            // The ended process has left a lease, which counts until it expires.
            #expect(try await Self.claims(fixture.jobs[1]).isEmpty)
            try await fixture.passLeases()
            #expect(try await Self.claims(fixture.jobs[1]).count == 1)
        }
    }

    @Test(
        "The workers of a killed process count for as long as a lease lasts, and not until a time that is ahead",
        arguments: ["- interval '61 seconds'", "+ interval '1 day'"]
    )
    func killed(seen: String) async throws {
        try await Self.with(decoders: 2) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            for jobs in fixture.jobs { #expect(try await jobs.claim(.decoding) == nil) }
            try await fixture.world.sql("UPDATE job_workers SET seen_at = now() \(seen)")
            try await fixture.addJobs(.process, 10, caller)
            #expect(try await Self.claims(fixture.jobs[0]).count == 1)
        }
    }

    @Test("A lease from a clock that was ahead does not keep a worker from its account")
    func leaseAhead() async throws {
        try await Self.with(decoders: 1) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.addJobs(.process, 10, caller)
            #expect(try await Self.claims(fixture.jobs[0]).count == 1)
            try await fixture.world.sql("UPDATE jobs SET run_at = now() + interval '2 hours' WHERE lease IS NOT NULL")
            #expect(try await Self.claims(fixture.jobs[0]).count == 1)
        }
    }

    @Test("Concurrent claims of two processes keep an account within its share")
    func concurrent() async throws {
        try await Self.with(decoders: 2) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            for jobs in fixture.jobs { #expect(try await jobs.claim(.decoding) == nil) }
            for _ in 0..<5 {
                try await fixture.world.sql("DELETE FROM jobs")
                try await fixture.addJobs(.process, 30, caller)
                let claimed = try await withThrowingTaskGroup(of: Int.self) { group in
                    for number in 0..<24 {
                        group.addTask { try await fixture.jobs[number % 2].claim(.decoding) == nil ? 0 : 1 }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(claimed == 3)
            }
        }
    }

    /// Others share the cluster.
    private static let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

    @Test("A claim beside another one finds the next job")
    func order() async throws {
        try await Self.with(decoders: 2) { fixture in
            let caller = try await fixture.world.newAccount()[0]
            for jobs in fixture.jobs { #expect(try await jobs.claim(.decoding) == nil) }
            try await fixture.addJobs(.process, 2, caller)
            let (database, ended) = (fixture.world.databases[1], Counter())
            let second = try await database.transaction(as: .background, key: "first") { transaction in
                let claim = JobTurnSQL.claim(.decoding, leaseSeconds: 60)
                #expect(try await transaction.run([JobTurnSQL.lock(.decoding).step, claim.step])[1].count == 1)
                let second = Task {
                    defer { ended.add() }
                    return try await fixture.jobs[0].claim(.decoding)
                }
                try await eventually {
                    if ended.value > 0 { return true }
                    return try await fixture.value(Self.waiting) != "0"
                }
                _ = try await transaction.commit()
                return second
            }
            #expect(try await second.value != nil)
        }
    }

    @Test("With one worker, accounts take turns by the time that their files take")
    func time() async throws {
        try await Self.with(decoders: 1) { fixture in
            let (slow, quick) = (try await fixture.world.newAccount()[0], try await fixture.world.newAccount()[0])
            for caller in [slow, quick] { try await fixture.addJobs(.process, 20, caller) }
            var served: [String: Int] = [:]
            for number in 0..<12 {
                // The other process is as good.
                let jobs = fixture.jobs[number % 2]
                let job = try #require(try await jobs.claim(.decoding))
                served[job.userID, default: 0] += 1
                try await fixture.world.sql(
                    "UPDATE job_turns SET next_ms = next_ms + \(job.userID == slow.userID ? 500_000 : 100_000)"
                        + " WHERE user_id = '\(job.userID)'"
                )
                try await jobs.store(.gone, of: job)
            }
            #expect(served == [slow.userID: 2, quick.userID: 10])
        }
    }

    @Test("An account that had no jobs for long has saved up no time")
    func idle() async throws {
        try await Self.with(decoders: 1) { fixture in
            let (busy, idle) = (try await fixture.world.newAccount()[0], try await fixture.world.newAccount()[0])
            try await fixture.addJobs(.process, 3, busy)
            for _ in 0..<2 {
                let job = try #require(try await fixture.jobs[0].claim(.decoding))
                try await fixture.world.sql("UPDATE job_turns SET next_ms = next_ms + 100000")
                try await fixture.jobs[0].store(.gone, of: job)
            }
            try await fixture.addJobs(.process, 1, idle)
            let job = try #require(try await fixture.jobs[0].claim(.decoding))
            #expect(job.userID == idle.userID)
            let turns = "SELECT count(DISTINCT began_ms) || ' ' || (min(began_ms) > 0) FROM job_turns"
            #expect(try await fixture.value(turns) == "1 true")
        }
    }

    @Test("An erasure deletes an account's jobs before its turns, in the order in which claims lock them")
    func erasure() async throws {
        try await JobFixture.with { fixture in
            let order = "SELECT string_agg(relation, ' ') FROM account_tables() WHERE relation IN ('jobs', 'job_turns')"
            let found = try await fixture.value(order)
            #expect(found == "jobs job_turns")
        }
    }

    @Test("The time of an attempt is charged to its account when it ends, also without a result")
    func charged() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let key = try await fixture.record(JobFixture.newID(), nil, caller)
            // A symbolic link to itself can't be opened.
            let path = fixture.disk.path(of: key)
            #expect(symlink(path, path) == 0)
            let charge = "SELECT next_ms - began_ms >= 20 FROM job_turns WHERE lane = 'checks'"
            let first = try #require(try await fixture.jobs[0].claim())
            #expect(try await fixture.value(charge) == "f")
            try await eventually { first.workedMs >= 20 }
            await fixture.jobs[0].run(first)
            #expect(fixture.ends == ["verify postponed"])
            #expect(try await fixture.value(charge) == "t")
            try await fixture.passLeases()
            let second = try #require(try await fixture.jobs[1].claim())
            #expect(try await fixture.value(charge) == "f")
            try await eventually { second.workedMs >= 20 }
            try await fixture.jobs[1].store(.gone, of: second)
            #expect(try await fixture.value(charge) == "t")
        }
    }

    /// Accounts with a job each that was begun once, and is due after so many seconds.
    private static func addAccounts(_ count: Int, dueIn seconds: Int = 0, _ fixture: JobFixture) async throws {
        try await fixture.world.sql(
            """
            WITH account AS (
                INSERT INTO users (email, password_hash)
                SELECT gen_random_uuid() || '@example.org', '-' FROM generate_series(1, \(count)) RETURNING id
            )
            INSERT INTO jobs (user_id, recording_id, object_key, kind, attempts, run_at)
            SELECT id, gen_random_uuid(), gen_random_uuid()::text, 'verify', 1, now() + interval '\(seconds) seconds'
            FROM account
            """
        )
    }

    /// Claims a job, and returns it with the blocks that the claim has read.
    private static func measuredClaim(_ fixture: JobFixture) async throws -> (job: RecordingJob?, blocks: Int) {
        let (read, claim) = (StatementCostTests.readBlocks(), JobTurnSQL.claim(.checks, leaseSeconds: 60))
        let (before, jobs, after) = try await CallerDatabase(fixture.world.databases[0]).background(read, claim, read)
        let counts = before + after
        return (jobs.first, counts[1] - counts[0])
    }

    @Test("A claim reads a limited number of accounts that wait, and those of all ids alike")
    func manyWait() async throws {
        try await JobFixture.with { fixture in
            try await Self.addAccounts(2000, fixture)
            let blocks = try await Self.measuredClaim(fixture).blocks
            #expect((1..<5000).contains(blocks), "\(blocks) blocks")
            var claimed: [RecordingJob] = []
            for _ in 0..<40 { claimed.append(try #require(try await fixture.jobs[0].claim())) }
            #expect(Set(claimed.map(\.userID)).count == 40)
            #expect(Set(claimed.map { $0.userID < "8" }).count == 2)
        }
    }

    @Test("A claim reads a limited number of accounts with postponed jobs, and finds a due one among a thousand")
    func manyPostponed() async throws {
        try await JobFixture.with { fixture in
            try await Self.addAccounts(1000, dueIn: 3600, fixture)
            for _ in 0..<3 {
                let caller = try await fixture.world.newAccount()[0]
                try await fixture.addJobs(.verify, 1, caller)
                #expect(try await fixture.jobs[0].claim()?.userID == caller.userID)
            }
            try await Self.addAccounts(4000, dueIn: 3600, fixture)
            let (job, blocks) = try await Self.measuredClaim(fixture)
            #expect(job == nil && (1..<20_000).contains(blocks), "\(blocks) blocks")
        }
    }

    @Test("A claim reads a limited number of an account's postponed jobs")
    func postponed() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.addJobs(.verify, 5000, caller)
            let later = "now() + (1 + random()) * interval '1 hour'"
            try await fixture.world.sql("UPDATE jobs SET attempts = 1, run_at = \(later)")
            let (job, blocks) = try await Self.measuredClaim(fixture)
            #expect(job == nil && (1..<1000).contains(blocks), "\(blocks) blocks")
            try await fixture.addJobs(.verify, 1, caller)
            #expect(try await fixture.jobs[0].claim() != nil)
        }
    }
}
