import Net

/// Why a request's content could not be read.
public enum RequestBodyError: Error {
    /// More than the handler takes.
    case tooLarge
    /// The framing is broken.
    case malformed(WireError)
    /// It came too slowly.
    case timedOut
    /// The connection ended in the middle of it.
    case cutOff
    /// All connections together have no memory left for it.
    case overloaded
}

/// The content of one request on one connection. The socket is read only when the handler asks for more, so a slow handler slows
/// its client down. When the server stops, reading goes on until the drain's deadline; after it `.cutOff` is thrown.
public final class RequestBody {
    /// The largest piece at first: one usual read and what was read ahead with the head.
    private static let pieceMaxBytes = Socket.readUsualBytes + 16 << 10

    let connection: Connection
    private let length: BodyLength
    private let startedMs: UInt64
    private var awaitsContinue: Bool
    private var received = 0
    private var readMaxBytes = Socket.readUsualBytes
    private var turn = StreamTurn()
    private var isStreamed = false
    /// Whether everything was read.
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
    /// `.tooLarge` before reading when Content-Length says so. Its bytes count against the memory of all bodies until the answer is
    /// made.
    public func collect(maxBytes: Int) async throws(RequestBodyError) -> [UInt8] {
        var content: [UInt8] = []
        while let piece = try await read(maxBytes: maxBytes) {
            try await reserve(piece.count)
            if content.isEmpty { content = piece } else { content.append(contentsOf: piece) }
        }
        return content
    }

    /// The next piece, at most 512 KiB; nil at the end. Sends 100 Continue first when the client waits for it. One piece counts
    /// against the memory of all bodies until the answer is made. Throws `RequestBodyError`: `.tooLarge` beyond `maxBytes` in all,
    /// before reading when Content-Length is larger; `.overloaded` at the first call when there is no memory left.
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

    /// Storing a piece has a fixed cost, so a body that comes faster than it is read gets larger pieces, if memory allows it.
    private func readLargePieces() {
        guard isStreamed, readMaxBytes < Socket.readMaxBytes, expected ?? 0 >= Socket.readMaxBytes,
            connection.reserveForSpeed(Self.largePieceMoreBytes)
        else { return }
        readMaxBytes = Socket.readMaxBytes
    }

    /// Gives back what larger pieces have reserved. To be called before the connection releases everything.
    func readUsualPieces() {
        guard readMaxBytes > Socket.readUsualBytes else { return }
        readMaxBytes = Socket.readUsualBytes
        connection.releaseForSpeed(Self.largePieceMoreBytes)
    }

    /// Throws `RequestBodyError.tooLarge` when Content-Length is larger than `maxBytes`.
    public func admit(maxBytes: Int) throws(RequestBodyError) {
        if case .length(let length) = length, length > maxBytes { throw fail(.tooLarge) }
    }

    /// Whether what the handler left unread may be little enough to read it, so that the next request can follow. False: closing is cheaper.
    func canBeDiscarded(maxBytes: Int) -> Bool {
        if isComplete { return true }
        if awaitsContinue || failure != nil { return false }
        return expected ?? 0 <= maxBytes
    }

    /// Does so. False when it was more, or came too slowly.
    func discardRest(maxBytes: Int) async -> Bool {
        guard canBeDiscarded(maxBytes: maxBytes) else { return false }
        let end = received + maxBytes
        while received <= end {
            guard let piece = try? await read(maxBytes: .max) else { return isComplete }
            _ = piece
        }
        return false
    }

    /// Counts what a handler makes of the content, too, against the memory of all bodies until the answer is made.
    public func keep(bytes: Int) throws(RequestBodyError) {
        do {
            try connection.reserve(bytes)
        } catch {
            throw fail(error)
        }
    }

    private var expected: Int? {
        if case .length(let length) = length { length - received } else { nil }
    }

    private func reserve(_ count: Int) async throws(RequestBodyError) {
        do {
            try await connection.reserveAnywhere(count)
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
