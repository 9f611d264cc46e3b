import Postgres

/// The open uploads and the jobs of all accounts, for metrics.
package struct RecordingFigures: Sendable {
    /// The jobs of one kind that are not done.
    package struct Jobs: Sendable {
        package let kind: String
        package let running: Int
        package let waiting: Int
    }

    package let openUploads: Int
    /// The sizes of the files of open uploads.
    package let reservedBytes: Int
    package let jobs: [Jobs]
    /// The workers of all processes that read files back.
    package let workers: Int

    /// Reads the figures of this moment. Throws `CloudSyncError`.
    package static func read(_ database: Database) async throws -> RecordingFigures {
        let background = CallerDatabase(database)
        let (uploads, jobs, workers) = try await background.background(Self.uploads(), Self.jobs(), Self.workers())
        return RecordingFigures(
            openUploads: uploads.first?.count ?? 0,
            reservedBytes: uploads.first?.reserved ?? 0,
            jobs: jobs,
            workers: workers.first ?? 0
        )
    }

    private static let uploads = Query(
        "SELECT count(*), coalesce(sum(size), 0)::bigint FROM recording_files WHERE state = 'uploading'"
    ) { columns throws(UnexpectedResult) in (count: try columns.next() as Int, reserved: try columns.next() as Int) }

    private static let workers = Query("SELECT \(JobTurnSQL.workersSeen)") { columns throws(UnexpectedResult) in
        try columns.next() as Int
    }

    /// A job with an expired lease is no longer running.
    private static let jobs = Query(
        """
        SELECT kind::text, count(j.user_id) FILTER (WHERE running), count(j.user_id) FILTER (WHERE NOT running)
        FROM unnest(enum_range(NULL::job_kind)) kind
        LEFT JOIN (SELECT *, lease IS NOT NULL AND run_at > now() AND run_at < now() + interval '2 minutes' AS running FROM jobs) j USING (kind)
        GROUP BY kind ORDER BY kind
        """
    ) { columns throws(UnexpectedResult) in
        Jobs(kind: try columns.next(), running: try columns.next(), waiting: try columns.next())
    }
}
