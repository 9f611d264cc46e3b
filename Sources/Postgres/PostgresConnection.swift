import CPostgres
import Net

/// One connection in libpq's pipeline mode on one loop. Batches may be sent before the answers of earlier ones have
/// come; each batch is one implicit transaction that ends at its own Sync, so it happens as a whole or not at all.
///
/// `@unchecked Sendable`: touched on its loop's thread only.
final class PostgresConnection: EventHandler, @unchecked Sendable {
    private let loop: EventLoop
    private let batchTimeoutMs: UInt64
    private let onOverdue: (Cancellation) -> Void
    private let onLoss: (String) -> Void
    private var handle: OpaquePointer?
    private var descriptor: Int32
    private var awaited: [Exchange] = []
    /// Their answers are here, but nobody knows yet. Empty but for a moment.
    private var answered: [Exchange] = []
    /// The end of the newest answer: PostgreSQL works on the next batch since then, if it was sent before.
    private var answeredNs: UInt64 = 0
    private var preparedStatements: Set<Int> = []
    /// Preparations under way, by statement.
    private var preparations: [Int: Exchange] = [:]
    private var parameters = BoundParameters()
    private var wantsWrite = false
    private var timer: LoopTimer?

    /// Takes over a connected handle. `onLoss` is called once, when the connection is found broken. `onOverdue` is called before, when the
    /// reason is that PostgreSQL did not answer in time.
    init(
        _ connected: ConnectedHandle,
        loop: EventLoop,
        batchTimeoutMs: UInt64,
        onOverdue: @escaping (Cancellation) -> Void = { _ in },
        onLoss: @escaping (String) -> Void
    ) throws(DatabaseError) {
        self.loop = loop
        self.batchTimeoutMs = batchTimeoutMs
        self.onOverdue = onOverdue
        self.onLoss = onLoss
        handle = connected.pointer
        descriptor = PQsocket(connected.pointer)
        guard PQsetnonblocking(handle, 1) == 0, PQenterPipelineMode(handle) == 1 else {
            throw .unavailable("pipeline mode")
        }
        do {
            try loop.register(descriptor, .read, self)
        } catch {
            throw .unavailable("\(error)")
        }
        timer = LoopTimer { [weak self] in self?.checkDeadline() }
    }

    deinit { if let handle { PQfinish(handle) } }

    /// Sends the steps and one Sync, and returns their results after the Sync's: when they are committed.
    func run(_ steps: [Step]) async throws(DatabaseError) -> [Rows] {
        var times = BatchTimes()
        return try await run(steps, &times)
    }

    /// The same, and sets the times that it took.
    func run(_ steps: [Step], _ times: inout BatchTimes) async throws(DatabaseError) -> [Rows] {
        guard steps.allSatisfy(\.isStorable) else { throw .refused(.untranslatableCharacter) }
        var sent: Exchange?
        let result = await withUnsafeContinuation {
            (continuation: UnsafeContinuation<Result<[Rows], DatabaseError>, Never>) in
            let exchange = Exchange(continuation: continuation, deadlineMs: loop.nowMs + batchTimeoutMs)
            sent = exchange
            send(steps, exchange)
        }
        if let sent { times = sent.times }
        return try result.get()
    }

    /// Breaks the connection off; whatever is awaited fails.
    func close() { lose("closed") }
}

/// What one Sync ends: the results so far and who waits for them.
private final class Exchange {
    let continuation: UnsafeContinuation<Result<[Rows], DatabaseError>, Never>?
    let deadlineMs: UInt64
    let prepares: Statement?
    /// The preparations that had not been answered when this was sent.
    var preparations: [Exchange] = []
    var rows: [Rows] = []
    var refusal: ServerRefusal?
    private(set) var times = BatchTimes()
    let sentNs = Monotonic.nowNs()

    init(
        continuation: UnsafeContinuation<Result<[Rows], DatabaseError>, Never>?,
        deadlineMs: UInt64,
        prepares: Statement? = nil
    ) {
        self.continuation = continuation
        self.deadlineMs = deadlineMs
        self.prepares = prepares
    }

    /// Sets the times: PostgreSQL could begin with it at `begunNs`.
    func end(begunNs: UInt64, ownNs: UInt64) {
        times = BatchTimes(waitNs: max(begunNs, sentNs) - sentNs, ownNs: ownNs)
    }

    func finish() {
        continuation?.resume(returning: reason.map { .failure(.refused($0)) } ?? .success(rows))
    }

    /// After a preparation that failed PostgreSQL only says that there is no such statement, or that the transaction is aborted; why says
    /// the preparation.
    private var reason: ServerRefusal? {
        guard let refusal, ["26000", "25P02"].contains(refusal.state) else { return refusal }
        return preparations.lazy.compactMap(\.refusal).first ?? refusal
    }
}

// MARK: Sending

extension PostgresConnection {
    private func send(_ steps: [Step], _ exchange: Exchange) {
        guard handle != nil else {
            exchange.continuation?.resume(returning: .failure(.unavailable("the connection was lost")))
            return
        }
        for step in steps { prepareOnce(step.statement, for: exchange) }
        for step in steps {
            guard sendStep(step) else { return lose(errorMessage, failing: exchange) }
        }
        sync(exchange)
    }

    private func sendStep(_ step: Step) -> Bool {
        parameters.bind(step.parameters)
        let status = parameters.withPointers { count, values, lengths, formats in
            PQsendQueryPrepared(handle, step.statement.name, count, values, lengths, formats, 0)
        }
        return status == 1
    }

