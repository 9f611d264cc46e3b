import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

/// The requests of a URLSession: their turns, and the session's reports of them, in order and on a queue of its own.
final class SessionTransfers: NSObject, URLSessionDataDelegate, Sendable {
    private struct State {
        var turns: TransferTurns<Exchange>
        /// Those that have begun, by the numbers of their tasks.
        var running: [Int: RunningTransfer] = [:]
        /// Peers that were refused last, by host and port. The system reports a cancelled request, without a reason.
        var refused: [String: TrustProblem] = [:]
    }

    private let trust: Trust
    private let limits: TransportLimits
    private let pieces: PieceFolder
    private let allowsCellularUploads: Bool
    private let state: Guarded<State>

    init(_ trust: Trust, _ limits: TransportLimits, _ pieces: PieceFolder, allowsCellularUploads: Bool) {
        (self.trust, self.limits, self.pieces) = (trust, limits, pieces)
        self.allowsCellularUploads = allowsCellularUploads
        state = Guarded(State(turns: TransferTurns(max: limits.connectionsMax, filesMax: limits.filesMax)))
    }

    // MARK: Requests

    /// The exchange begins in its turn. Its end comes later.
    func submit(_ exchange: Exchange, _ session: URLSession) {
        state.withLock { $0.turns.add(exchange, hasFile: exchange.hasFile) }
        beginNext(session)
    }

    /// Ends an exchange that is marked as cancelled.
    func cancel(_ exchange: Exchange) {
        let (waiting, task) = state.withLock { state in
            let waiting = state.turns.remove { $0 === exchange }
            return (waiting, state.running.values.first { $0.exchange === exchange }?.task)
        }
        waiting?.end(.failure(.cancelled))
        task?.cancel()
    }

    private func beginNext(_ session: URLSession) {
        while let exchange = state.withLock({ $0.turns.next() }) {
            guard !exchange.isCancelled else {
                end(exchange, .failure(.cancelled), session)
                continue
            }
            if case .file(let region) = exchange.request.body {
                // Its copy may take a second.
                Task { await begin(exchange, region, session) }
            } else {
                begin(exchange, session) { session.dataTask(with: $0) }
            }
        }
    }

    private func begin(_ exchange: Exchange, _ region: FileRegion, _ session: URLSession) async {
        do throws(TransportError) {
            if let path = region.wholePath {
                begin(exchange, session) { session.uploadTask(with: $0, fromFile: URL(fileURLWithPath: path)) }
                return
            }
            let body = try await pieces.mapped(region)
            begin(exchange, session) { request in
                var request = request
                request.httpBody = body
                return session.dataTask(with: request)
            }
        } catch {
            end(exchange, .failure(error), session)
        }
    }

    private func begin(_ exchange: Exchange, _ session: URLSession, _ make: (URLRequest) -> URLSessionTask) {
        do throws(TransportError) {
            var request = try URLRequest(exchange.request, stallS: limits.stallS)
            if case .file = exchange.request.body { request.allowsCellularAccess = allowsCellularUploads }
            let task = make(request)
            let isCancelled = state.withLock { state in
                // Whoever cancels it later finds the task.
                let isCancelled = exchange.isCancelled
                if !isCancelled { state.running[task.taskIdentifier] = RunningTransfer(exchange, task, limits) }
                return isCancelled
            }
            guard !isCancelled else {
                // It has not begun, and would stay in the session with its body.
                task.cancel()
                throw .cancelled
            }
            task.resume()
        } catch {
            end(exchange, .failure(error), session)
        }
    }

    private func end(_ exchange: Exchange, _ outcome: Exchange.Outcome, _ session: URLSession) {
        state.withLock { $0.turns.end(hasFile: exchange.hasFile) }
        exchange.end(outcome)
        beginNext(session)
    }

    private func transfer(_ task: URLSessionTask) -> RunningTransfer? {
        state.withLock { $0.running[task.taskIdentifier] }
    }

    // MARK: Reports

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        transfer(task)?.sent(totalBytesSent)
    }

    func urlSession(
        _ session: URLSession,
        dataTask: URLSessionDataTask,
        didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        let goesOn = transfer(dataTask)?.take(response) ?? false
        completionHandler(goesOn ? .allow : .cancel)
        // FoundationNetworking does not read the disposition.
        if !goesOn { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if transfer(dataTask)?.take(data) == false { dataTask.cancel() }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let (transfer, problem) = state.withLock { state in
            let transfer = state.running.removeValue(forKey: task.taskIdentifier)
            return (transfer, transfer.flatMap { state.refused[$0.exchange.origin.place] })
        }
        guard let transfer else { return }
        end(transfer.exchange, transfer.outcome(error, refused: problem), session)
    }

    // MARK: Challenges

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let verdict = trust.verdict(on: challenge)
        state.withLock { $0.refused[challenge.protectionSpace.place] = verdict.problem }
        completionHandler(verdict.disposition, verdict.credential)
    }

    /// A server that wants a password: its 401 is an answer.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        transfer(task)?.isChallenged = true
        completionHandler(.rejectProtectionSpace, nil)
    }
}
