import Postgres

/// The statements by which accounts share the workers of all processes. `lock`, `note` and a claim are one transaction.
///
/// Accounts take turns by time. `job_turns` has a clock for each lane, which stands at the latest begin of a job. An
/// account's next turn is at the end of its jobs on that clock, and never before it: an account that was idle has saved
/// nothing up. Of the accounts that a claim reads, that with the earliest turn is next (start-time fair queueing, Goyal
/// et al. 1996).
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

    /// Limits of a claim: the accounts that it reads, those with a due job among which it chooses, and the jobs that it
    /// reads of each. So a claim takes no longer with a million accounts that wait than with a thousand. More accounts
    /// are read than chosen from, so that the postponed jobs of up to a thousand others do not hide due ones.
    private static let (readMax, ableMax, jobsMax) = (1024, 256, 64)

    /// `waiting` goes through the lane's index from account to account. It begins at a random id, so that each account
    /// is read as often as any other, and goes on with the lowest account after the highest. It ends where it began:
    /// UNION adds no account twice. PostgreSQL goes no further than `able` reads.
    private static func waiting(in lane: JobLane) -> String {
        """
        waiting AS (
            SELECT gen_random_uuid() AS user_id
            UNION
            SELECT coalesce(
                (SELECT j.user_id FROM jobs j WHERE j.user_id > w.user_id AND j.\(lane.condition) ORDER BY j.user_id LIMIT 1),
                (SELECT j.user_id FROM jobs j WHERE j.\(lane.condition) ORDER BY j.user_id LIMIT 1))
            FROM waiting w
        )
        """
    }

    /// The due job of account `w`. Without a clock that was ahead, it has the earliest time of all.
    private static func dueJob(in lane: JobLane) -> String {
        """
        SELECT j.user_id, j.object_key, j.kind FROM (
            SELECT * FROM jobs j WHERE j.user_id = w.user_id AND j.\(lane.condition) ORDER BY j.run_at LIMIT \(jobsMax)
        ) j WHERE \(isDue) ORDER BY j.run_at LIMIT 1
        """
    }

    /// $1 lease in seconds. A turn costs at least a millisecond, so that accounts alternate while their jobs run. Each
    /// look-up is LATERAL with a limit or a lock, so that no plan reads a whole table. `due` locks the jobs of `next` one
    /// after the other, until it has one.
    private static func claim(_ lane: JobLane) -> Query<RecordingJob> {
        Query(
            """
            WITH RECURSIVE \(waiting(in: lane)), share AS MATERIALIZED (
                SELECT greatest(coalesce(sum(w.workers), 0) - 1, 1) AS jobs_max FROM job_workers w
                WHERE w.lane = '\(lane.rawValue)' AND w.seen_at > now() - $1::bigint * interval '1 second' AND \(isPast)
            ), clock AS MATERIALIZED (
                SELECT coalesce(max(t.began_ms), 0) AS now_ms FROM job_turns t WHERE t.lane = '\(lane.rawValue)'
            ), able AS (
                SELECT d.user_id, d.object_key, d.kind
                FROM (SELECT w.user_id FROM waiting w LIMIT \(readMax)) w CROSS JOIN share
                CROSS JOIN LATERAL (\(dueJob(in: lane))) d
                WHERE share.jobs_max > (
                    SELECT count(*) FROM (
                        SELECT FROM jobs j WHERE j.user_id = w.user_id AND j.\(lane.condition) AND \(isHeld)
                        ORDER BY j.run_at LIMIT share.jobs_max) held)
                LIMIT \(ableMax)
            ), next AS (
                SELECT d.user_id, d.object_key, d.kind, greatest(t.next_ms, clock.now_ms) AS turn_ms
                FROM able d CROSS JOIN clock LEFT JOIN LATERAL (
                    SELECT t.next_ms FROM job_turns t WHERE t.user_id = d.user_id AND t.lane = '\(lane.rawValue)' LIMIT 1
                ) t ON true ORDER BY turn_ms, d.user_id
            ), due AS MATERIALIZED (
                SELECT n.* FROM next n CROSS JOIN LATERAL (
                    SELECT FROM jobs j WHERE j.user_id = n.user_id AND j.object_key = n.object_key AND j.kind = n.kind
                    AND \(isDue) FOR UPDATE SKIP LOCKED
                ) locked LIMIT 1
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
