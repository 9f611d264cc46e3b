import Foundation

/// The system's session that sends uploads while the app sleeps: one for each store, and one in a process for each name.
final class BackgroundURLSession: BackgroundSession {
    /// As long as an upload has at the server.
    private static let lifetimeS: TimeInterval = 7 * 24 * 3600
    /// The system refuses a second session with a name: a store that is opened again takes over the one that is there.
    private static let open = Guarded<[String: BackgroundURLSession]>([:])

    private let identifier: String
    private let allowsCellular: Guarded<Bool>
    private let session: URLSession
    private let events: BackgroundEvents
    /// A task in a session that has ended would end the app.
    private let isClosed = Guarded(false)

    /// Makes the session of a name, or takes over the one that is there. From now on it reports to `ends`, by these rules.
    static func named(
        _ identifier: String,
        _ ends: TaskEnds,
        _ trust: Trust,
        allowsCellular: Bool
    ) -> BackgroundURLSession {
        open.withLock { open in
            if let known = open[identifier] {
                known.events.report(to: ends, trust)
                known.allowsCellular.withLock { $0 = allowsCellular }
                return known
            }
            let made = BackgroundURLSession(identifier, BackgroundEvents(ends, trust), allowsCellular: allowsCellular)
            open[identifier] = made
            return made
        }
    }

    private init(_ identifier: String, _ events: BackgroundEvents, allowsCellular: Bool) {
        (self.identifier, self.events, self.allowsCellular) = (identifier, events, Guarded(allowsCellular))
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.isDiscretionary = false
        configuration.sessionSendsLaunchEvents = true
        configuration.waitsForConnectivity = true
        // Each request decides on cellular networks, for a system's session outlives the option.
        configuration.timeoutIntervalForResource = Self.lifetimeS
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.keepNothing()
        session = URLSession(configuration: configuration, delegate: events, delegateQueue: nil)
    }

    func labels() async -> [String] {
        if isClosed.withLock({ $0 }) { return [] }
        return await withCheckedContinuation { continuation in
            session.getAllTasks { tasks in
                // A task is over before its end is reported.
                let open = tasks.filter { $0.state == .running || $0.state == .suspended }
                continuation.resume(returning: open.compactMap(\.taskDescription))
            }
        }
    }

    func begin(_ request: TransferRequest, file: String, label: String) {
        do throws(TransportError) {
            let task = try task(request, file)
            task.taskDescription = label
            events.begins(task, label)
            task.resume()
        } catch {
            events.ended(label, .failure(error))
        }
    }

    /// The session raises an exception, which ends the app, for a file that is gone and after its own end.
    private func task(_ request: TransferRequest, _ file: String) throws(TransportError) -> URLSessionTask {
        try events.check(request.url)
        var sent = try URLRequest(request, stallS: TransportLimits().stallS)
        sent.allowsCellularAccess = allowsCellular.withLock { $0 }
        guard access(file, R_OK) == 0 else { throw .cut("the file to send can't be read: \(errno)") }
        let task = isClosed.withLock { isClosed in
            isClosed ? nil : session.uploadTask(with: sent, fromFile: URL(fileURLWithPath: file))
        }
        guard let task else { throw .cut("the store is closed") }
        return task
    }

    func cancel(_ label: String) {
        guard !isClosed.withLock({ $0 }) else { return }
        session.getAllTasks { tasks in
            for task in tasks where task.taskDescription == label { task.cancel() }
        }
    }

    func close() {
        // First, so that nobody takes over a session that ends.
        Self.open.withLock { $0[identifier] = nil }
        isClosed.withLock { isClosed in
            isClosed = true
            session.invalidateAndCancel()
        }
    }
}
