import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("Requests over URLSession", .timeLimit(.minutes(2)))
struct SessionTransportTests {
    private static let done = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    private func answer(to method: String = "GET", _ bytes: String) async throws -> TransferAnswer {
        let peer = try LocalPeer(answer: bytes)
        return try await sessionTransport(to: peer.url).send(TransferRequest(method, peer.url + "/a"))
    }

    @Test("A request has the caller's URL, fields and body, and nothing of the device")
    func head() async throws {
        let heads = Guarded<[String]>([])
        let peer = try LocalPeer { peer in
            while true {
                let head = try peer.readHead()
                heads.withLock { $0.append(head) }
                if head.hasPrefix("PUT") { _ = try peer.read(4) }
                try peer.reply(Self.done)
            }
        }
        let transport = try sessionTransport(to: peer.url)
        let fields = [
            ("If-Match", "\"1\""), ("Authorization", "Bearer a.b.c"), ("Content-Length", "9"), ("Host", "other"),
        ]
        let url = peer.url + "/b%20c?d=e%2Ff"
        _ = try await transport.send(TransferRequest("PUT", url, fields: fields, body: .bytes(Array("body".utf8))))
        _ = try await transport.send(TransferRequest("POST", url))
        let lines = heads.withLock { $0 }.map { $0.components(separatedBy: "\r\n") }
        #expect(lines.map { $0[0] } == ["PUT", "POST"].map { "\($0) /b%20c?d=e%2Ff HTTP/1.1" })
        let wanted = [
            "If-Match: \"1\"", "Authorization: Bearer a.b.c", "Content-Length: 4", "Accept-Encoding: identity",
        ]
        #expect(wanted.filter { !lines[0].contains($0) } == [])
        #expect(lines[1].contains("Content-Length: 0"))
        let device = lines.joined().filter { $0.hasPrefix("User-Agent:") || $0.hasPrefix("Accept-Language:") }
        #expect(Set(device) == ["User-Agent: NeuroViewsClient", "Accept-Language: *"])
    }

    @Test("A URL that URLSession would change is refused before anything is sent")
    func otherURL() async throws {
        let transport = try sessionTransport(to: "http://127.0.0.1:1")
        let error = await transport.failure(TransferRequest("GET", "http://127.0.0.1:1/a b"))
        guard case .badRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("The fields of an answer are found in any case, without the interim answers before it")
    func fields() async throws {
        let interim = "HTTP/1.1 104 Upload Resumption Supported\r\nx-interim: 1\r\n\r\n"
        let bytes = interim + "HTTP/1.1 404 Not Found\r\nETAG: \"1-a\"\r\ncontent-length: 2\r\n\r\n{}"
        let answer = try await answer(bytes)
        #expect(answer.status == 404 && answer["etag"] == "\"1-a\"" && answer["x-interim"] == nil)
        #expect(answer.body == Array("{}".utf8))
    }

    @Test("A redirect is an answer and is not followed", arguments: [302, 307])
    func redirect(status: Int) async throws {
        let answer = try await answer(
            "HTTP/1.1 \(status) Moved\r\nLocation: http://127.0.0.1:1/b\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(answer.status == status && answer["location"] == "http://127.0.0.1:1/b")
    }

    @Test(
        "An answer that is larger than the limit ends the request, and one that is not arrives",
        arguments: [1000, 1001]
    )
    func largest(count: Int) async throws {
        let peer = try LocalPeer(
            answer: "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
        )
        let transport = try sessionTransport(to: peer.url) { $0.answerMaxBytes = 1000 }
        let error = await transport.failure(TransferRequest("GET", peer.url))
        #expect(error == (count > 1000 ? .tooLarge(maxBytes: 1000) : nil))
    }

    @Test("A cut answer is no answer")
    func cut() async throws {
        let peer = try LocalPeer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
        let transport = try sessionTransport(to: peer.url)
        #expect(await transport.failure(TransferRequest("GET", peer.url)) != nil)
    }

    @Test("A silent server ends the request when the limit has passed")
    func stall() async throws {
        let peer = try LocalPeer { $0.drain() }
        let transport = try sessionTransport(to: peer.url) { $0.stallS = 1 }
        #expect(await transport.failure(TransferRequest("GET", peer.url)) == .stalled(seconds: 1))
    }

    @Test("A cancelled task ends its request, under way or waiting for its turn")
    func cancel() async throws {
        let asked = Guarded(0)
        let peer = try LocalPeer { peer in
            _ = try peer.readHead()
            asked.withLock { $0 += 1 }
            peer.drain()
        }
        let (transport, url) = (try sessionTransport(to: peer.url), peer.url)
        let tasks = (0..<6).map { number in
            Task { await transport.failure(TransferRequest("GET", "\(url)/\(number)")) }
        }
        #expect(try await holds { asked.withLock { $0 } == 4 })
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
    }
}
