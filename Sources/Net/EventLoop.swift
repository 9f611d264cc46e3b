import CLinux
import Glibc

/// One thread around epoll(7). It is also a `TaskExecutor` (SE-0417): a task with this preference runs, suspends and
/// resumes on that thread.
///
/// `@unchecked Sendable`: `handlers`, `ready`, `yielded`, `timers` and `scratch` are used only on the loop's thread;
/// `register` and similar functions check that. Other threads use only `inbox`.
public final class EventLoop: TaskExecutor, @unchecked Sendable {
    /// Position in the loop's group.
    public let index: Int
    /// Monotonic time in milliseconds, updated once per iteration.
    public var nowMs: UInt64 { timeMs }

    /// Events of patient descriptors in a round.
    private static let patientMax: Int32 = 16

    private let epoll: Int32
    /// The set of the patient descriptors, within `epoll`: their events come after all others.
    private let patient: Int32
    private let wakeup: Int32
    private let inbox = Locked(Inbox())
    private var thread = pthread_t()
    // Unchecked: the runtime's exclusivity check would run for every job. Each access is a single store, append, swap
    // or read that can't re-enter this code.
    @exclusivity(unchecked) private var timeMs: UInt64
    @exclusivity(unchecked) private var ready: [Work] = []
    private var isStopping = false
    @exclusivity(unchecked) private var yielded: [UnsafeContinuation<Void, Never>] = []
    private var handlers: [(any EventHandler)?] = []
    @exclusivity(unchecked) private var timers: TimerWheel
    /// The shared receive buffer of all sockets, so an idle connection owns no buffer.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: Socket.readMaxBytes, alignment: 64)

    private enum Work {
        case job(UnownedJob)
        case call(@Sendable () -> Void)
    }

    private struct Inbox {
        var work: [Work] = []
        var stopped = false
    }

    /// Starts the loop's thread. Throws `SystemError` if no descriptor or thread is available.
    public init(index: Int) throws(SystemError) {
        self.index = index
        epoll = try SystemError.check(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
        patient = try SystemError.check(epoll_create1(Int32(EPOLL_CLOEXEC)), "epoll_create1")
        wakeup = try SystemError.check(eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "eventfd")
        timeMs = Monotonic.nowMs()
        timers = TimerWheel(nowMs: timeMs)
        // Each write is an event of its own, so the number need not be read.
        let changes = EPOLLIN.rawValue | EPOLLET.rawValue
        var event = epoll_event(events: changes, data: epoll_data_t(fd: wakeup))
        _ = try SystemError.check(epoll_ctl(epoll, EPOLL_CTL_ADD, wakeup, &event), "epoll_ctl")
        var others = epoll_event(events: EPOLLIN.rawValue, data: epoll_data_t(fd: patient))
        _ = try SystemError.check(epoll_ctl(epoll, EPOLL_CTL_ADD, patient, &others), "epoll_ctl")
        try startThread()
    }

    deinit {
        close(epoll)
        close(patient)
        close(wakeup)
        scratch.deallocate()
    }

    /// True if the caller is on this loop's thread.
    public var isCurrent: Bool { Self.currentPointer.value == Unmanaged.passUnretained(self).toOpaque() }

    /// Runs the job on the loop's thread. A call from there needs no lock.
    public func enqueue(_ job: consuming ExecutorJob) { add(.job(UnownedJob(job))) }

    /// Runs `body` on the loop's thread, in a later step and in order with jobs. It costs less than a task.
    public func call(_ body: @escaping @Sendable () -> Void) { add(.call(body)) }

    private func add(_ work: Work) {
        if isCurrent { return ready.append(work) }
        let wasEmpty = inbox.withLock { inbox in
            inbox.work.append(work)
            return inbox.work.count == 1
        }
        if wasEmpty { wake() }
    }

    /// Ends the loop after the jobs that are ready now, and waits for its thread. Don't call it from the loop.
    public func stop() {
        precondition(!isCurrent, "a loop can't wait for itself")
        inbox.withLock { $0.stopped = true }
        wake()
        pthread_join(thread, nil)
    }

    /// Starts a task that stays on this loop.
    @discardableResult
    public func spawn(_ body: sending @escaping @isolated(any) () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: self, operation: body)
    }

    /// Runs `body` on this loop and returns its result to the caller's executor. It uses a separate task: a closure
    /// under `withTaskExecutorPreference` would start on the caller's thread.
    public func run<T: Sendable>(_ body: @escaping @Sendable () async throws -> T) async throws -> T {
        try await Task(executorPreference: self) { try await body() }.value
    }

    /// Runs `body`, which can't fail, on this loop.
    public func run<T: Sendable>(_ body: @escaping @Sendable () async -> T) async -> T {
        await Task(executorPreference: self) { await body() }.value
    }

    /// Suspends the calling task for at least `delayMs` milliseconds.
    public func sleep(forMs delayMs: UInt64) async {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            let timer = LoopTimer { continuation.resume() }
            // Not `nowMs`: a long job makes that value old. One is added for the current millisecond.
            schedule(timer, atMs: Monotonic.nowMs() + delayMs + 1)
        }
    }

    /// Lets sockets and other tasks of this loop run first. `Task.yield` would leave the loop's thread.
    public func yield() async {
        await withUnsafeContinuation { continuation in
            precondition(isCurrent)
            yielded.append(continuation)
        }
    }
}

// MARK: Descriptors and timers, on the loop's thread only

