import Foundation

/// The system's session that sends uploads while the app sleeps: one for each store, and one in a process for each name.
final class BackgroundURLSession: BackgroundSession {
    /// As long as an upload has at the server.
    private static let lifetimeS: TimeInterval = 7 * 24 * 3600
    /// The system refuses a second session with a name, and hands out an ended one for its name: each stays, and a store that is
    /// opened again takes it over.
    private static let open = Guarded<[String: BackgroundURLSession]>([:])

    private let allowsCellular: Guarded<Bool>
    private let session: URLSession
    private let events: BackgroundEvents

    /// Makes the session of a name, or takes over the one that is there. From now on it reports to `ends`, by these rules.
    static func named(
        _ identifier: String,
        _ ends: TaskEnds,
        _ trust: Trust,
        allowsCellular: Bool
    ) -> BackgroundURLSession {
        open.withLock { open in
            if let known = open[identifier], !known.events.isInvalid {
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
        (self.events, self.allowsCellular) = (events, Guarded(allowsCellular))
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
        if events.isInvalid { return [] }
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
        guard !events.isInvalid else { throw BackgroundEvents.noSession }
        return session.uploadTask(with: sent, fromFile: URL(fileURLWithPath: file))
    }

    func cancel(_ label: String) { cancel { $0.taskDescription == label } }

    func close() { cancel { _ in true } }

    private func cancel(_ isMeant: @escaping @Sendable (URLSessionTask) -> Bool) {
        guard !events.isInvalid else { return }
        session.getAllTasks { tasks in
            for task in tasks where isMeant(task) { task.cancel() }
        }
    }
}
