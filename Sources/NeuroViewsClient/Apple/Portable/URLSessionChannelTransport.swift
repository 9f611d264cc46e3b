import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking

    @testable import NeuroViewsClient
#endif

/// WebSockets over URLSession, with the trust and the pins of requests.
package final class URLSessionChannelTransport: ChannelTransport {
    private let trust: Trust
    private let limits: ChannelLimits
    private let session: URLSession
    private let sockets: SessionSockets

    /// `limits` are for tests.
    package init(_ trust: Trust, limits: ChannelLimits = ChannelLimits(), configuration: URLSessionConfiguration) {
        (self.trust, self.limits) = (trust, limits)
        sockets = SessionSockets(trust)
        session = URLSession(configuration: configuration, delegate: sockets, delegateQueue: nil)
    }

    /// Sockets that are open end.
    deinit { session.invalidateAndCancel() }

    package func open(_ request: TransferRequest) async throws(TransportError) -> ChannelOpening {
        try request.checkLines()
        let origin = try trust.origin(of: request.url)
        var socketRequest = request
        // URLSession knows WebSockets by their scheme.
        socketRequest.url = (origin.isEncrypted ? "wss" : "ws") + request.url.drop { $0 != ":" }
        let task = session.webSocketTask(with: try URLRequest(socketRequest, stallS: TransportLimits().stallS))
        task.maximumMessageSize = limits.messageMaxBytes
        let wire = ChannelWire(waitingMax: limits.waitingMax) { [sockets, number = task.taskIdentifier] in
            sockets.socket(number)?.carryOut()
        }
        let socket = SessionSocket(task, wire, origin, limits)
        let opening = await withTaskCancellationHandler {
            await wire.opening {
                sockets.add(socket)
                socket.begin()
            }
        } onCancel: {
            wire.end()
            task.cancel()
        }
        return try opening.get()
    }
}

/// The sockets of a URLSession, and what the session reports of them, in order and on a queue of its own.
final class SessionSockets: NSObject, URLSessionWebSocketDelegate, Sendable {
    private let trust: Trust
    /// Those that have not ended, by the numbers of their tasks.
    private let open = Guarded<[Int: SessionSocket]>([:])
    /// Peers that were refused last, by host and port.
    private let refused = Guarded<[String: TrustProblem]>([:])

    init(_ trust: Trust) { self.trust = trust }

    func add(_ socket: SessionSocket) { open.withLock { $0[socket.number] = socket } }

    func socket(_ number: Int) -> SessionSocket? { open.withLock { $0[number] } }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didOpenWithProtocol protocol: String?
    ) {
        socket(webSocketTask.taskIdentifier)?.opened()
    }

    func urlSession(
        _ session: URLSession,
        webSocketTask: URLSessionWebSocketTask,
        didCloseWith closeCode: URLSessionWebSocketTask.CloseCode,
        reason: Data?
    ) {
        let code = closeCode == .noStatusReceived ? nil : closeCode.rawValue
        let text = reason.map { String(decoding: $0, as: UTF8.self) } ?? ""
        socket(webSocketTask.taskIdentifier)?.end(ChannelEnd(code: code, reason: text))
    }

    /// The token and the signature are for this server alone. The answer ends the opening.
    func urlSession(
        _ session: URLSession,
        task: URLSessionTask,
        willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest,
        completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let socket = open.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        socket.ended(task.response, error, refused: refused.withLock { $0[socket.origin.place] })
    }

    func urlSession(
        _ session: URLSession,
        didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let verdict = trust.verdict(on: challenge)
        refused.withLock { $0[challenge.protectionSpace.place] = verdict.problem }
        completionHandler(verdict.disposition, verdict.credential)
    }
}

/// An open WebSocket, as its users see it. Its task ends when nobody has this any more.
final class SessionChannel: Channel {
    private let wire: ChannelWire

    init(_ wire: ChannelWire) { self.wire = wire }

    deinit { wire.end() }

    func send(_ message: [UInt8]) { wire.send(message) }
    func receive() async -> ChannelEvent { await wire.receive() }
    func close() { wire.close() }
}
