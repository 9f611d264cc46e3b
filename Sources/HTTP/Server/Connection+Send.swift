import Net

extension Connection {
    /// Has head and content of a small answer leave in one system call, and no task wait. False when `send` must go on.
    func sendAtOnce(_ response: Response, _ encoder: ResponseEncoder) throws(SocketFailure) -> Bool {
        output.removeAll(keepingCapacity: true)
        switch response.content {
        case .empty:
            // Not a length of 0: to HEAD and in a 304 that would be about the content of GET.
            _ = append(response, .none, encoder)
        case .bytes(let bytes) where bytes.count <= limits.discardMaxBytes:
            if case .sized = append(response, .length(bytes.count), encoder) { output.append(contentsOf: bytes) }
        case .bytes, .stream, .upgrade: return false
        }
        let sent = try socket.writeNow(output)
        if sent < output.count { output.removeFirst(sent) } else { emptyOutput() }
        return output.isEmpty
    }

    /// Sends an answer, or what `sendAtOnce` left of it. False when only the end of the connection ends it.
    func send(_ response: Response, _ encoder: ResponseEncoder) async throws -> Bool {
        guard output.isEmpty else {
            try await flush()
            return true
        }
        let response = affordable(response)
        switch response.content {
        case .empty: _ = append(response, .none, encoder)
        case .bytes(let bytes):
            if case .sized = append(response, .length(bytes.count), encoder) { return try await send(content: bytes) }
        case .stream(_, let length, let write):
            let body = append(response, length.map { .length($0) } ?? .chunked, encoder)
            try await stream(write, body)
            return body != .untilClose
        case .upgrade:
            _ = append(response, .none, encoder)
            try await flush()
            return false
        }
        try await flush()
        return true
    }

    private func append(_ response: Response, _ framing: ResponseFraming, _ encoder: ResponseEncoder) -> ResponseBody {
        let head = ResponseHead(status: response.status, fields: response.fields)
        let date = home.date.now()
        return encoder.append(head, framing: framing, date: date, fixedFields: rules.fixedFields, to: &output)
    }

    /// Sends a large content from where it is: a copy of it would be kept as long as the client takes to read.
    private func send(content: [UInt8]) async throws -> Bool {
        let first = min(content.count, limits.transferMaxBytes)
        output.append(contentsOf: content[..<first])
        try await flush()
        if content.count > first { try await writeInPieces(content, from: first) }
        return true
    }

    /// An answer that fails halfway ends the connection, so that nobody takes it for a whole one.
    private func stream(_ write: (ResponseStream) async throws -> Void, _ body: ResponseBody) async throws {
        guard body != .nothing else { return try await flush() }
        do {
            let stream = ResponseStream(self, body)
            try await write(stream)
            try stream.checkEnd()
        } catch SocketFailure.timedOut {
            throw SocketFailure.timedOut
        } catch {
            socket.abort()
            throw error
        }
        if body == .chunked { ChunkedEncoder.appendLast(to: &output) }
        try await flush()
    }

    /// Sends a piece of a streamed answer, the first together with the head.
    func sendPiece(_ bytes: [UInt8], isChunked: Bool) async throws {
        if output.isEmpty, !isChunked { return try await write(bytes) }
        // At once: a buffer that grows takes up to twice what is in it.
        output.reserveCapacity(output.count + bytes.count + ChunkedEncoder.framingMaxBytes)
        if isChunked { ChunkedEncoder.appendChunk(bytes, to: &output) } else { output.append(contentsOf: bytes) }
        try await flush()
    }

    /// Sends a part of a file behind what was appended.
    func send(file: Int32, _ range: Range<Int>) async throws {
        if !output.isEmpty { try await flush() }
        try await socket.write(file: file, range, deadlineMs: writeDeadlineMs)
        noteProgress()
    }

    private func flush() async throws {
        var bytes: [UInt8] = []
        swap(&bytes, &output)
        try await write(bytes)
        swap(&bytes, &output)
        emptyOutput()
    }

    private func write(_ bytes: [UInt8]) async throws {
        if bytes.count <= 2 * limits.transferMaxBytes {
            try await socket.write(bytes, deadlineMs: writeDeadlineMs)
        } else {
            try await writeInPieces(bytes, from: 0)
        }
        noteProgress()
    }

    /// A large answer's buffer would stay with an idle connection.
    private func emptyOutput() {
        output.removeAll(keepingCapacity: output.capacity <= 1024)
    }

    /// Whether the client takes a paced answer fast enough is for `checkPace` to say.
    private var writeDeadlineMs: UInt64 {
        pace == nil ? min(nowMs + limits.transferTimeoutMs, requestDeadlineMs) : .max
    }

    /// A deadline each: with one for all, a slow client could never have a large answer, however often it asks.
    private func writeInPieces(_ bytes: [UInt8], from first: Int) async throws {
        var start = first
        while start < bytes.count {
            let end = min(start + limits.transferMaxBytes, bytes.count)
            try await socket.write(Array(bytes[start..<end]), deadlineMs: writeDeadlineMs)
            start = end
        }
    }
}
