import CLinux
import Glibc

/// The reason why a read or write on a socket failed.
public enum SocketFailure: Error, Equatable {
    /// The deadline passed.
    case timedOut
    /// This side closed the socket.
    case closed
    /// A system call failed, for example with `ECONNRESET`.
    case system(SystemError)
    /// The stream ended without TLS's close_notify: the data may be incomplete.
    case truncated
    /// The peer uses plain HTTP instead of TLS. The socket is plain from now on.
    case plainText
    /// TLS failed, with OpenSSL's reason.
    case insecure(String)
}

/// A connected stream socket on one loop. Reads and writes suspend the calling task, never the thread.
///
/// `@unchecked Sendable`: used only on its loop's thread. At most one task reads and one writes at a time.
public final class Socket: EventHandler, @unchecked Sendable {
    /// The default limit of one read, in bytes.
    public static let readUsualBytes = 64 << 10
    /// The largest limit of any read, in bytes.
    public static let readMaxBytes = 512 << 10

    /// The socket's loop.
    public let loop: EventLoop
    /// The peer's address; nil for a Unix socket.
    public let peer: SocketAddress?
    /// Shows if the peer is still there.
    public let presence = Presence()
    let descriptor: Int32
    // Unchecked: each of these is read or set in one step that can't re-enter this code.
    @exclusivity(unchecked) private(set) var isOpen = true
    /// Nil for plain text.
    @exclusivity(unchecked) var tls: TLSSession?
    // Edge-triggered: a reported state stays true until a call finds it exhausted.
    @exclusivity(unchecked) var isReadable = true
    @exclusivity(unchecked) var isWritable = true
    @exclusivity(unchecked) private(set) var hungUp = false
    @exclusivity(unchecked) private var isPatient: Bool
    /// Bytes that the kernel accepted for sending; with TLS, bytes of the encrypted records.
    @exclusivity(unchecked) public internal(set) var sentBytes = 0
    @exclusivity(unchecked) var reader = Waiter()
    @exclusivity(unchecked) var writer = Waiter()
    private var timer: LoopTimer?
    @exclusivity(unchecked) private var sleeper: (() -> Void)?
    @exclusivity(unchecked) private var writeSleeper: (() -> Void)?
    // Over TLS, a read can wait for writing, and a write for reading. Then the readiness of its own side says nothing.
    @exclusivity(unchecked) var readIsBlocked = false
    @exclusivity(unchecked) var writeIsBlocked = false

    struct Waiter {
        var continuation: UnsafeContinuation<Result<Void, SocketFailure>, Never>?
        var deadlineMs = UInt64.max

        /// Ends the wait, if there is one. Its task resumes in a later step of the loop.
        mutating func resume(_ result: Result<Void, SocketFailure>) {
            guard let waiting = continuation else { return }
            self = Waiter()
            waiting.resume(returning: result)
        }
    }

    /// Takes ownership of a connected, non-blocking descriptor.
    init(descriptor: Int32, peer: SocketAddress?, loop: EventLoop, isPatient: Bool = false) throws(SystemError) {
        self.isPatient = isPatient
        self.descriptor = descriptor
        self.peer = peer
        self.loop = loop
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        try loop.register(descriptor, .changes, isPatient: isPatient, self)
    }

    deinit { if isOpen { Glibc.close(descriptor) } }

    /// Appends at most `maxBytes` available bytes to `buffer` and returns their number; 0 at the end of the stream.
    /// Throws `SocketFailure`, `.timedOut` at `deadlineMs` (on the loop's clock).
    public func read(
        into buffer: inout [UInt8],
        maxBytes: Int = Socket.readUsualBytes,
        deadlineMs: UInt64 = .max
    ) async throws(SocketFailure) -> Int {
        if let tls { return try await read(into: &buffer, maxBytes: maxBytes, through: tls, deadlineMs: deadlineMs) }
        while true {
            if !isReadable { try await wait(\.reader, deadlineMs: deadlineMs) }
            if let count = try receive(into: &buffer, maxBytes: maxBytes) { return count }
        }
    }

