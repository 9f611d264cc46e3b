import Postgres

/// The statements by which accounts share the workers of all processes. `lock`, `note` and a claim are one transaction.
///
/// Accounts take turns by time. `job_turns` has a clock for each lane, which stands at the latest begin of a job. An
/// account's next turn is at the end of its jobs on that clock, and never before it: an account that was idle has saved
/// nothing up. The account with the earliest turn is next (start-time fair queueing, Goyal et al. 1996).
enum JobTurnSQL {
    /// Lets the claims of a lane happen one after the other, in all processes. It is a statement of its own: the claim's
    /// snapshot is taken after the wait, so it has the leases and turns of all claims before. PostgreSQL has received
    /// the whole transaction then, so no process that stops can keep the lock.
    static func lock(_ lane: JobLane) -> BoundQuery<Void> { lockLane(.text(lane.rawValue)) }

    private static let lockLane = Query("SELECT pg_advisory_xact_lock(hashtext('neuroviews.jobs ' || $1::text))")

    /// Notes the workers that a process has for a lane, every few seconds. Deletes the notes of killed processes.
    static func note(_ process: String, _ lane: JobLane, workers: Int) -> BoundQuery<Void> {
        noteWorkers(.text(process), .text(lane.rawValue), .int(workers))
    }

    private static let noteWorkers = Query(
        """
        WITH gone AS (
            DELETE FROM job_workers
            WHERE lane = $2::job_lane AND process_id <> $1::uuid AND seen_at < now() - interval '1 day'
        )
        INSERT INTO job_workers AS w (process_id, lane, workers) VALUES ($1::uuid, $2::job_lane, $3::integer)
        ON CONFLICT (process_id, lane) DO UPDATE SET workers = excluded.workers, seen_at = now()
            WHERE w.workers <> excluded.workers OR w.seen_at < now() - interval '5 seconds' OR w.seen_at > now()
        """
    )

    /// The workers of all processes that read files back, as SQL. A worker that looks for jobs, or has one, is noted within
    /// half a minute.
    static let workersSeen = """
        (SELECT coalesce(sum(w.workers), 0)::bigint FROM neuroviews.job_workers w
            WHERE w.lane = '\(JobLane.checks.rawValue)' AND w.seen_at > now() - interval '90 seconds' AND \(isPast))
        """

    /// A note from a clock that was ahead does not count: its process may have been killed since.
    private static let isPast = "w.seen_at <= now() + interval '1 minute'"

    /// Deletes the notes of a process that ends.
    static func leave(_ process: String) -> BoundQuery<Void> { leaveWorkers(.text(process)) }

    private static let leaveWorkers = Query("DELETE FROM job_workers WHERE process_id = $1::uuid")

    /// Adds the time of an attempt to its account. An attempt whose process was killed costs nothing.
    static func charge(_ job: RecordingJob) -> BoundQuery<Void> {
        chargeTurn(.text(job.userID), .text(job.kind.lane.rawValue), .int(job.workedMs))
    }

    private static let chargeTurn = Query(
        "UPDATE job_turns SET next_ms = next_ms + $3::bigint WHERE user_id = $1::uuid AND lane = $2::job_lane"
    )

    /// Claims the oldest due job of the account whose turn it is. An account has at most all workers but one, and at
    /// least one. A process that was killed counts as long as its leases do.
    static func claim(_ lane: JobLane, leaseSeconds: Int) -> BoundQuery<RecordingJob> {
        let query =
            switch lane {
            case .checks: claimCheck
            case .decoding: claimDecoding
            case .previews: claimPreview
            }
        return query(.int(leaseSeconds))
    }

    private static let claimCheck = claim(.checks)
    private static let claimDecoding = claim(.decoding)
    private static let claimPreview = claim(.previews)

    /// A job that was never begun is always due: its time may be from a clock that was ahead. So is one whose time is
    /// further away than the longest pause (`Settings.pauseMaxSeconds` and a quarter).
    private static let isDue = "(j.run_at <= now() OR j.attempts = 0 OR j.run_at > now() + interval '8 hours')"

    /// True for a lease in force. One from a clock that was ahead ends later than any.
    private static let isHeld = """
        j.lease IS NOT NULL AND j.run_at > now() AND j.run_at < now() + 2 * $1::bigint * interval '1 second'
        """

    /// $1 lease in seconds. `waiting` goes through the lane's index from account to account. A turn costs at least a
    /// millisecond, so that accounts alternate while their jobs run.
    private static func claim(_ lane: JobLane) -> Query<RecordingJob> {
        Query(
            """
            WITH RECURSIVE waiting AS (
                (SELECT j.user_id FROM jobs j WHERE j.\(lane.condition) ORDER BY j.user_id LIMIT 1)
                UNION ALL
                SELECT (SELECT j.user_id FROM jobs j WHERE j.user_id > w.user_id AND j.\(lane.condition) ORDER BY j.user_id LIMIT 1)
                FROM waiting w WHERE w.user_id IS NOT NULL
            ), share AS (
                SELECT greatest(coalesce(sum(w.workers), 0) - 1, 1) AS jobs_max FROM job_workers w
                WHERE w.lane = '\(lane.rawValue)' AND w.seen_at > now() - $1::bigint * interval '1 second' AND \(isPast)
            ), clock AS (SELECT coalesce(max(t.began_ms), 0) AS now_ms FROM job_turns t WHERE t.lane = '\(lane.rawValue)'
            ), next AS (
                SELECT d.user_id, d.object_key, d.kind, greatest(t.next_ms, clock.now_ms) AS turn_ms
                FROM waiting w CROSS JOIN share CROSS JOIN clock
                CROSS JOIN LATERAL (
                    SELECT j.user_id, j.object_key, j.kind FROM jobs j
                    WHERE j.user_id = w.user_id AND j.\(lane.condition) AND \(isDue) ORDER BY j.run_at LIMIT 1
                ) d
                LEFT JOIN job_turns t ON t.user_id = d.user_id AND t.lane = '\(lane.rawValue)'
                WHERE share.jobs_max > (
                    SELECT count(*) FROM jobs j
                    WHERE j.user_id = w.user_id AND j.\(lane.condition) AND \(isHeld))
            ), due AS MATERIALIZED (
                SELECT j.user_id, j.object_key, j.kind, n.turn_ms
                FROM next n JOIN jobs j ON j.user_id = n.user_id AND j.object_key = n.object_key AND j.kind = n.kind
                WHERE \(isDue) ORDER BY n.turn_ms, j.user_id LIMIT 1 FOR UPDATE OF j SKIP LOCKED
            ), begun AS (
                INSERT INTO job_turns AS t (user_id, lane, began_ms, next_ms)
                SELECT d.user_id, '\(lane.rawValue)'::job_lane, d.turn_ms, d.turn_ms + 1 FROM due d
                ON CONFLICT (user_id, lane) DO UPDATE
                SET began_ms = excluded.began_ms, next_ms = greatest(t.next_ms, excluded.began_ms) + 1
            )
            UPDATE jobs j SET attempts = j.attempts + 1, lease = gen_random_uuid(),
                run_at = now() + $1::bigint * interval '1 second'
            FROM due d WHERE j.user_id = d.user_id AND j.object_key = d.object_key AND j.kind = d.kind
            RETURNING j.user_id, j.recording_id, j.object_key, j.kind, j.attempts, j.excused, j.lease
            """
        ) { columns throws(UnexpectedResult) in try RecordingJob(&columns) }
    }
}
