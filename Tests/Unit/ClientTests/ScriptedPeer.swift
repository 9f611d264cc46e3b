import Foundation
import Net
import TestSupport

/// A server on the loopback address whose script chooses every byte of each connection. A thread serves each connection,
/// which ends with the script.
final class ScriptedPeer: Sendable {
    private let socket: ListeningSocket
    /// The connections so far.
    let accepted = Counter()

    var url: String { "http://127.0.0.1:\(socket.port)" }

    init(_ script: @escaping @Sendable (PeerConnection) throws -> Void) throws {
        let socket = try ListeningSocket()
        self.socket = socket
        let descriptor = socket.duplicate()
        Thread { [accepted] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                accepted.add()
                let peer = PeerConnection(connection)
                Thread { try? script(peer) }.start()
            }
            close(descriptor)
        }.start()
    }

    /// Answers each request with the same bytes, and closes the connection after the first.
    convenience init(answer: String) throws {
        try self.init { peer in
            _ = try peer.readHead()
            try peer.send(answer)
            peer.finish()
        }
    }

    deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }
}

/// The server's side of a connection. One thread uses it.
final class PeerConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var input: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var limit = timeval(tv_sec: Patience.ms(30_000) / 1000, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    }

    deinit { close(descriptor) }

    /// Reads a request up to the empty line, which is left out. Throws at the end of the stream.
    func readHead() throws -> String {
        while true {
            if let end = Self.headEnd(input) {
                defer { input.removeFirst(end + 4) }
                return String(decoding: input[..<end], as: UTF8.self)
            }
            try fill()
        }
    }

    /// Reads as many bytes of a body.
    func read(_ count: Int) throws -> [UInt8] {
        while input.count < count { try fill() }
        defer { input.removeFirst(count) }
        return Array(input.prefix(count))
    }

    /// Reads to the end of the stream, keeps nothing and returns the number of bytes.
    func drain() -> Int {
        var count = 0
        repeat {
            count += input.count
            input = []
        } while (try? fill()) != nil
        return count
    }

    func send(_ text: String) throws { try send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) throws {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { throw TestSupportError("the client is gone") }
            sent += count
        }
    }

    /// Ends the sending side.
    func finish() { shutdown(descriptor, Int32(SHUT_WR)) }

    private func fill() throws {
        var buffer = [UInt8](repeating: 0, count: 65536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { throw TestSupportError("the client sent no more") }
        input += buffer[..<count]
    }

    private static func headEnd(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 4 else { return nil }
        return (0...bytes.count - 4).first { Array(bytes[$0..<$0 + 4]) == [13, 10, 13, 10] }
    }
}
