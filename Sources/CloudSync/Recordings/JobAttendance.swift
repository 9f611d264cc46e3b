import Postgres

/// Whether any process works on recordings' files, for operators. Without one, uploads stay unverified.
package struct JobAttendance: Sendable, Equatable {
    /// The workers of all processes that read files back.
    package let workers: Int
    /// The age of the oldest job that nobody has begun, in seconds; nil without one.
    package let oldestSeconds: Int?

    /// Workers look for jobs twice as often, also without an announcement.
    private static let beginMaxSeconds = 60

    package init(workers: Int, oldestSeconds: Int?) { (self.workers, self.oldestSeconds) = (workers, oldestSeconds) }

    /// Reads it in a session that may read the tables.
    package init(reading session: BlockingSession) throws(DatabaseError) {
        let row = try session.execute("SELECT \(JobTurnSQL.workersSeen), \(Self.oldest)").first
        self.init(workers: row?.int(0) ?? 0, oldestSeconds: row?.int(1))
    }

    /// True if a job waits for longer than any worker would leave it, and there is none.
    package var isStalled: Bool { workers == 0 && (oldestSeconds ?? 0) > Self.beginMaxSeconds }

    private static let oldest =
        "(SELECT extract(epoch FROM now() - min(created_at))::bigint FROM neuroviews.jobs WHERE attempts = 0)"
}
