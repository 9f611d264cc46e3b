import Foundation

/// Reports the ends of the system's tasks. URLSession calls it on a queue of its own, in order.
final class BackgroundEvents: NSObject, URLSessionDataDelegate, Sendable {
    /// The longest answer is the JSON of a problem.
    private static let answerMaxBytes = 64 << 10
    /// The end of tasks whose session is over.
    static let noSession = TransportError.cut("the system has ended its session")

    private let trust: Guarded<Trust>
    private let ends: Guarded<TaskEnds>
    /// The numbers of the tasks that this run has begun, by their labels. A label comes again when a task is cut.
    private let begun = Guarded<[String: Int]>([:])
    /// The bodies of answers, by the numbers of their tasks.
    private let bodies = Guarded<[Int: [UInt8]]>([:])
    private let invalid = Guarded(false)

    init(_ ends: TaskEnds, _ trust: Trust) {
        self.trust = Guarded(trust)
        self.ends = Guarded(ends)
    }

    /// From now on `ends` gets the reports. The waits at the former one end.
    func report(to ends: TaskEnds, _ trust: Trust) {
        self.trust.withLock { $0 = trust }
        let former = self.ends.withLock { known in
            defer { known = ends }
            return known
        }
        if former !== ends { former.abandon() }
    }

    /// True if the system has ended the session. Another task in it would end the app.
    var isInvalid: Bool { invalid.withLock { $0 } }

    /// Checks the URL of a request by `Trust.origin`.
    func check(_ url: String) throws(TransportError) { _ = try trust.withLock { $0 }.origin(of: url) }

    /// A task of this run begins: the end of an earlier one with its label counts no more.
    func begins(_ task: URLSessionTask, _ label: String) { begun.withLock { $0[label] = task.taskIdentifier } }

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
        let isLate = begun.withLock { begun in
            guard let own = begun[label] else { return false }
            if own == task.taskIdentifier { begun[label] = nil }
            return own != task.taskIdentifier
        }
        if isLate { return }
        ended(label, Self.end(task.response, body ?? [], error))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        invalid.withLock { $0 = true }
        ends.withLock { $0 }.endAll(.failure(Self.noSession))
    }

    func urlSessionDidFinishEvents(forBackgroundURLSession session: URLSession) { ends.withLock { $0 }.delivered() }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let (disposition, credential) = trust.withLock { $0 }.answer(to: challenge)
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

extension NeuroViews {
    /// Goes on with uploads after the system has woken the app for them, and returns as soon as the app may sleep again. For
    /// `.backgroundTask(.urlSession)` of SwiftUI; sessions of others are left alone.
    public func handleBackgroundEvents(identifier: String) async { await wake(identifier) }

    /// The same for `application(_:handleEventsForBackgroundURLSession:completionHandler:)`, with its last arguments.
    @MainActor
    public func handleBackgroundEvents(identifier: String, completion: @escaping () -> Void) {
        Task {
            await wake(identifier)
            completion()
        }
    }
}
