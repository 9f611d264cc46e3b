import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Answers that the client's transport gets", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct TransportAnswerTests {
    private func answer(to method: String = "GET", _ bytes: String) async throws -> TransferAnswer {
        let peer = try ScriptedPeer(answer: bytes)
        return try await makeTransport(to: peer.url).send(TransferRequest(method, peer.url + "/a"))
    }

    private func failed(_ bytes: String) async throws -> TransportError? {
        let peer = try ScriptedPeer(answer: bytes)
        let transport = try makeTransport(to: peer.url)
        return await transport.failure(TransferRequest("GET", peer.url))
    }

    @Test("The fields of an answer are found in any case, without the interim answers before it")
    func fields() async throws {
        let interim = "HTTP/1.1 104 Upload Resumption Supported\r\nx-interim: 1\r\n\r\n"
        let bytes = interim + "HTTP/1.1 404 Not Found\r\nETAG:  \"1-a\" \r\nX-Empty:\r\ncontent-length: 2\r\n\r\n{}"
        let answer = try await answer(bytes)
        #expect(answer.status == 404)
        #expect(answer["etag"] == "\"1-a\"")
        #expect(answer["Content-Length"] == "2")
        #expect(answer["x-empty"] == "")
        #expect(answer["x-interim"] == nil)
        #expect(answer.body == Array("{}".utf8))
    }

    @Test("An answer without a length ends with its connection, and trailers are no fields")
    func withoutLength() async throws {
        #expect(try await answer("HTTP/1.1 200 OK\r\n\r\nhello").body == Array("hello".utf8))
        let chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nx-trailer: 1\r\n\r\n"
        let chunked = try await answer(chunks)
        #expect(chunked.body == Array("hello".utf8))
        #expect(chunked["x-trailer"] == nil)
    }

    @Test("An answer to HEAD has a length and no body")
    func head() async throws {
        let answer = try await answer(to: "HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 7\r\nUpload-Offset: 3\r\n\r\n")
        #expect(answer["upload-offset"] == "3")
        #expect(answer.body == [])
    }

    @Test("A body of 16 MiB arrives, and one byte more is too large", arguments: [false, true])
    func largest(isChunked: Bool) async throws {
        for (count, fits) in [(16 << 20, true), (16 << 20 + 1, false)] {
            let chunked = "Transfer-Encoding: chunked\r\n\r\n\(String(count, radix: 16))\r\n"
            let head = "HTTP/1.1 200 OK\r\n" + (isChunked ? chunked : "Content-Length: \(count)\r\n\r\n")
            let bytes = head + String(repeating: "x", count: count) + (isChunked ? "\r\n0\r\n\r\n" : "")
            if fits {
                #expect(try await answer(bytes).body.count == count)
            } else {
                #expect(try await failed(bytes) == .tooLarge(maxBytes: 16 << 20))
            }
        }
    }

    @Test("A head of more than 64 KiB is too large")
    func largeHead() async throws {
        let fields = (0..<2000).map { "x-\($0): \(String(repeating: "y", count: 40))\r\n" }.joined()
        #expect(try await failed("HTTP/1.1 200 OK\r\n" + fields + "\r\n") == .tooLarge(maxBytes: 64 << 10))
    }

    @Test(
        "A cut answer is no answer",
        arguments: [
            "", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n",
        ]
    )
    func cut(_ bytes: String) async throws {
        let error = try await failed(bytes)
        guard case .cut = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(error?.isOffline == true)
    }

    @Test("Bytes of another protocol are no answer", arguments: ["SSH-2.0-OpenSSH_9.2\r\n", "HTTP/9.7 200 OK\r\n\r\n"])
    func otherProtocol(_ bytes: String) async throws {
        let error = try await failed(bytes)
        guard case .notHTTP = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("A redirect is an answer and is not followed", arguments: [301, 302, 307, 308])
    func redirect(status: Int) async throws {
        let other = try ScriptedPeer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
        let answer = try await answer(
            "HTTP/1.1 \(status) Moved\r\nLocation: \(other.url)/b\r\nContent-Length: 0\r\n\r\n"
        )
        #expect(answer.status == status)
        #expect(answer["location"] == other.url + "/b")
        #expect(other.accepted.value == 0)
    }

    @Test("A server without a word ends the request when the limit has passed")
    func stall() async throws {
        let peer = try ScriptedPeer { peer in _ = peer.drain() }
        let transport = try makeTransport(to: peer.url, stallS: 1)
        let error = await transport.failure(TransferRequest("GET", peer.url))
        #expect(error == .stalled(seconds: 1))
    }

    @Test("A port that nobody listens on, and a name without an address, are offline")
    func offline() async throws {
        let port = try ListeningSocket().port
        let transport = try makeTransport(to: "http://127.0.0.1:\(port)") { $0.allowsPlainHTTP = true }
        let refused = await transport.failure(TransferRequest("GET", "http://127.0.0.1:\(port)"))
        guard case .notConnected = refused else {
            Issue.record("\(String(describing: refused))")
            return
        }
        // No name server is asked: a label has 63 bytes at most.
        let nobody = "http://\(String(repeating: "a", count: 64)).invalid/"
        let unknown = await transport.failure(TransferRequest("GET", nobody))
        guard case .unknownHost = unknown else {
            Issue.record("\(String(describing: unknown))")
            return
        }
        #expect(refused?.isOffline == true && unknown?.isOffline == true)
    }
}
