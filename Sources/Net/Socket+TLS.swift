import CLinux
import Glibc

extension Socket {
    /// Uses TLS from now on, as its server. The handshake runs with the first read or write, which throws `.timedOut`
    /// if it takes too long. Throws `SystemError` if memory is exhausted.
    public func startTLS(_ endpoint: TLSEndpoint) throws(SystemError) {
        let deadlineMs = loop.nowMs + endpoint.handshakeTimeoutMs
        guard let session = TLSSession(endpoint.current, self, deadlineMs: deadlineMs) else {
            throw SystemError(call: "SSL_new", code: ENOMEM)
        }
        tls = session
    }

    /// True if the connection uses TLS.
    public var isSecure: Bool { tls != nil }

    func read(
        into buffer: inout [UInt8],
        maxBytes: Int,
        through session: TLSSession,
        deadlineMs: UInt64
    ) async throws(SocketFailure) -> Int {
        // A useless OpenSSL call would cost as much as a record.
        if !isReadable, session.isEstablished, !session.hasPending {
            try await wait(\.reader, deadlineMs: deadlineMs)
        }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: loop.scratch.prefix(maxBytes))
        var turns = 0
        while true {
            guard isOpen else { throw .closed }
            switch session.read(into: wanted) {
            case .moved(let first):
                let count = fill(wanted, from: first, through: session)
                buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
                return count
            case .ended: return 0
            case .needsRead where isReadable:
                // More than a buffer of non-content records, such as key updates: let others run first.
                turns += 1
                guard turns <= Self.emptyTurnsMax else { throw .insecure("too much besides content") }
                await loop.yield()
            case .needsRead, .needsWrite: try await wait(\.reader, session, deadlineMs: deadlineMs)
            case .failed(let failure): throw end(failure)
            }
        }
    }

    func readNow(
        into buffer: inout [UInt8],
        maxBytes: Int,
        through session: TLSSession
    ) throws(SocketFailure) -> Int? {
        readIsBlocked = false
        guard isOpen else { throw .closed }
        guard isReadable || !session.isEstablished || session.hasPending else { return nil }
        let wanted = UnsafeMutableRawBufferPointer(rebasing: loop.scratch.prefix(maxBytes))
        for _ in 0..<Self.emptyTurnsMax {
            switch session.read(into: wanted) {
            case .moved(let first):
                let count = fill(wanted, from: first, through: session)
                buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
                return count
            case .ended: return 0
            case .needsRead where isReadable: continue
            case .needsRead: return nil
            case .needsWrite:
                readIsBlocked = true
                return nil
            case .failed(let failure): throw end(failure)
            }
        }
        throw .insecure("too much besides content")
    }

    /// Reads more of the available content: a record has at most 16 KiB, and each piece costs its consumer. Returns the
    /// filled length of the buffer. The next read reports the end of the stream.
    private func fill(_ buffer: UnsafeMutableRawBufferPointer, from start: Int, through session: TLSSession) -> Int {
        var filled = start
        while filled < buffer.count, isOpen, isReadable || session.hasPending,
            case .moved(let count) = session.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
        { filled += count }
        return filled
    }

    func write(_ bytes: [UInt8], through session: TLSSession, deadlineMs: UInt64) async throws(SocketFailure) {
        var sent = 0
        while sent < bytes.count {
            guard isOpen else { throw .closed }
            switch session.write(bytes, from: sent) {
            case .moved(let count): sent += count
            case .needsRead where isReadable: await loop.yield()
            case .needsRead, .needsWrite: try await wait(\.writer, session, deadlineMs: deadlineMs)
            case .ended: throw .closed
            case .failed(let failure): throw end(failure)
            }
        }
    }

    func writeNow(_ bytes: [UInt8], through session: TLSSession) throws(SocketFailure) -> Int {
        guard isOpen else { throw .closed }
        writeIsBlocked = false
        switch session.write(bytes, from: 0) {
        case .moved(let count): return count
        case .needsRead, .needsWrite:
            writeIsBlocked = true
            return 0
        case .ended: throw .closed
        case .failed(let failure): throw end(failure)
        }
    }

    /// Sends close_notify (RFC 8446, 6.1) and then the end of the stream. With a full send buffer, the loop tries
    /// again.
    func finishSending(_ session: TLSSession) {
        if session.finish() { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    private static var emptyTurnsMax: Int { 64 }

    private func wait(_ side: Side, _ session: TLSSession, deadlineMs: UInt64) async throws(SocketFailure) {
        do {
            try await wait(side, deadlineMs: min(deadlineMs, session.deadlineMs))
        } catch {
            // Half a handshake or record was sent: the peer could not decode anything after it.
            if side == \.writer || !session.isEstablished { session.abandon() }
            throw error
        }
    }

    /// A client that uses plain HTTP needs the error in plain HTTP.
    private func end(_ failure: SocketFailure) -> SocketFailure {
        if failure == .plainText { tls = nil }
        return failure
    }
}

// MARK: Calls from OpenSSL

extension Socket {
    /// Like recv(2), but makes no call while no data can be there.
    func receiveSealed(into bytes: UnsafeMutableRawPointer, _ max: Int) -> Int {
        guard isReadable, isOpen, let tls else { return refuse(EAGAIN) }
        let count = repeating { recv(descriptor, bytes, max, 0) }
        if count < 0 {
            if errno == EAGAIN { isReadable = false } else { tls.transport.note(errno, "recv") }
            return count
        }
        isReadable = count == max || hungUp
        if count == 0 { tls.transport.hasEnded = true }
        let isFirst = !tls.transport.hasReceived
        tls.transport.hasReceived = true
        // A TLS record type is below 32 (RFC 8446, 5.1); an HTTP method begins with a letter.
        guard isFirst, count > 0, (0x41...0x5a).contains(bytes.load(as: UInt8.self)) else { return count }
        tls.transport.isPlainText = true
        return refuse(EPROTO)
    }

    /// Like send(2), but makes no call while the send buffer is full.
    func sendSealed(_ bytes: UnsafeRawPointer, _ count: Int) -> Int {
        guard isWritable, isOpen, let tls else { return refuse(EAGAIN) }
        let sent = repeating { send(descriptor, bytes, count, Int32(MSG_NOSIGNAL)) }
        if sent < 0 {
            if errno == EAGAIN { isWritable = false } else { tls.transport.note(errno, "send") }
        }
        sentBytes &+= max(0, sent)
        return sent
    }

    private func refuse(_ code: Int32) -> Int {
        errno = code
        return -1
    }

    private func repeating(_ call: () -> Int) -> Int {
        while true {
            let result = call()
            if result >= 0 || errno != EINTR { return result }
        }
    }
}
