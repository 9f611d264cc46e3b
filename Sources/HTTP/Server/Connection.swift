import Net

/// One client connection: reads a request, has it answered, writes the answer, until either side closes.
final class Connection {
    private let socket: Socket
    private let service: ConnectionService
    private var parser: RequestParser
    private var output: [UInt8] = []

    private var limits: ServerLimits { service.limits }
    var nowMs: UInt64 { socket.loop.nowMs }

    init(_ socket: Socket, _ service: ConnectionService) {
        self.socket = socket
        self.service = service
        parser = RequestParser(limits: service.limits.wire)
    }

    /// Serves requests until the connection ends, and closes it.
    func serve() async {
        var served = 0
        while await serveRequest() {
            served += 1
            // A client that pipelines without end would keep the loop to itself.
            if served % 32 == 0 { await socket.loop.yield() }
        }
        socket.close()
    }

    /// Answers that there are too many connections.
    func refuse() async {
        _ = try? await send(service.refusal(.tooManyConnections), to: nil, keepsAlive: false)
        await closeGently()
    }

    /// False when the connection is to be closed.
    private func serveRequest() async -> Bool {
        do {
            guard let head = try await nextHead() else { return false }
            let body = RequestBody(head, self)
            let response = await service.handler(Request(head: head, body: body, peer: socket.peer))
            let isReadable = await body.discardRest(maxBytes: limits.discardMaxBytes)
            let mayStay = head.keepsAlive && isReadable && !service.isStopping
            let keepsAlive = try await send(response, to: head, keepsAlive: mayStay)
            if !keepsAlive { await closeGently() }
            return keepsAlive
        } catch let error as WireError {
            _ = try? await send(service.refusal(.malformed(error)), to: nil, keepsAlive: false)
            await closeGently()
            return false
        } catch SocketFailure.plainText {
            _ = try? await send(service.refusal(.notTLS), to: nil, keepsAlive: false)
            await closeGently()
            return false
        } catch {
            return false
        }
    }
}

// MARK: Receiving

extension Connection {
    /// The next request's head; nil when the client has nothing more to ask. Throws `WireError` or `SocketFailure`.
    private func nextHead() async throws -> RequestHead? {
        if parser.isIdle { guard try await awaitRequest() else { return nil } }
        let deadlineMs = nowMs + limits.headerTimeoutMs
        while true {
            switch try parser.next() {
            case .head(let head): return head
            case .needsMore:
                // An end in the middle of a head leaves nobody to answer.
                guard try await socket.read(into: &parser.input, deadlineMs: deadlineMs) > 0 else { return nil }
            case .body, .end: continue
            }
        }
    }

    private func awaitRequest() async throws -> Bool {
        guard service.note(socket, isIdle: true) else { return false }
        let count = try await socket.read(into: &parser.input, deadlineMs: nowMs + limits.idleTimeoutMs)
        _ = service.note(socket, isIdle: false)
        return count > 0
    }

    /// The next piece of the current body; nil at its end.
    func nextBodyPiece(startedMs: UInt64, receivedBytes: Int) async throws(RequestBodyError) -> [UInt8]? {
        let earnedMs = UInt64(receivedBytes) * 1000 / UInt64(max(1, limits.bodyMinBytesPerSecond))
        let deadlineMs = startedMs + limits.headerTimeoutMs + earnedMs
        while true {
            do {
                switch try parser.next() {
                case .body(let piece): return piece
                case .end, .head: return nil
                case .needsMore:
                    let count = try await socket.read(into: &parser.input, deadlineMs: deadlineMs)
                    if count == 0 { throw SocketFailure.closed }
                }
            } catch let error as WireError {
                throw .malformed(error)
            } catch {
                throw error as? SocketFailure == .timedOut ? .timedOut : .cutOff
            }
        }
    }

    /// Lets the client read the answer before the connection goes: closing with unread input would reset it.
    private func closeGently() async {
        socket.shutdownWrite()
        let deadlineMs = nowMs + limits.closeTimeoutMs
        var rest: [UInt8] = []
        var discarded = 0
        while discarded < limits.closeDiscardMaxBytes, nowMs < deadlineMs,
            let count = try? await socket.read(into: &rest, deadlineMs: deadlineMs), count > 0
        {
            discarded += count
            rest.removeAll(keepingCapacity: true)
        }
        socket.close()
    }
}

// MARK: Sending

extension Connection {
    /// Head and content leave in one write. False when the connection must end after this answer.
    private func send(_ response: Response, to head: RequestHead?, keepsAlive: Bool) async throws -> Bool {
        let encoder =
            head.map { ResponseEncoder(answering: $0, keepsAlive: keepsAlive) }
            ?? ResponseEncoder(minorVersion: 1, keepsAlive: false, isHead: false)
        output.removeAll(keepingCapacity: true)
        switch response.content {
        case .empty:
            // Not a length of 0: to HEAD and in a 304 that would be about the content of GET.
            _ = append(response, .none, encoder)
            try await flush()
        case .bytes(let bytes):
            if case .sized = append(response, .length(bytes.count), encoder) { output.append(contentsOf: bytes) }
            try await flush()
        case .stream(let write):
            let body = append(response, .chunked, encoder)
            try await stream(write, body)
            return keepsAlive && body != .untilClose
        }
        return keepsAlive
    }

    private func append(_ response: Response, _ framing: ResponseFraming, _ encoder: ResponseEncoder) -> ResponseBody {
        let head = ResponseHead(status: response.status, fields: response.fields)
        let date = service.date.now()
        return encoder.append(head, framing: framing, date: date, fixedFields: service.fixedFields, to: &output)
    }

    /// An answer that fails halfway ends the connection, so that nobody takes it for a whole one.
    private func stream(_ write: (ResponseStream) async throws -> Void, _ body: ResponseBody) async throws {
        guard body != .nothing else { return try await flush() }
        do {
            try await write(ResponseStream(self, isChunked: body == .chunked))
        } catch {
            socket.abort()
            throw error
        }
        if body == .chunked { ChunkedEncoder.appendLast(to: &output) }
        try await flush()
    }

    /// Sends a piece of a streamed answer, the first together with the head.
    func sendPiece(_ bytes: [UInt8], isChunked: Bool) async throws {
        if isChunked { ChunkedEncoder.appendChunk(bytes, to: &output) } else { output.append(contentsOf: bytes) }
        try await flush()
    }

    private func flush() async throws {
        var bytes: [UInt8] = []
        swap(&bytes, &output)
        if bytes.count <= limits.transferMaxBytes {
            try await socket.write(bytes, deadlineMs: nowMs + limits.transferTimeoutMs)
        } else {
            try await writeInPieces(bytes)
        }
        // A large answer's buffer would stay with an idle connection.
        if bytes.capacity > 1024 { return }
        bytes.removeAll(keepingCapacity: true)
        swap(&bytes, &output)
    }

    /// A deadline each: with one for all, a slow client could never have a large answer, however often it asks.
    private func writeInPieces(_ bytes: [UInt8]) async throws {
        var start = 0
        while start < bytes.count {
            let end = min(start + limits.transferMaxBytes, bytes.count)
            try await socket.write(Array(bytes[start..<end]), deadlineMs: nowMs + limits.transferTimeoutMs)
            start = end
        }
    }

    func sendContinue() async throws(RequestBodyError) {
        do {
            try await socket.write(ResponseEncoder.continueInterim, deadlineMs: nowMs + limits.transferTimeoutMs)
        } catch {
            throw .cutOff
        }
    }
}
