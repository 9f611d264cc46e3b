import Foundation
import NeuroViewsCrypto
import TestSupport

/// A file for an upload, and its upload URL.
struct FileOnItsWay: Sendable {
    let device: Device
    let id: String
    let bytes: [UInt8]
    let url: String
    /// The fields of a client with the current draft.
    static let draft = [("Upload-Draft-Interop-Version", "8")]

    /// Requests an upload URL; `more` are members of the request.
    init(_ device: Device, _ bytes: [UInt8], id: String = UUID().uuidString, _ more: String = "") throws {
        let opened = try device.openUpload(id, bytes: bytes.count, more)
        guard opened.status == 200 else { throw Program.Failure("upload-url: \(opened.verdict) \(opened.text)") }
        self.device = device
        self.id = id
        self.bytes = bytes
        url = opened.string("upload_url")
    }

    static func random(_ count: Int) throws -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: "/dev/urandom"), let data = try file.read(upToCount: count) else {
            throw Program.Failure("no random bytes")
        }
        return Array(data)
    }

    /// The port of the running server.
    var port: UInt16 { device.client.port }
    /// The path of the upload URL.
    var target: String { "/v2/uploads/" + token }
    var token: String { url.split(separator: "/").last.map(String.init) ?? "" }
    var objectKey: String { token.split(separator: ".").first.map(String.init) ?? "" }

    /// The same file after a restart of the server.
    func on(_ server: ServerProcess) -> FileOnItsWay {
        var device = device
        device.client = server.client
        return FileOnItsWay(device: device, id: id, bytes: bytes, url: url)
    }

    private init(device: Device, id: String, bytes: [UInt8], url: String) {
        self.device = device
        self.id = id
        self.bytes = bytes
        self.url = url
    }
}

// MARK: Requests

extension FileOnItsWay {
    /// Sends a request and reads its answers, interim ones first.
    func ask(_ method: String, _ fields: APIClient.Fields = draft, _ body: [UInt8]? = nil) throws -> [RawResponse] {
        let connection = try RawHTTP(port: port)
        // The server may answer and close before it has read all bytes.
        try? connection.send(method, target, fields: fields, body: body)
        return try Self.answers(connection, toHead: method == "HEAD")
    }

    /// The last answer alone.
    func answer(_ method: String, _ fields: APIClient.Fields = draft, _ body: [UInt8]? = nil) throws -> RawResponse {
        guard let last = try ask(method, fields, body).last else { throw Program.Failure("no answer") }
        return last
    }

    static func answers(_ connection: RawHTTP, toHead: Bool = false) throws -> [RawResponse] {
        var answers: [RawResponse] = []
        repeat { answers.append(try connection.readResponse(toHead: toHead)) } while (answers.last?.status ?? 0) < 200
        return answers
    }

    /// Begins a request for the bytes from `start` to the end, and sends the first `count` of them.
    func begin(from start: Int, sending count: Int, _ more: APIClient.Fields = []) throws -> RawHTTP {
        let connection = try RawHTTP(port: port)
        var fields = Self.draft + [("Upload-Complete", "?1")] + more
        if start > 0 { fields += [("Upload-Offset", "\(start)"), ("Content-Type", "application/partial-upload")] }
        fields.append(("Content-Length", "\(bytes.count - start)"))
        try connection.send(start > 0 ? "PATCH" : "PUT", target, fields: fields)
        try connection.send(Array(bytes[start..<(start + count)]))
        return connection
    }

    /// Appends bytes by the current draft.
    func append(_ range: Range<Int>, isLast: Bool, _ more: APIClient.Fields = []) throws -> RawResponse {
        let fields =
            Self.draft + [
                ("Upload-Offset", "\(range.lowerBound)"), ("Upload-Complete", isLast ? "?1" : "?0"),
                ("Content-Type", "application/partial-upload"),
            ]
        return try answer("PATCH", fields + more, Array(bytes[range]))
    }

    /// The offset from a HEAD request of the current draft.
    func offset() throws -> Int {
        let answer = try answer("HEAD")
        guard answer.status == 204, let offset = answer["Upload-Offset"].flatMap({ Int($0) }) else {
            throw Program.Failure("HEAD: \(answer.status)")
        }
        return offset
    }

    /// Sends a request with chunked content, in one chunk or none.
    func chunked(_ method: String, _ fields: APIClient.Fields, _ bytes: [UInt8]) throws -> RawResponse {
        let connection = try RawHTTP(port: port)
        try connection.send(method, target, fields: fields + [("Transfer-Encoding", "chunked")])
        let chunk: [UInt8] =
            bytes.isEmpty ? [] : Array("\(String(bytes.count, radix: 16))\r\n".utf8) + bytes + [13, 10]
        // The server may answer and close before it has read all bytes.
        try? connection.send(chunk + Array("0\r\n\r\n".utf8))
        guard let last = try Self.answers(connection).last else { throw Program.Failure("no answer") }
        return last
    }

    /// The field for the SHA-256 of some bytes.
    static func digest(_ name: String, _ bytes: [UInt8]) -> (String, String) {
        (name, "sha-256=:\(Base64.padded.encode(SHA256.hash(bytes))):")
    }

    /// Sends the missing bytes in one request.
    func sendRest() throws -> RawResponse { try append(offset()..<bytes.count, isLast: true) }
}

// MARK: The server's files

extension FileOnItsWay {
    /// The upload's file.
    func uploadPath(_ server: ServerProcess) -> String { "\(server.data)/objects/uploads/\(objectKey)" }

    /// The length of the upload's file; 0 if there is none.
    func uploadBytes(_ server: ServerProcess) -> Int {
        let attributes = try? FileManager.default.attributesOfItem(atPath: uploadPath(server))
        return attributes?[.size] as? Int ?? 0
    }

    /// True if the recording can be completed, and its object has the file's bytes.
    func isStored(_ server: ServerProcess) throws -> Bool {
        let folder = Hex.encode([SHA256.hash(Array(objectKey.utf8))[0]])
        let path = "\(server.data)/objects/objects/\(folder)/\(objectKey)"
        guard let data = FileManager.default.contents(atPath: path) else { return false }
        let isEqual = SHA256.hash(Array(data)) == SHA256.hash(bytes)
        return try device.complete(id, Device.movie).status == 200 && isEqual
    }
}

extension RawResponse {
    /// The status and the last part of the problem's type.
    var verdict: String {
        let type = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
        let name = (type?["type"] as? String)?.split(whereSeparator: { "/#".contains($0) }).last
        return name.map { "\(status) \($0)" } ?? "\(status)"
    }
}
