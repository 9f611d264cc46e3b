import Postgres

extension Metrics {
    private static let standing = Query(
        """
        SELECT (SELECT count(*) FROM recording_files WHERE state = 'uploading'),
            (SELECT coalesce(sum(size), 0)::bigint FROM recording_files WHERE state = 'uploading'), (SELECT count(*) FROM jobs)
        """
    ) { columns throws(UnexpectedResult) in
        (uploads: try columns.next() as Int, reserved: try columns.next() as Int, jobs: try columns.next() as Int)
    }

    /// What the database and the disk can't say now is left out.
    func appendRecordings(_ text: inout MetricsText) async {
        text.begin("neuroviews_jobs_total", .counter, "Attempts at jobs of recordings, by how they ended.")
        for (key, job) in events.jobCounts { text.sample(job.count, [("kind", key.kind), ("end", key.end)]) }
        text.begin("neuroviews_job_seconds_total", .counter, "What they took.")
        for (key, job) in events.jobCounts {
            text.sample(Double(job.durationMs) / 1000, [("kind", key.kind), ("end", key.end)])
        }
        if case .disk(let disk) = backend.storage, let free = try? await disk.freeBytes() {
            text.single(
                "neuroviews_storage_free_bytes",
                .gauge,
                "What the volume of recordings' files has left, the reserve included.",
                free
            )
        }
        let query = Self.standing()
        guard let rows = try? await backend.database.background([query.step]).first,
            let standing = try? query.values(of: rows).first
        else { return }
        text.single("neuroviews_uploads_open", .gauge, "Uploads that are not completed.", standing.uploads)
        text.single("neuroviews_uploads_reserved_bytes", .gauge, "The sizes of their files.", standing.reserved)
        text.single("neuroviews_jobs_waiting", .gauge, "Jobs that are not done, running ones included.", standing.jobs)
    }
}
