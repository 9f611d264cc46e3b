import Foundation

/// The system's session that sends uploads while the app sleeps: one for each store, and one in a process for each name.
final class BackgroundURLSession: BackgroundSession {
    /// As long as an upload has at the server.
    private static let lifetimeS: TimeInterval = 7 * 24 * 3600
    /// The system refuses a second session with a name: a store that is opened again takes over the one that is there.
    private static let open = Guarded<[String: BackgroundURLSession]>([:])

    private let identifier: String
    private let allowsCellular: Bool
    private let session: URLSession
    private let events: BackgroundEvents

    /// Makes the session of a name, or takes over the one that is there. From now on it reports to `ends`.
    static func named(
        _ identifier: String,
        _ ends: TaskEnds,
        _ trust: Trust,
        allowsCellular: Bool
    ) -> BackgroundURLSession {
        open.withLock { open in
            if let known = open[identifier] {
                known.events.report(to: ends)
                return known
            }
            let made = BackgroundURLSession(identifier, BackgroundEvents(ends, trust), allowsCellular: allowsCellular)
            open[identifier] = made
            return made
        }
    }

    private init(_ identifier: String, _ events: BackgroundEvents, allowsCellular: Bool) {
        (self.identifier, self.events, self.allowsCellular) = (identifier, events, allowsCellular)
        let configuration = URLSessionConfiguration.background(withIdentifier: identifier)
        configuration.isDiscretionary = false
        configuration.sessionSendsLaunchEvents = true
        configuration.waitsForConnectivity = true
        configuration.allowsCellularAccess = allowsCellular
        configuration.timeoutIntervalForResource = Self.lifetimeS
        configuration.tlsMinimumSupportedProtocolVersion = .TLSv13
        configuration.httpCookieStorage = nil
        configuration.urlCredentialStorage = nil
        configuration.urlCache = nil
        session = URLSession(configuration: configuration, delegate: events, delegateQueue: nil)
    }

    func labels() async -> [String] {
        await withCheckedContinuation { continuation in
            session.getAllTasks { tasks in
                // One whose end is about to be reported is over.
                let open = tasks.filter { $0.state == .running || $0.state == .suspended }
                continuation.resume(returning: open.compactMap(\.taskDescription))
            }
        }
    }

    func begin(_ request: TransferRequest, file: String, label: String) {
        guard let url = URL(string: request.url) else {
            return events.ended(label, .failure(.badRequest("its URL")))
        }
        var sent = URLRequest(url: url)
        sent.httpMethod = request.method
        for field in request.fields { sent.setValue(field.value, forHTTPHeaderField: field.name) }
        sent.allowsCellularAccess = allowsCellular
        let task = session.uploadTask(with: sent, fromFile: URL(fileURLWithPath: file))
        task.taskDescription = label
        task.resume()
    }

    func cancel(_ label: String) {
        session.getAllTasks { tasks in
            for task in tasks where task.taskDescription == label { task.cancel() }
        }
    }

    func close() {
        session.invalidateAndCancel()
        Self.open.withLock { $0[identifier] = nil }
    }
}
