import Foundation
import Net
import TestSupport

/// A small HTTP server that a test runs, for the keys of OpenID providers.
final class DocumentServer: Sendable {
    enum Answer: Sendable {
        case document(String, fields: [String] = [])
        case status(Int, fields: [String] = [])
        /// No answer arrives before the test's end.
        case silence
    }

    private let listening: ListeningSocket
    private let answers = Locked<[String: Answer]>([:])
    private let counts = Locked<[String: Int]>([:])

    init() throws {
        listening = try ListeningSocket()
        // The thread runs until the end of the process.
        Thread.detachNewThread { [self] in
            while true {
                let client = accept(listening.descriptor, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { [self] in serve(client) }
            }
        }
    }

    func url(_ path: String) -> String { "http://127.0.0.1:\(listening.port)\(path)" }

    /// Sets the answer for a path from now on.
    func set(_ path: String, _ answer: Answer) { answers.withLock { $0[path] = answer } }

    /// The number of requests for a path.
    func count(_ path: String) -> Int { counts.withLock { $0[path] ?? 0 } }

    private func serve(_ client: Int32) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4096)
        while !String(decoding: bytes, as: UTF8.self).contains("\r\n\r\n") {
            let count = recv(client, &chunk, chunk.count, 0)
            guard count > 0 else { return _ = close(client) }
            bytes += chunk[..<count]
        }
        let words = String(decoding: bytes, as: UTF8.self).split(separator: " ")
        let path = words.count > 1 ? String(words[1]) : ""
        counts.withLock { $0[path, default: 0] += 1 }
        send(answers.withLock { $0[path] } ?? .status(404), to: client)
    }

    private func send(_ answer: Answer, to client: Int32) {
        switch answer {
        case .document(let text, let fields):
            write(client, "200 OK", ["Content-Length: \(text.utf8.count)"] + fields, text)
        case .status(let status, let fields): write(client, "\(status) X", ["Content-Length: 0"] + fields, "")
        case .silence: break
        }
    }

    private func write(_ client: Int32, _ status: String, _ fields: [String], _ body: String) {
        let head = (["HTTP/1.1 \(status)"] + fields + ["Connection: close", "", ""]).joined(separator: "\r\n")
        let bytes = Array((head + body).utf8)
        _ = Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(client)
    }
}
