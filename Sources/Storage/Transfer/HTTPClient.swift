import Net

/// Sends requests and keeps connections for the next ones. Every function blocks.
final class HTTPClient: Sendable {
    private static let idleMax = 4
    private let caFile: String?
    private let idle = Locked<[HTTPTransfer]>([])
    private let stopping = StopFlag()

    /// Certificates are checked with the system's authorities, or with those of `caFile` (PEM) alone.
    init(caFile: String?) { self.caFile = caFile }

    /// Breaks off what waits for a server, and what would.
    func stop() { stopping.set() }

    /// Sends a request and returns the whole answer. Throws `StorageError.unavailable`, also for a body of more than `maxBytes`.
    func exchange(_ request: HTTPRequest, maxBytes: Int = 4 << 20) throws -> (head: HTTPHead, body: [UInt8]) {
        let transfer = try open(request)
        // Afterwards the transfer may belong to another request.
        let head = transfer.head
        return (head, try collect(transfer, maxBytes: maxBytes))
    }

    /// Sends a request and returns when the answer's head is here; its body is read by `piece`.
    func open(_ request: HTTPRequest) throws -> HTTPTransfer {
        let transfer =
            try idle.withLock { $0.popLast() } ?? HTTPTransfer(isStopped: { [stopping] in stopping.isSet })
        try transfer.start(request, caFile: caFile)
        return transfer
    }

    /// The rest of an answer's body; the connection is then kept.
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

/// Apart from the client, which keeps transfers that ask for it.
private final class StopFlag: Sendable {
    private let value = Locked(false)

    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
}
