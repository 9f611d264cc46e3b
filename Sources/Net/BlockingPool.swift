import CLinux
import Glibc
import Synchronization

/// Threads for blocking work: password hashing, disk, DNS. Threads and waiting jobs are bounded. Jobs belong to shares,
/// which are served in turn. If the queue is full, the largest share loses a job. Jobs with no waiting client run last.
///
/// `@unchecked Sendable`: `lock` guards `queue`, `forsaken` and `isStopped`.
public final class BlockingPool: @unchecked Sendable {
    /// The queue is full.
    public struct Full: Error {}

    private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let wakeup = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
    private let queueMax: Int
    private let nice: Int32
    private var queue = FairQueue<Job>()
    /// Jobs that were no longer wanted at their turn.
    private var forsaken: [Job] = []
    private var isStopped = false
    private var threads: [pthread_t] = []
    /// For ThreadSanitizer: it does not see that a continuation orders a job before its caller's next step. It sees
    /// this.
    private let handovers = Atomic(0)

    private struct Job {
        let isWanted: () -> Bool
        let work: () -> Void
        let refuse: () -> Void
    }

    /// Starts `threads` threads with the niceness `nice` (0 to 19). At most `queueMax` jobs wait.
    public init(threads count: Int, queueMax: Int, nice: Int32 = 0) throws(SystemError) {
        self.queueMax = queueMax
        self.nice = nice
        pthread_mutex_init(lock, nil)
        pthread_cond_init(wakeup, nil)
        for _ in 0..<count { try startThread() }
    }

    deinit {
        pthread_mutex_destroy(lock)
        pthread_cond_destroy(wakeup)
        lock.deallocate()
        wakeup.deallocate()
    }

    /// Runs `work` on one of the threads when its share has its turn. `share` is a path: a share can be a part of a
    /// larger one. A job no longer wanted at its turn runs after all others. Throws `Full` if too many jobs wait, and
    /// errors of `work`.
    public func run<T: Sendable>(
        of share: [String] = [],
        isWanted: @escaping @Sendable () -> Bool = { true },
        _ work: @escaping @Sendable () throws -> T
    ) async throws -> T {
        let result: Result<T, any Error> = await withUnsafeContinuation { continuation in
            let job = Job(
                isWanted: isWanted,
                work: {
                    let result = Result { try work() }
                    self.handovers.add(1, ordering: .releasing)
                    continuation.resume(returning: result)
                },
                refuse: { continuation.resume(returning: .failure(Full())) }
            )
            submit(job, of: share[...])?.refuse()
        }
        _ = handovers.load(ordering: .acquiring)
        return try result.get()
    }

    /// The number of jobs that wait for a thread.
    public var waitingCount: Int { locked { count } }

    private var count: Int { queue.count + forsaken.count }

    /// Finishes all waiting jobs and ends the threads. Blocks; don't call it from one of them.
    public func stop() {
        locked { isStopped = true }
        pthread_cond_broadcast(wakeup)
        for thread in threads { pthread_join(thread, nil) }
        threads = []
    }

    /// Queues a job. Returns the rejected job, if any: this one, or another evicted for it.
    private func submit(_ job: Job, of share: ArraySlice<String>) -> Job? {
        let refused: Job? = locked {
            guard !isStopped else { return job }
            let evicted = count < queueMax ? nil : forsaken.popLast() ?? queue.evict(for: share)
            guard count < queueMax else { return job }
            queue.append(job, to: share)
            return evicted
        }
        pthread_cond_signal(wakeup)
        return refused
    }

    private func startThread() throws(SystemError) {
        var thread = pthread_t()
        let retained = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, blockingPoolMain, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            throw SystemError(call: "pthread_create", code: status)
        }
        threads.append(thread)
    }

    fileprivate func work() {
        if nice != 0 { _ = nv_set_thread_nice(nice) }
        while let job = nextJob() { job.work() }
    }

    private func nextJob() -> Job? {
        locked {
            while true {
                if let job = nextWanted() { return job }
                if !forsaken.isEmpty { return forsaken.removeFirst() }
                if isStopped { return nil }
                pthread_cond_wait(wakeup, lock)
            }
        }
    }

    private func nextWanted() -> Job? {
        while !queue.isEmpty {
            let job = queue.removeFirst()
            if job.isWanted() { return job }
            forsaken.append(job)
        }
        return nil
    }

    private func locked<R>(_ body: () -> R) -> R {
        pthread_mutex_lock(lock)
        defer { pthread_mutex_unlock(lock) }
        return body()
    }
}

private func blockingPoolMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<BlockingPool>.fromOpaque(argument).takeRetainedValue().work()
    return nil
}
