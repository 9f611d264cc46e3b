import CLinux
import Glibc

/// Why a read or a write on a socket ended without its result.
public enum SocketFailure: Error, Equatable {
    /// The deadline passed.
    case timedOut
    /// This side has closed the socket.
    case closed
    /// The system refused, for example `ECONNRESET`.
    case system(SystemError)
    /// The stream ended without TLS's close_notify: what came may not be all.
    case truncated
    /// The peer speaks plain HTTP where TLS is expected. The socket is a plain one from now on.
    case plainText
    /// TLS failed; OpenSSL's reason.
    case insecure(String)
}

/// A connected stream socket on one loop. Reads and writes suspend the calling task, never the thread.
///
/// `@unchecked Sendable`: touched on its loop's thread only. At most one task reads and one writes at a time.
public final class Socket: EventHandler, @unchecked Sendable {
    /// The loop that the socket lives on.
    public let loop: EventLoop
    /// The other side, nil for a Unix socket.
    public let peer: SocketAddress?
    let descriptor: Int32
    private(set) var isOpen = true
    /// Nil for plain text.
    var tls: TLSSession?
    // Edge-triggered: what was told once stays true until a call finds it exhausted.
    var isReadable = true
    var isWritable = true
    private(set) var hungUp = false
    var reader = Waiter()
    var writer = Waiter()
    private var timer: LoopTimer?

    struct Waiter {
        var continuation: UnsafeContinuation<Result<Void, SocketFailure>, Never>?
        var deadlineMs = UInt64.max
    }

    /// Takes over a connected, non-blocking descriptor.
    init(descriptor: Int32, peer: SocketAddress?, loop: EventLoop) throws(SystemError) {
        self.descriptor = descriptor
        self.peer = peer
        self.loop = loop
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        try loop.register(descriptor, .changes, self)
    }

    deinit { if isOpen { Glibc.close(descriptor) } }

    /// Appends what has arrived to `buffer` and returns how many bytes that were; 0 at the end of the stream.
    /// Throws `SocketFailure`, `.timedOut` at `deadlineMs` (on the loop's clock).
    public func read(into buffer: inout [UInt8], deadlineMs: UInt64 = .max) async throws(SocketFailure) -> Int {
        if let tls { return try await read(into: &buffer, through: tls, deadlineMs: deadlineMs) }
        while true {
            if !isReadable { try await wait(\.reader, deadlineMs: deadlineMs) }
            guard isOpen else { throw .closed }
            let count = recv(descriptor, loop.scratch.baseAddress, loop.scratch.count, 0)
            if count >= 0 {
                // A short read has emptied the socket, and a later arrival is a new edge. A hang-up came with its only edge.
                isReadable = count == loop.scratch.count || hungUp
                buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
                return count
            }
            try noteFailure(&isReadable, "recv")
        }
    }

    /// Writes all of `bytes`. Throws `SocketFailure`, `.timedOut` when the peer does not take them by `deadlineMs`.
    public func write(_ bytes: [UInt8], deadlineMs: UInt64 = .max) async throws(SocketFailure) {
        if let tls { return try await write(bytes, through: tls, deadlineMs: deadlineMs) }
        var sent = 0
        while sent < bytes.count {
            if !isWritable { try await wait(\.writer, deadlineMs: deadlineMs) }
            guard isOpen else { throw .closed }
            let count = bytes.withUnsafeBytes { raw in
                send(descriptor, raw.baseAddress?.advanced(by: sent), raw.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count >= 0 {
                sent += count
            } else {
                try noteFailure(&isWritable, "send")
            }
        }
    }

    /// Ends the sending side: the peer reads to the end of the stream.
    public func shutdownWrite() {
        guard isOpen else { return }
        if let tls { finishSending(tls) } else { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// Closes the socket; whoever waits on it gets `.closed`. The peer is told that it got everything.
    public func close() {
        if isOpen, let tls { _ = tls.finish() }
        abort()
    }

    /// Closes the socket in the middle of something: over TLS the peer is not told that it got everything.
    public func abort() {
        guard isOpen else { return }
        isOpen = false
        tls = nil
        loop.unregister(descriptor)
        Glibc.close(descriptor)
        if let timer { loop.cancel(timer) }
        timer = nil
        resume(\.reader, .failure(.closed))
        resume(\.writer, .failure(.closed))
    }

    /// Called by the loop.
    public func ready(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: .hangup) { hungUp = true }
        if readiness.contains(.read) || hungUp { isReadable = true }
        if readiness.contains(.write) || hungUp { isWritable = true }
        if let tls, tls.isFinishing { finishSending(tls) }
        // Over TLS either of them may wait for either.
        if isReadable || tls != nil { resume(\.reader, .success(())) }
        if isWritable || tls != nil { resume(\.writer, .success(())) }
    }
}

extension Socket {
    typealias Side = ReferenceWritableKeyPath<Socket, Waiter>

    func wait(_ side: Side, deadlineMs: UInt64) async throws(SocketFailure) {
        guard isOpen else { throw .closed }
        let result = await withUnsafeContinuation { continuation in
            self[keyPath: side] = Waiter(continuation: continuation, deadlineMs: deadlineMs)
            if deadlineMs != .max { schedule(atMs: deadlineMs) }
        }
        try result.get()
    }

    private func resume(_ side: Side, _ result: Result<Void, SocketFailure>) {
        guard let continuation = self[keyPath: side].continuation else { return }
        self[keyPath: side] = Waiter()
        continuation.resume(returning: result)
    }

    /// The timer is left running when a wait ends in time; when it fires it looks whether a wait has really timed out.
    private func schedule(atMs deadlineMs: UInt64) {
        let timer = self.timer ?? LoopTimer { [weak self] in self?.checkDeadlines() }
        self.timer = timer
        loop.schedule(timer, atMs: min(deadlineMs, reader.deadlineMs, writer.deadlineMs))
    }

    private func checkDeadlines() {
        for side in [\Socket.reader, \Socket.writer] where self[keyPath: side].deadlineMs <= loop.nowMs {
            resume(side, .failure(.timedOut))
        }
        let next = min(reader.deadlineMs, writer.deadlineMs)
        if next != .max { schedule(atMs: next) }
    }

    private func noteFailure(_ flag: inout Bool, _ call: String) throws(SocketFailure) {
        switch errno {
        case EAGAIN: flag = false
        case EINTR: break
        default: throw .system(SystemError(call: call, code: errno))
        }
    }
}
