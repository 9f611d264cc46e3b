import Foundation
import TestSupport
import Testing

/// Runs the table over any transport. Tests of an encrypted transport need only another `Transport`.
enum MessageRun {
    /// A message and its probe, cut into two pieces.
    private struct Case {
        let message: Message
        let cut: Int
        var bytes: [UInt8] { message.bytes + Message.probe }
    }

    /// The number of simultaneous connections.
    private static let batchCount = 200

    /// Sends every message, cut at every byte or at every `stride`-th byte. Returns a line for each unexpected answer.
    static func deviations(
        _ messages: [Message],
        port: UInt16,
        over transport: any Transport,
        cutEvery stride: Int = 1
    ) throws -> [String] {
        let cases = messages.enumerated().flatMap { index, message in
            // The cuts differ from message to message.
            (0...message.bytes.count).filter { ($0 + index) % stride == 0 }.map { Case(message: message, cut: $0) }
        }
        var found: [String] = []
        for start in Swift.stride(from: 0, to: cases.count, by: batchCount) {
            found += try run(cases[start..<min(start + batchCount, cases.count)], port, transport)
        }
        return found
    }

    private static func run(_ cases: ArraySlice<Case>, _ port: UInt16, _ transport: any Transport) throws -> [String] {
        let streams = try cases.map { _ in try transport.connect(port: port) }
        for (one, stream) in zip(cases, streams) where one.cut > 0 { try stream.send(Array(one.bytes[..<one.cut])) }
        // When these probes are answered, the loops have read the earlier bytes.
        for _ in 0..<4 { _ = try answers(to: Message.probe, try transport.connect(port: port)) }
        var found: [String] = []
        for (one, stream) in zip(cases, streams) {
            // If the server refused the first piece, the connection may be closed already. Its answer still arrives.
            try? stream.send(Array(one.bytes[one.cut...]))
            stream.finishSending()
        }
        for (one, stream) in zip(cases, streams) {
            let verdicts = verdicts(try stream.receiveAll())
            if verdicts != one.message.verdicts {
                found.append("\(one.message.testDescription) cut at \(one.cut): \(verdicts)")
            }
        }
        return found
    }

    private static func answers(to bytes: [UInt8], _ stream: any ByteStream) throws -> [UInt8] {
        try stream.send(bytes)
        return try stream.receiveAll()
    }

    /// The verdicts of consecutive answers, in the form of `HTTPAnswer.verdict`.
    static func verdicts(_ bytes: [UInt8]) -> [String] {
        var rest = bytes[...]
        var found: [String] = []
        while let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
            let head = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            let status = head.split(separator: " ").dropFirst().first.map(String.init) ?? ""
            rest = rest[end.upperBound...]
            let length = field("content-length", of: head).flatMap { Int($0) } ?? 0
            // Only an answer to HEAD has a length without content. The next answer follows it directly.
            let content = rest.starts(with: "HTTP/".utf8) ? [] : rest.prefix(length)
            rest = rest.dropFirst(content.count)
            found.append(problem(content).map { "\(status) \($0)" } ?? status)
        }
        return rest.isEmpty ? found : found + ["\(rest.count) bytes more"]
    }

    private static func field(_ name: String, of head: String) -> String? {
        for line in head.split(separator: "\r\n").dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            if parts.count == 2, parts[0].lowercased() == name { return parts[1].trimmingCharacters(in: .whitespaces) }
        }
        return nil
    }

    private static func problem(_ content: ArraySlice<UInt8>) -> String? {
        let json = (try? JSONSerialization.jsonObject(with: Data(content))) as? [String: Any]
        return (json?["type"] as? String)?.split(separator: "/").last.map(String.init)
    }
}

@Suite("HTTP messages, cut at every byte", .blocking, .serialized, .timeLimit(.minutes(Patience.minutes(10))))
struct MessageTests {
    /// On a busy machine it takes long to open a batch of connections.
    private static let patience = ["--header-timeout-ms", "600000"]
    private static let plain = Result { try ServerProcess(patience) }

    @Test("Legal messages are read the same way at every cut")
    func legal() async throws {
        let port = try Self.plain.get().client.port
        let deviations = try await onThread {
            try MessageRun.deviations(Message.legal, port: port, over: PlainTransport())
        }
        #expect(deviations.isEmpty)
    }

    @Test("Ambiguous messages are refused at every cut, and nothing behind them is read")
    func ambiguous() async throws {
        let port = try Self.plain.get().client.port
        let deviations = try await onThread {
            try MessageRun.deviations(Message.ambiguous, port: port, over: PlainTransport())
        }
        #expect(deviations.isEmpty)
    }

    @Test("Messages are read the same way over TLS, with each piece in a record of its own")
    func encrypted() async throws {
        let folder = try TestCertificate().write()
        let server = try ServerProcess(
            Self.patience + ["--tls-cert", folder + "/cert.pem", "--tls-key", folder + "/key.pem"]
        )
        let port = server.client.port
        let deviations = try await onThread {
            try MessageRun.deviations(
                Message.legal + Message.ambiguous,
                port: port,
                over: EncryptedTransport(),
                cutEvery: TestRun.isFull ? 1 : 13
            )
        }
        #expect(deviations.isEmpty)
        try server.stop()
    }
}
