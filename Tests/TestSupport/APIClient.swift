import Foundation
import Net

/// An HTTP client for a server on this machine. Thread-safe; reuses idle connections.
package final class APIClient: Sendable {
    /// Header fields of a request.
    package typealias Fields = [(String, String)]

    /// The server's port on 127.0.0.1.
    package let port: UInt16
    private let idle = Locked<[Int32]>([])
    private let server: ServerProcess?

    /// Connects to a port of 127.0.0.1. `origin` is the server's public origin; the default is the address itself.
    /// `server` runs at least as long as the client.
    package init(port: UInt16, origin: String? = nil, of server: ServerProcess? = nil) {
        self.port = port
        self.origin = origin ?? "http://127.0.0.1:\(port)"
        self.server = server
    }

    deinit { for descriptor in idle.withLock({ $0 }) { close(descriptor) } }

    /// Scheme, host and port of the request URLs.
    package let origin: String
    /// The Host field.
    package var host: String { String(origin.split(separator: "/").last ?? "") }

    /// Sends a request and reads the response. Opens a new connection if the server closed the idle one.
    package func send(_ method: String, _ target: String, _ fields: Fields = [], body: String? = nil) throws
        -> HTTPAnswer
    {
        let request = Self.request(method, target, host: host, fields, body: body.map { Array($0.utf8) })
        if let descriptor = idle.withLock({ $0.popLast() }) {
            let connection = HTTPConnection(adopting: descriptor)
            if let answer = try? exchange(request, on: connection, isHead: method == "HEAD") { return answer }
        }
        let connection = try HTTPConnection(port: port)
        guard let answer = try exchange(request, on: connection, isHead: method == "HEAD") else {
            throw Program.Failure("\(method) \(target): the connection ended without an answer")
        }
        return answer
    }

    /// The bytes of a request. A body is JSON unless `fields` has a Content-Type.
    package static func request(
        _ method: String,
        _ target: String,
        host: String,
        _ fields: Fields = [],
        body: [UInt8]? = nil
    ) -> [UInt8] {
        var head = "\(method) \(target) HTTP/1.1\r\nHost: \(host)\r\n"
        let names = fields.map { $0.0.lowercased() }
        if body != nil && !names.contains("content-type") { head += "Content-Type: application/json\r\n" }
        if let body, !names.contains("content-length") { head += "Content-Length: \(body.count)\r\n" }
        for (name, value) in fields { head += "\(name): \(value)\r\n" }
        return Array((head + "\r\n").utf8) + (body ?? [])
    }

    private func exchange(_ request: [UInt8], on connection: HTTPConnection, isHead: Bool) throws -> HTTPAnswer? {
        try connection.send(request)
        guard let answer = try connection.receive(isHead: isHead) else { return nil }
        if answer.field("connection") != "close", let descriptor = connection.release() {
            idle.withLock { $0.append(descriptor) }
        }
        return answer
    }
}
