import Net

/// The reason why a request's content could not be read.
public enum RequestBodyError: Error {
    /// More than the handler accepts.
    case tooLarge
    /// The framing is broken.
    case malformed(WireError)
    /// The client was too slow.
    case timedOut
    /// The connection ended in the middle of it.
    case cutOff
    /// No memory is left for it across all connections.
    case overloaded
}

/// The content of one request on one connection. The socket is read only on demand, so a slow handler slows its client
/// down. When the server stops, reading continues until the drain's deadline; after it `.cutOff` is thrown.
public final class RequestBody {
    /// The largest piece at first: one usual read and the bytes read ahead with the head.
    private static let pieceMaxBytes = Socket.readUsualBytes + 16 << 10

    let connection: Connection
    private let length: BodyLength
    private let startedMs: UInt64
    private var awaitsContinue: Bool
    private var received = 0
    private var readMaxBytes = Socket.readUsualBytes
    private var turn = StreamTurn()
    private var isStreamed = false
    /// True if everything was read.
    private(set) var isComplete: Bool
    private(set) var failure: RequestBodyError?

    init(_ head: RequestHead, _ connection: Connection) {
        self.connection = connection
        length = head.bodyLength
        startedMs = connection.nowMs
        awaitsContinue = head.expectsContinue
        isComplete = head.bodyLength == .none
    }

    /// The whole content. Sends 100 Continue first when the client waits for it. Throws `RequestBodyError`,
    /// and `.tooLarge` before reading when Content-Length is larger. Its bytes count against the memory of
    /// all bodies until the response is made.
    public func collect(maxBytes: Int) async throws(RequestBodyError) -> [UInt8] {
        var content: [UInt8] = []
        while let piece = try await read(maxBytes: maxBytes) {
            try await reserve(piece.count)
            if content.isEmpty { content = piece } else { content.append(contentsOf: piece) }
        }
        return content
    }

    /// The next piece, at most 512 KiB; nil at the end. Sends 100 Continue first when the client waits for it. One
    /// piece counts against the memory of all bodies until the response is made. Throws `RequestBodyError`:
    /// `.tooLarge` beyond `maxBytes` in all, before reading when Content-Length is larger; `.overloaded` at the
    /// first call when there is no memory left.
    public func next(maxBytes: Int = .max) async throws(RequestBodyError) -> [UInt8]? {
        if !isStreamed, !isComplete {
            isStreamed = true
            try await reserve(min(Self.pieceMaxBytes, expected ?? .max))
        }
        return try await read(maxBytes: maxBytes)
    }

    private func read(maxBytes: Int) async throws(RequestBodyError) -> [UInt8]? {
        if isComplete { return nil }
        if let failure { throw failure }
        try admit(maxBytes: maxBytes)
        do throws(RequestBodyError) {
            try await sendContinue()
            let piece = try await connection.nextBodyPiece(
                startedMs: startedMs,
                expected: expected,
                readMaxBytes: readMaxBytes
            )
            guard let piece else {
                isComplete = true
                readUsualPieces()
                return nil
            }
            received += piece.count
            if received > maxBytes { throw .tooLarge }
            if piece.count < Socket.readUsualBytes { readUsualPieces() } else { readLargePieces() }
            if turn.isOver(after: piece.count) { await connection.socket.loop.yield() }
            return piece
        } catch {
            throw fail(error)
        }
    }

    private static let largePieceMoreBytes = Socket.readMaxBytes - Socket.readUsualBytes

    /// Storing a piece has a fixed cost. So a body that arrives faster than it is read
    /// gets larger pieces, if memory allows it.
    private func readLargePieces() {
        guard isStreamed, readMaxBytes < Socket.readMaxBytes, expected ?? 0 >= Socket.readMaxBytes,
            connection.reserveForSpeed(Self.largePieceMoreBytes)
        else { return }
        readMaxBytes = Socket.readMaxBytes
    }

    /// Releases the bytes reserved for larger pieces. Must be called before the connection releases everything.
    func readUsualPieces() {
        guard readMaxBytes > Socket.readUsualBytes else { return }
        readMaxBytes = Socket.readUsualBytes
        connection.releaseForSpeed(Self.largePieceMoreBytes)
    }

    /// Throws `RequestBodyError.tooLarge` when Content-Length is larger than `maxBytes`.
    public func admit(maxBytes: Int) throws(RequestBodyError) {
        if case .length(let length) = length, length > maxBytes { throw fail(.tooLarge) }
    }

    /// Returns true if the unread rest may be small enough to read it, so that the next request can
    /// follow. Otherwise closing is cheaper.
    func canBeDiscarded(maxBytes: Int) -> Bool {
        if isComplete { return true }
        if awaitsContinue || failure != nil { return false }
        return expected ?? 0 <= maxBytes
    }

    /// Reads and discards the rest. Returns false when it was larger, or arrived too slowly.
    func discardRest(maxBytes: Int) async -> Bool {
        guard canBeDiscarded(maxBytes: maxBytes) else { return false }
        let end = received + maxBytes
        while received <= end {
            guard let piece = try? await read(maxBytes: .max) else { return isComplete }
            _ = piece
        }
        return false
    }

    /// Counts other bytes that a handler makes of the content, too, against the memory of
    /// all bodies until the response is made.
    public func keep(bytes: Int) throws(RequestBodyError) {
        do {
            try connection.reserveNow(bytes)
        } catch {
            throw fail(error)
        }
    }

    private var expected: Int? {
        if case .length(let length) = length { length - received } else { nil }
    }

    private func reserve(_ count: Int) async throws(RequestBodyError) {
        do {
            try await connection.reserve(count)
        } catch {
            throw fail(error)
        }
    }

    private func sendContinue() async throws(RequestBodyError) {
        guard awaitsContinue else { return }
        awaitsContinue = false
        try await connection.sendContinue()
    }

    private func fail(_ error: RequestBodyError) -> RequestBodyError {
        failure = error
        return error
    }
}