    /// The same without a wait: nil if nothing has arrived. Throws `SocketFailure`.
    public func readNow(
        into buffer: inout [UInt8],
        maxBytes: Int = Socket.readUsualBytes
    ) throws(SocketFailure) -> Int? {
        if let tls { return try readNow(into: &buffer, maxBytes: maxBytes, through: tls) }
        guard isOpen else { throw .closed }
        while isReadable {
            if let count = try receive(into: &buffer, maxBytes: maxBytes) { return count }
        }
        return nil
    }

    /// Returns nil if the call must be repeated, after a wait unless the socket is still readable.
    private func receive(into buffer: inout [UInt8], maxBytes: Int) throws(SocketFailure) -> Int? {
        guard isOpen else { throw .closed }
        let wanted = min(maxBytes, loop.scratch.count)
        let count = recv(descriptor, loop.scratch.baseAddress, wanted, 0)
        guard count >= 0 else {
            try noteFailure(&isReadable, "recv")
            return nil
        }
        // After a short read the socket is empty, and later data is a new edge. A hang-up has no later edge.
        isReadable = count == wanted || hungUp
        buffer.append(contentsOf: UnsafeRawBufferPointer(rebasing: loop.scratch[..<count]))
        return count
    }

    /// Writes all of `bytes`. Throws `SocketFailure`, `.timedOut` if the peer does not accept them by `deadlineMs`.
    public func write(_ bytes: [UInt8], deadlineMs: UInt64 = .max) async throws(SocketFailure) {
        if let tls { return try await write(bytes, through: tls, deadlineMs: deadlineMs) }
        var sent = 0
        while sent < bytes.count {
            if !isWritable { try await wait(\.writer, deadlineMs: deadlineMs) }
            sent += try send(bytes, from: sent)
        }
    }

    /// Writes as many of `bytes` as possible without waiting, and returns their number.
    public func writeNow(_ bytes: [UInt8]) throws(SocketFailure) -> Int {
        if let tls { return try writeNow(bytes, through: tls) }
        guard isOpen else { throw .closed }
        return isWritable ? try send(bytes, from: 0) : 0
    }

    private func send(_ bytes: [UInt8], from sent: Int) throws(SocketFailure) -> Int {
        guard isOpen else { throw .closed }
        let count = bytes.withUnsafeBytes { raw in
            Glibc.send(descriptor, raw.baseAddress?.advanced(by: sent), raw.count - sent, Int32(MSG_NOSIGNAL))
        }
        if count < 0 { try noteFailure(&isWritable, "send") }
        sentBytes &+= max(0, count)
        return max(0, count)
    }

    /// Writes a part of a file without copying it (sendfile(2)); not over TLS. Blocks while the file is not in the page
    /// cache. Throws `SocketFailure`, `.closed` also for a file that ends before the range.
    public func write(
        file: Int32,
        _ range: Range<Int>,
        deadlineMs: UInt64 = .max
    ) async throws(SocketFailure) {
        precondition(tls == nil)
        var position = off_t(range.lowerBound)
        while position < range.upperBound {
            if !isWritable { try await wait(\.writer, deadlineMs: deadlineMs) }
            guard isOpen else { throw .closed }
            let count = sendfile(descriptor, file, &position, range.upperBound - Int(position))
            if count < 0 { try noteFailure(&isWritable, "sendfile") }
            guard count != 0 else { throw .closed }
            sentBytes &+= max(0, count)
        }
    }

    /// Ends the sending side: the peer reads up to the end of the stream.
    public func shutdownWrite() {
        guard isOpen else { return }
        if let tls { finishSending(tls) } else { shutdown(descriptor, Int32(SHUT_WR)) }
    }

    /// Calls `wake` once: when data arrives, at `deadlineMs`, or when the socket is closed. For long waits: a task
    /// suspended in `read` would keep its memory.
    public func whenReadable(deadlineMs: UInt64, _ wake: @escaping () -> Void) {
        guard isOpen, !isReadable || readIsBlocked else { return wake() }
        sleeper = wake
        reader.deadlineMs = deadlineMs
        if deadlineMs != .max { schedule(atMs: deadlineMs) }
    }

    /// Calls `wake` once: when the peer has taken bytes, or when the socket is closed. To be called after `writeNow`
    /// has written less than all.
    public func whenWritable(_ wake: @escaping () -> Void) {
        guard isOpen, !isWritable || writeIsBlocked else { return wake() }
        writeSleeper = wake
    }

