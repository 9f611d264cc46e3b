import Net

extension Connection {
    /// Sends head and content of a small response in one system call, without a waiting task.
    /// Returns false when `send` must continue.
    func sendAtOnce(_ response: Response, _ encoder: ResponseEncoder) throws(SocketFailure) -> Bool {
        output.removeAll(keepingCapacity: true)
        switch response.content {
        case .empty:
            // No length of 0: for HEAD and in a 304 it would describe the content of GET.
            _ = append(response, .none, encoder)
        case .bytes(let bytes) where bytes.count <= limits.discardMaxBytes:
            if case .sized = append(response, .length(bytes.count), encoder) { output.append(contentsOf: bytes) }
        case .bytes, .stream, .upgrade: return false
        }
        let sent = try socket.writeNow(output)
        if sent < output.count { output.removeFirst(sent) } else { emptyOutput() }
        return output.isEmpty
    }

    /// Sends a response, or the rest that `sendAtOnce` left. Returns false when only the end
    /// of the connection ends the response.
    func send(_ response: Response, _ encoder: ResponseEncoder) async throws -> Bool {
        guard output.isEmpty else {
            try await flush()
            return true
        }
        let response = await affordable(response)
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
        return encoder.append(head, framing: framing, date: date, fixedFields: rules.fields(of: response), to: &output)
    }

    /// Sends a large content from its own array: a copy would be kept until the client has read it.
    private func send(content: [UInt8]) async throws -> Bool {
        let first = min(content.count, limits.transferMaxBytes)
        output.append(contentsOf: content[..<first])
        try await flush()
        if content.count > first { try await writeInPieces(content, from: first) }
        return true
    }

    /// A response that fails halfway ends the connection, so that no client treats it as complete.
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

    /// Sends a piece of a streamed response, the first together with the head.
    func sendPiece(_ bytes: [UInt8], isChunked: Bool) async throws {
        if output.isEmpty, !isChunked { return try await write(bytes) }
        // Reserved at once: a buffer that grows takes up to twice its content.
        output.reserveCapacity(output.count + bytes.count + ChunkedEncoder.framingMaxBytes)
        if isChunked { ChunkedEncoder.appendChunk(bytes, to: &output) } else { output.append(contentsOf: bytes) }
        try await flush()
    }

    /// Sends a part of a file after the appended bytes. `keepingBytes` is the most that counts for the socket's buffer.
    func send(file: Int32, _ range: Range<Int>, keepingBytes: Int) async throws {
        if !output.isEmpty { try await flush() }
        try await socket.write(file: file, range, deadlineMs: writeDeadlineMs)
        noteProgress()
        followSendBuffer(maxBytes: keepingBytes)
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

    /// An idle connection would keep the buffer of a large response.
    private func emptyOutput() {
        output.removeAll(keepingCapacity: output.capacity <= 1024)
    }

    /// `checkPace` decides if the client reads a paced response fast enough.
    private var writeDeadlineMs: UInt64 {
        pace == nil ? min(nowMs + limits.transferTimeoutMs, requestDeadlineMs) : .max
    }

    /// Each piece has its own deadline. With one for all, a slow client could never
    /// get a large response, even by retrying.
    private func writeInPieces(_ bytes: [UInt8], from first: Int) async throws {
        var start = first
        while start < bytes.count {
            let end = min(start + limits.transferMaxBytes, bytes.count)
            try await socket.write(Array(bytes[start..<end]), deadlineMs: writeDeadlineMs)
            start = end
        }
    }
}