    /// Prepares in an exchange of its own: an error in the batch can't undo it, nor its error the batch, unless a transaction is open.
    private func prepareOnce(_ statement: Statement, for batch: Exchange) {
        guard !preparedStatements.contains(statement.number) else { return }
        if let underWay = preparations[statement.number] { return batch.preparations.append(underWay) }
        let exchange = Exchange(continuation: nil, deadlineMs: batch.deadlineMs, prepares: statement)
        preparations[statement.number] = exchange
        batch.preparations.append(exchange)
        guard PQsendPrepare(handle, statement.name, statement.sql, 0, nil) == 1 else { return lose(errorMessage) }
        sync(exchange)
    }

    private func sync(_ exchange: Exchange) {
        guard PQpipelineSync(handle) == 1 else { return lose(errorMessage, failing: exchange) }
        awaited.append(exchange)
        if awaited.count == 1, let timer { loop.schedule(timer, atMs: exchange.deadlineMs) }
        flush()
    }

    private func flush() {
        let status = PQflush(handle)
        if status < 0 { return lose(errorMessage) }
        let isFull = status == 1
        if isFull != wantsWrite {
            wantsWrite = isFull
            loop.update(descriptor, isFull ? [.read, .write] : .read)
        }
    }
}

// MARK: Receiving

extension PostgresConnection {
    func ready(_ readiness: Readiness) {
        guard PQconsumeInput(handle) == 1 else { return lose(errorMessage) }
        receive()
        if handle != nil, wantsWrite { flush() }
        if handle != nil, PQstatus(handle) == CONNECTION_BAD { lose(errorMessage) }
    }

    /// libpq answers nil once after each step's result, and twice in a row when there is nothing more.
    private func receive() {
        var nilCount = 0
        while let handle, nilCount < 2, !awaited.isEmpty, PQisBusy(handle) == 0 {
            if let result = PQgetResult(handle) {
                nilCount = 0
                take(result)
            } else {
                nilCount += 1
            }
        }
        finishAnswered()
    }

    private func take(_ result: OpaquePointer) {
        let exchange = awaited[0]
        switch PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK:
            exchange.rows.append(Rows(result))
        case PGRES_PIPELINE_SYNC:
            PQclear(result)
            complete()
        case PGRES_PIPELINE_ABORTED:
            PQclear(result)
        default:
            if exchange.refusal == nil { exchange.refusal = ServerRefusal(result) }
            PQclear(result)
        }
    }

    private func complete() {
        let exchange = awaited.removeFirst()
        if let statement = exchange.prepares {
            preparations[statement.number] = nil
            if exchange.refusal == nil { preparedStatements.insert(statement.number) }
        }
        answered.append(exchange)
        if let next = awaited.first, let timer { loop.schedule(timer, atMs: next.deadlineMs) }
    }

    /// Answers that came together have equal parts of the time: nobody knows when PostgreSQL ended each.
    private func finishAnswered() {
        guard let first = answered.first else { return }
        let nowNs = Monotonic.nowNs()
        var begunNs = max(first.sentNs, answeredNs)
        let ownNs = (nowNs - begunNs) / UInt64(answered.count)
        for exchange in answered {
            exchange.end(begunNs: begunNs, ownNs: ownNs)
            exchange.finish()
            begunNs += ownNs
        }
        answered.removeAll(keepingCapacity: true)
        answeredNs = nowNs
    }
}

// MARK: Loss

extension PostgresConnection {
    private var errorMessage: String {
        guard let text = PQerrorMessage(handle) else { return "" }
        let message = String(cString: text)
        return message.isEmpty ? "connection broken" : message
    }

    /// A server that has stopped answering is as good as gone. One that still works on a statement would go on without its client.
    private func checkDeadline() {
        guard let oldest = awaited.first else { return }
        if oldest.deadlineMs <= loop.nowMs {
            if let cancellation = Cancellation(of: handle) { onOverdue(cancellation) }
            lose("no answer in time")
        } else if let timer {
            loop.schedule(timer, atMs: oldest.deadlineMs)
        }
    }

    private func lose(_ reason: String, failing exchange: Exchange? = nil) {
        exchange?.continuation?.resume(returning: .failure(.connectionLost(reason)))
        guard let handle else { return }
        loop.unregister(descriptor)
        PQfinish(handle)
        self.handle = nil
        if let timer { loop.cancel(timer) }
        timer = nil
        let failed = awaited
        awaited = []
        // PostgreSQL has worked on the first one.
        if let first = failed.first {
            let begunNs = max(first.sentNs, answeredNs)
            first.end(begunNs: begunNs, ownNs: Monotonic.nowNs() - begunNs)
        }
        for exchange in failed { exchange.continuation?.resume(returning: .failure(.connectionLost(reason))) }
        onLoss(reason)
    }
}

extension ServerRefusal {
    /// Reads the fields of an error result.
    init(_ result: OpaquePointer) {
        func field(_ code: Character) -> String {
            guard let ascii = code.asciiValue, let text = PQresultErrorField(result, Int32(ascii)) else { return "" }
            return String(cString: text)
        }
        // PG_DIAG_SQLSTATE, PG_DIAG_CONSTRAINT_NAME, PG_DIAG_MESSAGE_PRIMARY.
        self.init(state: field("C"), constraint: field("n"), message: field("M"))
    }
}

/// How long a batch took, in nanoseconds. Batches on one connection follow each other, so a later one first waits for the earlier ones: that wait
/// says how busy the connection is, not what the batch costs.
struct BatchTimes {
    /// The wait for a connection, and behind the batches that were sent on it before.
    var waitNs: UInt64 = 0
    /// The time since PostgreSQL could begin with it.
    var ownNs: UInt64 = 0

    /// What shares take turns by; nil if it never began.
    var costNs: UInt64? { ownNs > 0 ? ownNs : nil }

    /// Adds the times of another batch of the same lease.
    mutating func add(_ other: BatchTimes) {
        waitNs += other.waitNs
        ownNs += other.ownNs
    }
}