    /// Drops the calls that `whenReadable` and `whenWritable` wait for.
    public func forgetWakes() {
        (sleeper, writeSleeper) = (nil, nil)
        reader.deadlineMs = .max
    }

    /// Ends a waiting read like its deadline.
    public func endReading() { reader.resume(.failure(.timedOut)) }

    private func wakeSleeper() {
        guard let wake = sleeper else { return }
        sleeper = nil
        reader.deadlineMs = .max
        wake()
    }

    private func wakeWriteSleeper() {
        guard let wake = writeSleeper else { return }
        writeSleeper = nil
        wake()
    }

    /// True if data has arrived, even if not reported yet.
    public var hasInput: Bool {
        var byte: UInt8 = 0
        if let tls, tls.hasPending { return true }
        return isOpen && recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// The bytes in the send buffer that the peer's kernel has not acknowledged.
    public var queuedBytes: Int { isOpen ? Int(nv_unacknowledged_bytes(descriptor)) : 0 }

    /// The part of `sentBytes` that the peer's kernel has acknowledged. On a Unix socket it is a lower bound, exact
    /// after the peer has read everything.
    public var acknowledgedBytes: Int { sentBytes - queuedBytes }

    /// Makes the socket patient, or usual again: `EventLoop.move`.
    public func setPatient(_ wanted: Bool) {
        guard isOpen, wanted != isPatient else { return }
        isPatient = wanted
        loop.move(descriptor, .changes, toPatient: wanted)
    }

    /// Closes with a reset. The unsent rest of a response is dropped. After `close`, the kernel would keep it and retry
    /// for minutes.
    public func reset() {
        guard isOpen else { return }
        var value = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &value, socklen_t(MemoryLayout<linger>.size))
        abort()
    }

    /// Closes the socket; tasks that wait on it get `.closed`. Over TLS, close_notify marks the data as complete.
    public func close() {
        if isOpen, let tls { _ = tls.finish() }
        abort()
    }

    /// Closes the socket before all data is sent: over TLS there is no close_notify.
    public func abort() {
        guard isOpen else { return }
        isOpen = false
        presence.leave()
        tls = nil
        loop.unregister(descriptor)
        Glibc.close(descriptor)
        if let timer { loop.cancel(timer) }
        timer = nil
        reader.resume(.failure(.closed))
        writer.resume(.failure(.closed))
        wakeSleeper()
        wakeWriteSleeper()
    }

    /// Called by the loop.
    public func ready(_ readiness: Readiness) {
        if !readiness.isDisjoint(with: .hangup) {
            hungUp = true
            presence.leave()
        }
        if readiness.contains(.read) || hungUp { isReadable = true }
        if readiness.contains(.write) || hungUp { isWritable = true }
        if let tls, tls.isFinishing { finishSending(tls) }
        // Over TLS, a read can wait for writing, and a write for reading.
        if isReadable || tls != nil {
            reader.resume(.success(()))
            wakeSleeper()
        }
        if isWritable || tls != nil {
            writer.resume(.success(()))
            wakeWriteSleeper()
        }
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

    /// The timer keeps running after a wait ends in time. When it fires, it checks for a real timeout.
    private func schedule(atMs deadlineMs: UInt64) {
        // It keeps the socket until the last deadline. A weak reference would make each retain of the socket slower.
        let timer = self.timer ?? LoopTimer { self.checkDeadlines() }
        self.timer = timer
        loop.schedule(timer, atMs: min(deadlineMs, reader.deadlineMs, writer.deadlineMs))
    }

    private func checkDeadlines() {
        if reader.deadlineMs <= loop.nowMs {
            reader.resume(.failure(.timedOut))
            wakeSleeper()
        }
        if writer.deadlineMs <= loop.nowMs { writer.resume(.failure(.timedOut)) }
        let next = min(reader.deadlineMs, writer.deadlineMs)
        if next == .max { timer = nil } else { schedule(atMs: next) }
    }

    private func noteFailure(_ flag: inout Bool, _ call: String) throws(SocketFailure) {
        switch errno {
        case EAGAIN: flag = false
        case EINTR: break
        default: throw .system(SystemError(call: call, code: errno))
        }
    }
}
