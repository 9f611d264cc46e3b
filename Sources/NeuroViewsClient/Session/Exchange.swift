/// One call of the transport: its request, and the place where the outcome waits for the caller.
final class Exchange: Sendable {
    typealias Outcome = Result<TransferAnswer, TransportError>

    private struct State {
        var isCancelled = false
        var continuation: CheckedContinuation<Void, Never>?
        var outcome: Outcome?
    }

    let request: TransferRequest
    let file: DownloadFile?
    /// Of the request's URL.
    let origin: Origin
    private let state = Guarded(State())

    init(_ request: TransferRequest, into file: DownloadFile?, origin: Origin) {
        self.request = request
        self.file = file
        self.origin = origin
    }

    /// True if it leaves a connection to others: a file, or a request that waits.
    var hasFile: Bool { file != nil || request.isLong }
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The task was cancelled, perhaps before `begin`.
    func cancel() { state.withLock { $0.isCancelled = true } }

    /// Runs `begin`, after which another thread calls `end`, and waits for that.
    func outcome(_ begin: () -> Void) async -> Outcome {
        await withCheckedContinuation { continuation in
            state.withLock { $0.continuation = continuation }
            begin()
        }
        return state.withLock { $0.outcome } ?? .failure(.cancelled)
    }

    /// Resumes the caller. Only the first call counts. Nothing may use the request's files afterwards.
    func end(_ outcome: Outcome) {
        let continuation = state.withLock { state in
            if state.outcome == nil { state.outcome = outcome }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }
}
