/// A small blocking HTTP/1.1 client over `RawSocket`. It sends valid and invalid requests and reads one response at a
/// time.
package final class RawHTTP {
    /// The underlying connection.
    package let socket: any ByteStream
    private var input: [UInt8] = []

    /// Connects to a server on the loopback address, from 127.0.0.`source` if given.
    package init(port: UInt16, limitMs: Int = Patience.ms(10000), source: UInt8? = nil) throws {
        socket = try RawSocket(port: port, limitMs: limitMs, source: source)
    }

    /// Uses an existing connection, such as a `TLSSocket`.
    package init(_ socket: any ByteStream) { self.socket = socket }

    /// Sends text unchanged.
    package func send(_ text: String) throws { try socket.send(text) }

    /// Sends bytes unchanged.
    package func send(_ bytes: [UInt8]) throws { try socket.send(bytes) }

    /// Sends a request with Host and, if it has a body, Content-Length.
    package func send(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: [UInt8]? = nil
    ) throws {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for (name, value) in fields { text += "\(name): \(value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        try send(Array((text + "\r\n").utf8) + (body ?? []))
    }

    /// Sends a request and reads the response.
    package func ask(
        _ method: String,
        _ target: String,
        fields: [(String, String)] = [],
        body: [UInt8]? = nil
    ) throws -> RawResponse {
        try send(method, target, fields: fields, body: body)
        return try readResponse(toHead: method == "HEAD")
    }

    /// Reads one response. With `toHead` the request was HEAD: the response has no content, even with a Content-Length.
    package func readResponse(toHead: Bool = false) throws -> RawResponse {
        var response = try readHead()
        if toHead || response.status < 200 || response.status == 204 || response.status == 304 { return response }
        if response["Transfer-Encoding"] == "chunked" {
            response.body = try readChunks()
        } else if let length = response["Content-Length"].flatMap({ Int($0) }) {
            response.body = try take(length)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    /// Reads until the server closes the connection.
    package func readToEnd() throws -> [UInt8] {
        defer { input = [] }
        return try input + socket.receiveAll()
    }

    private func readHead() throws -> RawResponse {
        let line = try readLine().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
        guard line.count == 3, line[0] == "HTTP/1.1", let status = Int(line[1]) else {
            throw TestSupportError("no status line: \(line)")
        }
        var response = RawResponse(status: status)
        while case let line = try readLine(), !line.isEmpty {
            guard let colon = line.firstIndex(of: ":") else { throw TestSupportError("no field: \(line)") }
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            response.fields.append((String(line[..<colon]), String(value)))
        }
        return response
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = try readLine()
            guard let size = Int(line, radix: 16) else { throw TestSupportError("no chunk size: \(line)") }
            body += try take(size)
            guard try take(2) == [13, 10] else { throw TestSupportError("a chunk without an end") }
            if size == 0 { return body }
        }
    }

    private func readLine() throws -> String {
        var line: [UInt8] = []
        while true {
            let byte = try take(1)
            if byte == [10], line.last == 13 { return String(decoding: line.dropLast(), as: UTF8.self) }
            line += byte
        }
    }

    private func take(_ count: Int) throws -> [UInt8] {
        while input.count < count {
            let piece = try socket.receive()
            if piece.isEmpty { throw TestSupportError("the connection ended after \(input)") }
            input += piece
        }
        defer { input.removeFirst(count) }
        return Array(input.prefix(count))
    }
}

/// A received response.
package struct RawResponse: Sendable {
    /// The status code.
    package let status: Int
    /// The header fields in order.
    package var fields: [(name: String, value: String)] = []
    /// The content without the transfer coding.
    package var body: [UInt8] = []

    /// The content as text.
    package var text: String { String(decoding: body, as: UTF8.self) }

    init(status: Int) { self.status = status }

    /// The value of the first field with that name, case-insensitive.
    package subscript(name: String) -> String? {
        fields.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
