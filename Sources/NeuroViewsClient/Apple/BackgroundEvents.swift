import Foundation

/// Reports the ends of the system's tasks. URLSession calls it on a queue of its own, in order.
final class BackgroundEvents: NSObject, URLSessionDataDelegate, Sendable {
    /// Of an answer, which has a problem's JSON at most.
    private static let answerMaxBytes = 64 << 10

    private let trust: Trust
    private let ends: Guarded<TaskEnds>
    /// The bodies of answers, by the numbers of their tasks.
    private let bodies = Guarded<[Int: [UInt8]]>([:])

    init(_ ends: TaskEnds, _ trust: Trust) {
        self.trust = trust
        self.ends = Guarded(ends)
    }

    /// Names the one who gets reports from now on.
    func report(to ends: TaskEnds) { self.ends.withLock { $0 = ends } }

    func ended(_ label: String, _ end: TaskEnds.End) { ends.withLock { $0 }.ended(label, end) }

    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        didSendBodyData bytesSent: Int64,
        totalBytesSent: Int64,
        totalBytesExpectedToSend: Int64
    ) {
        guard let label = task.taskDescription else { return }
        ends.withLock { $0 }.sent(label, totalBytesSent)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        bodies.withLock { bodies in
            let known = bodies[dataTask.taskIdentifier] ?? []
            bodies[dataTask.taskIdentifier] = known + data.prefix(Self.answerMaxBytes - known.count)
        }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let body = bodies.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        guard let label = task.taskDescription else { return }
        ended(label, Self.end(task.response, body ?? [], error))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { ends.withLock { $0 }.delivered() }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = trust.answer(to: challenge)
        completionHandler(disposition, credential)
    }

    private static func end(_ response: URLResponse?, _ body: [UInt8], _ error: (any Error)?) -> TaskEnds.End {
        if let error {
            let failure = TransportError(error)
            // Whoever waits has not cancelled it: the system, or a store that is closed.
            return .failure(failure == .cancelled ? .cut("the system ended the task") : failure)
        }
        guard let answer = response as? HTTPURLResponse else { return .failure(.notHTTP("no status")) }
        return .success(TransferAnswer(answer, body: body))
    }
}
