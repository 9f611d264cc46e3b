import Foundation
import TestSupport

/// A network that wants a log in: each request to a port gets its page.
final class PagePortal: Sendable {
    private static let page =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\nConnection: close\r\n\r\n<p>Welcome</p>"
    private let socket: ListeningSocket

    init(port: UInt16) throws {
        let socket = try ListeningSocket(port: port)
        self.socket = socket
        let descriptor = socket.duplicate()
        Thread {
            while case let connection = accept(descriptor, nil, nil), connection >= 0 {
                Thread { Self.answer(connection) }.start()
            }
            close(descriptor)
        }.start()
    }

    deinit { shutdown(socket.descriptor, Int32(SHUT_RDWR)) }

    /// Reads to the end, since a close before it would break the connection and take the page along.
    private static func answer(_ connection: Int32) {
        var buffer = [UInt8](repeating: 0, count: 65536)
        if recv(connection, &buffer, buffer.count, 0) > 0 {
            let bytes = Array(page.utf8)
            _ = send(connection, bytes, bytes.count, Int32(MSG_NOSIGNAL))
            shutdown(connection, Int32(SHUT_WR))
            while recv(connection, &buffer, buffer.count, 0) > 0 {}
        }
        close(connection)
    }
}
