import Foundation
import Net
import TestSupport

/// A way to a server that breaks when so many bytes have gone through it: the connection that carries that byte ends.
final class CuttingProxy: Sendable {
    private struct State {
        var port: UInt16 = 0
        /// True while nothing goes through.
        var isClosed = false
        /// The last cut closes the way.
        var closes = false
        var up = Direction()
        var down = Direction()
    }

    /// One direction of all connections together.
    private struct Direction {
        var bytes = 0
        var cuts: [Int] = []
        var cutCount = 0

        /// Counts up to so many bytes. Returns how many may go, and whether the connection ends then.
        mutating func pass(_ count: Int) -> (count: Int, isCut: Bool) {
            let isCut = cuts.first.map { bytes + count >= $0 } ?? false
            let passed = isCut ? max(0, cuts.removeFirst() - bytes) : count
            bytes += passed
            if isCut { cutCount += 1 }
            return (passed, isCut)
        }
    }

    private let socket: ListeningSocket
    private let state = Locked(State())

    var url: String { "http://127.0.0.1:\(socket.port)" }
    /// From clients.
    var bytesUp: Int { state.withLock { $0.up.bytes } }
    var bytesDown: Int { state.withLock { $0.down.bytes } }
    var cutCount: Int { state.withLock { $0.up.cutCount + $0.down.cutCount } }

    init() throws {
        let socket = try ListeningSocket()
        self.socket = socket
        let descriptor = socket.duplicate()
        Thread { [weak self] in
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                guard let self else {
                    close(connection)
                    break
                }
                self.serve(connection)
            }
            close(descriptor)
        }.start()
    }

    deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    /// Names the server's port.
    func lead(to port: UInt16) { state.withLock { $0.port = port } }

    /// Counts from 0, cuts at these numbers of bytes, and closes the way at the last one if wanted. Without any it is open.
    func cut(up: [Int] = [], down: [Int] = [], thenCloses: Bool = false) {
        state.withLock { state in
            state.up = Direction(cuts: up)
            state.down = Direction(cuts: down)
            (state.isClosed, state.closes) = (false, thenCloses)
        }
    }

    private func pass(_ count: Int, _ direction: WritableKeyPath<State, Direction> & Sendable) -> (
        count: Int, isCut: Bool
    ) {
        state.withLock { state in
            if state.isClosed { return (0, true) }
            let passed = state[keyPath: direction].pass(count)
            if passed.isCut, state.closes, state[keyPath: direction].cuts.isEmpty { state.isClosed = true }
            return passed
        }
    }

    private func serve(_ client: Int32) {
        guard !state.withLock({ $0.isClosed }), let server = try? connect(state.withLock { $0.port }) else {
            close(client)
            return
        }
        let pair = Pair(client, server)
        // The client notices a cut when the server has read everything, so that tests can count what it sends again.
        Thread { [self] in
            Self.pump(from: pair.client, to: pair.server) { pass($0, \.up) }
            shutdown(pair.server, Int32(SHUT_WR))
        }.start()
        Thread { [self] in
            Self.pump(from: pair.server, to: pair.client) { pass($0, \.down) }
            pair.end()
        }.start()
    }

    private static func pump(
        from source: Int32,
        to target: Int32,
        _ pass: (Int) -> (count: Int, isCut: Bool)
    ) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        while true {
            let count = recv(source, &buffer, buffer.count, 0)
            let (passed, isCut) = count > 0 ? pass(count) : (0, true)
            var sent = 0
            while sent < passed {
                let written = buffer[sent..<passed].withUnsafeBytes {
                    send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if written <= 0 { break }
                sent += written
            }
            if isCut || sent < passed { return }
        }
    }

    private func connect(_ port: UInt16) throws -> Int32 {
        let descriptor = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = port.bigEndian
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            close(descriptor)
            throw TestSupportError("no server")
        }
        return descriptor
    }
}

/// The two sockets of a connection, closed when neither direction uses them any more.
private final class Pair: Sendable {
    let client: Int32
    let server: Int32

    init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }

    func end() {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
    }

    deinit {
        close(client)
        close(server)
    }
}