extension EventLoop {
    /// Reports the events of `interest` to `handler` until `unregister`. Events are hints: a handler must tolerate
    /// spurious ones.
    public func register(
        _ descriptor: Int32,
        _ interest: Interest,
        isPatient: Bool = false,
        _ handler: any EventHandler
    ) throws(SystemError) {
        precondition(isCurrent)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        let set = isPatient ? patient : epoll
        _ = try SystemError.check(epoll_ctl(set, EPOLL_CTL_ADD, descriptor, &event), "epoll_ctl")
        let slot = Int(descriptor)
        while handlers.count <= slot { handlers.append(nil) }
        handlers[slot] = handler
    }

    /// Makes a registered descriptor patient, or usual again, with the same events. A round takes at most `patientMax`
    /// events of patient ones, after all others.
    public func move(_ descriptor: Int32, _ interest: Interest, toPatient isPatient: Bool) {
        precondition(isCurrent)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        // A descriptor with bytes is reported again.
        guard epoll_ctl(isPatient ? patient : epoll, EPOLL_CTL_ADD, descriptor, &event) == 0 else { return }
        epoll_ctl(isPatient ? epoll : patient, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Changes the watched events of a registered descriptor.
    public func update(_ descriptor: Int32, _ interest: Interest) {
        precondition(isCurrent)
        var event = epoll_event(events: interest.rawValue, data: epoll_data_t(fd: descriptor))
        epoll_ctl(epoll, EPOLL_CTL_MOD, descriptor, &event)
    }

    /// Stops watching the descriptor. The caller closes it afterwards.
    public func unregister(_ descriptor: Int32) {
        precondition(isCurrent)
        var event = epoll_event()
        if epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event) != 0 {
            epoll_ctl(patient, EPOLL_CTL_DEL, descriptor, &event)
        }
        handlers[Int(descriptor)] = nil
    }

    /// Starts or moves the timer. A move to a later time costs one store.
    public func schedule(_ timer: LoopTimer, atMs deadlineMs: UInt64) {
        precondition(isCurrent)
        timers.schedule(timer, atMs: deadlineMs)
    }

    /// Removes the timer; it will not fire.
    public func cancel(_ timer: LoopTimer) {
        precondition(isCurrent)
        timers.cancel(timer)
    }
}

// MARK: The thread

extension EventLoop {
    private static let currentPointer = ThreadLocal()

    /// The loop of the current thread; nil on other threads.
    public static var current: EventLoop? {
        guard let pointer = currentPointer.value else { return nil }
        return Unmanaged<EventLoop>.fromOpaque(pointer).takeUnretainedValue()
    }

    private func startThread() throws(SystemError) {
        let retained = Unmanaged.passRetained(self)
        let status = pthread_create(&thread, nil, eventLoopMain, retained.toOpaque())
        guard status == 0 else {
            retained.release()
            throw SystemError(call: "pthread_create", code: status)
        }
    }

    fileprivate func run() {
        Self.currentPointer.value = Unmanaged.passUnretained(self).toOpaque()
        var events = [epoll_event](repeating: epoll_event(), count: 256)
        while takeInbox() {
            runReadyJobs()
            // While stopping, no event wakes the loop again.
            let hasWork = !ready.isEmpty || !yielded.isEmpty || isStopping
            let count = epoll_wait(epoll, &events, Int32(events.count), hasWork ? 0 : timers.waitMs(nowMs: nowMs))
            timeMs = Monotonic.nowMs()
            var hasPatient = false
            for event in events.prefix(max(0, Int(count))) {
                if event.data.fd == patient { hasPatient = true } else { dispatch(event) }
            }
            if hasPatient {
                let count = epoll_wait(patient, &events, Self.patientMax, 0)
                for event in events.prefix(max(0, Int(count))) { dispatch(event) }
            }
            for timer in timers.takeDue(nowMs: nowMs) { timer.fire(nowMs: nowMs) }
            resumeYielded()
        }
    }

    private func takeInbox() -> Bool {
        inbox.withLock { inbox in
            if !inbox.work.isEmpty {
                ready.append(contentsOf: inbox.work)
                inbox.work.removeAll(keepingCapacity: true)
            }
            isStopping = inbox.stopped
            return !isStopping || !ready.isEmpty
        }
    }

    /// Runs the work that is ready now. What it makes ready waits for the next round, so sockets get their turn.
    private func runReadyJobs() {
        guard !ready.isEmpty else { return }
        var all: [Work] = []
        swap(&all, &ready)
        let executor = asUnownedTaskExecutor()
        for work in all {
            switch work {
            case .job(let job): job.runSynchronously(on: executor)
            case .call(let body): body()
            }
        }
        all.removeAll(keepingCapacity: true)
        // The end of what a call has held may have made other work ready.
        if ready.isEmpty { swap(&all, &ready) }
    }

    private func resumeYielded() {
        for continuation in yielded { continuation.resume() }
        yielded.removeAll(keepingCapacity: true)
    }

    private func dispatch(_ event: epoll_event) {
        let descriptor = event.data.fd
        guard Int(descriptor) < handlers.count, let handler = handlers[Int(descriptor)] else { return }
        handler.ready(Readiness(rawValue: event.events))
    }

    private func wake() {
        var one: UInt64 = 1
        _ = write(wakeup, &one, 8)
    }
}

private func eventLoopMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<EventLoop>.fromOpaque(argument).takeRetainedValue().run()
    return nil
}
