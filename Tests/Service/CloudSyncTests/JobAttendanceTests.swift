import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// Operators' view of the workers of all processes.
@Suite("Workers of recordings' files for operators")
struct JobAttendanceTests {
    private static func read(_ fixture: JobFixture) async throws -> JobAttendance {
        try await onThread { try JobAttendance(reading: BlockingSession(fixture.world.connectionString)) }
    }

    @Test("A job that nobody begins for a minute is stalled only while no process has workers")
    func stalled() async throws {
        try await JobFixture.with { fixture in
            #expect(try await Self.read(fixture) == JobAttendance(workers: 0, oldestSeconds: nil))
            let caller = try await fixture.world.newAccount()[0]
            try await fixture.addJobs(.verify, 2, caller)
            #expect(try await !Self.read(fixture).isStalled)
            try await fixture.world.sql("UPDATE jobs SET created_at = now() - interval '2 minutes'")
            #expect(try await Self.read(fixture).isStalled)
            // This process has workers now, and one of them has begun the first job.
            #expect(try await fixture.jobs[0].claim(.checks) != nil)
            let busy = try await Self.read(fixture)
            #expect(busy.workers == 3 && !busy.isStalled && (busy.oldestSeconds ?? 0) >= 120)
            #expect(try await RecordingFigures.read(fixture.world.databases[0]).workers == 3)
            for seen in ["- interval '91 seconds'", "+ interval '1 hour'"] {
                try await fixture.world.sql("UPDATE job_workers SET seen_at = now() \(seen)")
                #expect(try await Self.read(fixture).isStalled)
            }
            // The next search of this process notes it again.
            #expect(try await fixture.jobs[0].claim(.checks) != nil)
            #expect(try await Self.read(fixture).workers == 3)
        }
    }
}
