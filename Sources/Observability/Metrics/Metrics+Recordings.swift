import Postgres

extension Metrics {
    private static let uploads = Query(
        """
        SELECT count(*), coalesce(sum(size), 0)::bigint FROM recording_files WHERE state = 'uploading'
        """
    ) { columns throws(UnexpectedResult) in (count: try columns.next() as Int, reserved: try columns.next() as Int) }

    /// A job with an expired lease is no longer running.
    private static let jobs = Query(
        """
        SELECT kind::text, count(j.user_id) FILTER (WHERE running), count(j.user_id) FILTER (WHERE NOT running)
        FROM unnest(enum_range(NULL::job_kind)) kind
        LEFT JOIN (SELECT *, lease IS NOT NULL AND run_at > now() AS running FROM jobs) j USING (kind)
        GROUP BY kind ORDER BY kind
        """
    ) { columns throws(UnexpectedResult) in
        (kind: try columns.next() as String, running: try columns.next() as Int, waiting: try columns.next() as Int)
    }

    /// Metrics that the database or the disk cannot provide now are omitted.
    func appendRecordings(uploadedBytes: Int?, _ text: inout MetricsText) async {
        if let uploadedBytes { appendTraffic(uploadedBytes, &text) }
        text.begin("neuroviews_jobs_total", .counter, "Attempts at jobs of recordings, by how they ended.")
        for (key, job) in events.jobCounts { text.sample(job.count, [("kind", key.kind), ("end", key.end)]) }
        text.begin("neuroviews_job_seconds_total", .counter, "What they took.")
        for (key, job) in events.jobCounts {
            text.sample(Double(job.durationMs) / 1000, [("kind", key.kind), ("end", key.end)])
        }
        text.begin("neuroviews_storage_errors_total", .counter, "What went wrong with the store of recordings' files.")
        for (kind, count) in sources.storageErrors.all { text.sample(count, [("kind", kind)]) }
        if case .disk(let disk) = sources.storage, let free = try? await disk.freeBytes() {
            text.single(
                "neuroviews_storage_free_bytes",
                .gauge,
                "What the volume of recordings' files has left, the reserve included.",
                free
            )
        }
        await appendUnfinished(&text)
    }

    private func appendTraffic(_ uploadedBytes: Int, _ text: inout MetricsText) {
        text.single(
            "neuroviews_upload_bytes_total",
            .counter,
            "Bytes that were sent to upload URLs, of requests that have ended.",
            uploadedBytes
        )
        text.single(
            "neuroviews_upload_resumptions_total",
            .counter,
            "Requests that went on with an upload behind bytes that were there.",
            events.resumedUploads
        )
        text.single(
            "neuroviews_download_bytes_total",
            .counter,
            "Bytes of recordings' files that were sent to clients.",
            events.downloadedBytes
        )
    }

    private func appendUnfinished(_ text: inout MetricsText) async {
        let (uploads, jobs) = (Self.uploads(), Self.jobs())
        guard let rows = try? await sources.database.background([uploads.step, jobs.step]),
            let open = try? uploads.values(of: rows[0]).first, let kinds = try? jobs.values(of: rows[1])
        else { return }
        text.single("neuroviews_uploads_open", .gauge, "Uploads that are not completed.", open.count)
        text.single("neuroviews_uploads_reserved_bytes", .gauge, "The sizes of their files.", open.reserved)
        text.begin("neuroviews_jobs", .gauge, "Jobs of recordings that are not done, by what becomes of them.")
        for job in kinds {
            text.sample(job.running, [("kind", job.kind), ("state", "running")])
            text.sample(job.waiting, [("kind", job.kind), ("state", "waiting")])
        }
    }
}
