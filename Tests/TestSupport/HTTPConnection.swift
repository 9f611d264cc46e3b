import Foundation

/// A blocking connection to a server on this machine, for tests that choose every byte sent.
package final class HTTPConnection {
    let descriptor: Int32
    private var input: [UInt8] = []
    private var isOurs = true

    /// Connects to 127.0.0.1. Reading and writing give up after 30 s.
    package init(port: UInt16) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw Program.Failure("no socket: \(errno)") }
        var limit = timeval(tv_sec: Int(30 * Patience.factor), tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
        var on: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else { throw Program.Failure("no connection to port \(port): \(errno)") }
    }

    /// Takes over a connection from `release`.
    init(adopting descriptor: Int32) { self.descriptor = descriptor }

    deinit { if isOurs { close(descriptor) } }

    /// Releases the descriptor for another request. Returns nil if unread bytes are left.
    func release() -> Int32? {
        guard input.isEmpty else { return nil }
        isOurs = false
        return descriptor
    }

    /// Sends all bytes.
    package func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                Glibc.send(
                    descriptor,
                    buffer.baseAddress?.advanced(by: sent),
                    bytes.count - sent,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { throw Program.Failure("the connection broke while sending: \(errno)") }
            sent += count
        }
    }

    /// Sends a text.
    package func send(_ text: String) throws { try send(Array(text.utf8)) }

    /// Closes the sending side.
    package func endSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// True if bytes can be read now.
    package var hasInput: Bool {
        var byte: UInt8 = 0
        return !input.isEmpty || recv(descriptor, &byte, 1, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT)) > 0
    }

    /// Reads one response and skips interim responses. Nil if the connection ended first.
    package func receive(isHead: Bool = false) throws -> HTTPAnswer? {
        while true {
            guard let head = try receiveHead() else { return nil }
            if head.status == 100 { continue }
            return try receiveBody(of: head, isHead: isHead)
        }
    }

    /// Waits for 100 Continue, which the server sends after the head to request the body.
    package func awaitContinue() throws {
        guard try receiveHead()?.status == 100 else { throw Program.Failure("no 100 Continue") }
    }

    /// Waits for more bytes or the end of the connection. True if the server closed it.
    package func isClosed() throws -> Bool { try input.isEmpty && !fill() }

    private func receiveHead() throws -> HTTPAnswer? {
        let end: [UInt8] = [13, 10, 13, 10]
        while true {
            if let range = input.firstRange(of: end) {
                let text = String(decoding: input[..<range.lowerBound], as: UTF8.self)
                input.removeSubrange(..<range.upperBound)
                return HTTPAnswer(head: text)
            }
            guard try fill() else {
                guard input.isEmpty else { throw Program.Failure("the connection ended within a head") }
                return nil
            }
        }
    }

    private func receiveBody(of head: HTTPAnswer, isHead: Bool) throws -> HTTPAnswer {
        if isHead || head.status == 204 || head.status == 304 { return head }
        var answer = head
        if head.field("transfer-encoding") == "chunked" {
            answer.body = try receiveChunks()
        } else if let count = head.field("content-length").flatMap({ Int($0) }) {
            answer.body = try take(count)
        } else {
            throw Program.Failure("an answer without Content-Length")
        }
        return answer
    }

    private func receiveChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            while !input.contains(10) { try fillBody() }
            let line = input.prefix { $0 != 13 }
            guard let size = Int(String(decoding: line, as: UTF8.self), radix: 16) else {
                throw Program.Failure("no size of a chunk")
            }
            _ = try take(line.count + 2)
            body += try take(size)
            guard try take(2) == [13, 10] else { throw Program.Failure("a chunk without an end") }
            if size == 0 { return body }
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while input.count < count { try fillBody() }
        defer { input.removeSubrange(..<count) }
        return Array(input[..<count])
    }

    private func fillBody() throws {
        guard try fill() else { throw Program.Failure("the connection ended within a body") }
    }

    /// Reads the next bytes; false at the end.
    private func fill() throws -> Bool {
        var piece = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &piece, piece.count, 0)
        if count < 0 && errno == ECONNRESET { return false }
        guard count >= 0 else { throw Program.Failure("nothing came for 30 s (\(errno))") }
        input.append(contentsOf: piece[..<count])
        return count > 0
    }
}
