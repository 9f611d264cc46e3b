import Net

/// Sends requests and keeps connections for later ones. Every function blocks.
final class HTTPClient: Sendable {
    private static let idleMax = 4
    private let caFile: String?
    private let idle = Locked<[HTTPTransfer]>([])
    private let stopping = StopFlag()

    /// Checks certificates with the system's authorities, or only with those of `caFile` (PEM).
    init(caFile: String?) { self.caFile = caFile }

    /// Aborts current and future waits for a server.
    func stop() { stopping.set() }

    /// Sends a request and returns the whole response. Throws `StorageError.unavailable`, also for a body of more than
    /// `maxBytes`.
    func exchange(_ request: HTTPRequest, maxBytes: Int = 4 << 20) throws -> (head: HTTPHead, body: [UInt8]) {
        let transfer = try open(request)
        // After `collect`, the transfer may belong to another request.
        let head = transfer.head
        return (head, try collect(transfer, maxBytes: maxBytes))
    }

    /// Sends a request and returns after the response's head. Read the body with `piece`.
    func open(_ request: HTTPRequest) throws -> HTTPTransfer {
        let transfer =
            try idle.withLock { $0.popLast() } ?? HTTPTransfer(isStopped: { [stopping] in stopping.isSet })
        try transfer.start(request, caFile: caFile)
        return transfer
    }

    /// Returns the rest of a response's body, and keeps the connection.
    func collect(_ transfer: HTTPTransfer, maxBytes: Int = 4 << 20) throws -> [UInt8] {
        var body: [UInt8] = []
        while let piece = try transfer.piece() {
            body += piece
            guard body.count <= maxBytes else {
                throw StorageError.unavailable("the answer is larger than \(maxBytes) bytes")
            }
        }
        keep(transfer)
        return body
    }

    private func keep(_ transfer: HTTPTransfer) {
        idle.withLock { idle in
            if idle.count < Self.idleMax { idle.append(transfer) }
        }
    }
}

/// A separate object: transfers hold it, and the client holds transfers.
private final class StopFlag: Sendable {
    private let value = Locked(false)

    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
