import CloudSync

extension Metrics {
    /// Metrics that the database or the disk cannot provide now are omitted.
    func appendRecordings(uploadedBytes: Int?, _ text: inout MetricsText) async {
        if let uploadedBytes { appendTraffic(uploadedBytes, &text) }
        text.begin("neuroviews_jobs_total", .counter, "Attempts at jobs of recordings, by how they ended.")
        for (key, job) in events.jobCounts { text.sample(job.count, [("kind", key.kind), ("outcome", key.end)]) }
        text.begin("neuroviews_job_seconds_total", .counter, "What they took.")
        for (key, job) in events.jobCounts {
            text.sample(Double(job.durationMs) / 1000, [("kind", key.kind), ("outcome", key.end)])
        }
        text.begin("neuroviews_media_unsandboxed_total", .counter, "Files that came while ffmpeg had no sandbox.")
        for (outcome, count) in events.unwalledMedia { text.sample(count, [("outcome", outcome)]) }
        text.begin("neuroviews_storage_errors_total", .counter, "What went wrong with the store of recordings' files.")
        for (kind, count) in sources.storageErrors.all { text.sample(count, [("kind", kind)]) }
        text.single(
            "neuroviews_orphan_bytes_total",
            .counter,
            "Bytes in the store that belonged to no recording and were removed.",
            events.orphanBytes
        )
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
        // `neuroviews_database_errors_total` counts the error.
        guard let figures = try? await RecordingFigures.read(sources.database) else { return }
        text.single("neuroviews_uploads_open", .gauge, "Uploads that are not completed.", figures.openUploads)
        text.single("neuroviews_uploads_reserved_bytes", .gauge, "The sizes of their files.", figures.reservedBytes)
        text.begin("neuroviews_jobs", .gauge, "Jobs of recordings that are not done, by what becomes of them.")
        for job in figures.jobs {
            text.sample(job.running, [("kind", job.kind), ("state", "running")])
            text.sample(job.waiting, [("kind", job.kind), ("state", "waiting")])
        }
        text.single("neuroviews_job_workers", .gauge, "Workers that check files, in all processes.", figures.workers)
    }
}
