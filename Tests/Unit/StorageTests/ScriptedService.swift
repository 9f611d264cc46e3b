import Foundation
import Glibc
import Net
import TestSupport
import Testing

@testable import Storage

/// The thread of a service must not keep the service itself.
private final class Received: Sendable {
    let requests = Locked<[String]>([])
}

/// A server with answers that no real service gives on demand. Each connection serves one request. After the answer it
/// is closed, or it stays open without further bytes.
final class ScriptedService: Sendable {
    private let socket: ListeningSocket
    private let received = Received()

    /// The requests so far.
    var requests: [String] { received.requests.withLock { $0 } }

    /// Gives every request the same bytes.
    convenience init(answer: String, staysOpen: Bool = false) throws {
        try self.init(staysOpen: staysOpen) { _ in answer }
    }

    init(staysOpen: Bool = false, answering: @escaping @Sendable (_ request: String) -> String) throws {
        let socket = try ListeningSocket()
        self.socket = socket
        let descriptor = socket.duplicate()
        Thread { [received] in
            var open: [Int32] = []
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { break }
                let request = Self.readRequest(connection)
                received.requests.withLock { $0.append(request) }
                _ = Array(answering(request).utf8).withUnsafeBytes {
                    send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                if staysOpen { open.append(connection) } else { close(connection) }
            }
            for connection in open + [descriptor] { close(connection) }
        }.start()
    }

    deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    func endpoint() throws -> S3Endpoint { try #require(S3Endpoint("http://127.0.0.1:\(socket.port)")) }

    /// Reads the head and the body by its length, and returns both. An unread rest would reset the connection.
    private static func readRequest(_ connection: Int32) -> String {
        var received = ""
        var missing = 1
        var buffer = [UInt8](repeating: 0, count: 65536)
        while missing > 0 {
            let count = recv(connection, &buffer, buffer.count, 0)
            guard count > 0 else { return received }
            received += String(decoding: buffer[..<count], as: UTF8.self)
            guard let end = received.range(of: "\r\n\r\n") else { continue }
            let length = received[..<end.lowerBound].lowercased().components(separatedBy: "content-length: ")
            let expected = length.count > 1 ? Int(length[1].prefix { $0.isNumber }) ?? 0 : 0
            missing = expected - received[end.upperBound...].utf8.count
        }
        return received
    }
}
