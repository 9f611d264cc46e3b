import Foundation

/// A server on the loopback address whose script chooses every byte of each connection, on Linux and on a Mac. A thread serves each
/// connection, which ends with the script.
final class LocalPeer: Sendable {
    struct Failure: Error {}

    private let descriptor: Int32
    private let port: UInt16

    var url: String { "http://127.0.0.1:\(port)" }

    init(_ script: @escaping @Sendable (LocalConnection) throws -> Void) throws {
        #if os(Linux)
            let kind = Int32(SOCK_STREAM.rawValue)
        #else
            let kind = SOCK_STREAM
        #endif
        let descriptor = socket(AF_INET, kind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { place in
                bind(descriptor, place, length) == 0 && listen(descriptor, 16) == 0
                    && getsockname(descriptor, place, &length) == 0
            }
        }
        guard isListening else { throw Failure() }
        (self.descriptor, port) = (descriptor, UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                let served = LocalConnection(connection)
                Thread.detachNewThread { try? script(served) }
            }
        }
    }

    /// Answers each request with the same bytes, and closes the connection after the first.
    convenience init(answer: String) throws {
        try self.init { connection in
            _ = try connection.readHead()
            try connection.reply(answer)
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }
}

/// The server's side of a connection. One thread uses it.
final class LocalConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var input: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        #if !os(Linux)
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(MemoryLayout<Int32>.size))
        #endif
    }

    deinit { close(descriptor) }

    /// Reads a request up to the empty line, which is left out. Throws at the end of the stream.
    func readHead() throws -> String {
        while true {
            if let end = headEnd {
                defer { input.removeFirst(end + 4) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            try fill()
        }
    }

    /// Reads so many bytes of a body.
    func read(_ count: Int) throws -> [UInt8] {
        while input.count < count { try fill() }
        defer { input.removeFirst(count) }
        return Array(input.prefix(count))
    }

    /// Waits for the end of the stream.
    func drain() {
        while (try? fill()) != nil { input = [] }
    }

    func reply(_ text: String) throws {
        let bytes = Array(text.utf8)
        #if os(Linux)
            let flags = Int32(MSG_NOSIGNAL)
        #else
            let flags: Int32 = 0
        #endif
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, flags) }
            guard count > 0 else { throw LocalPeer.Failure() }
            sent += count
        }
    }

    private var headEnd: Int? {
        guard input.count >= 4 else { return nil }
        return (0...input.count - 4).first { Array(input[$0..<$0 + 4]) == [13, 10, 13, 10] }
    }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw LocalPeer.Failure() }
        input += buffer[..<count]
    }
}
