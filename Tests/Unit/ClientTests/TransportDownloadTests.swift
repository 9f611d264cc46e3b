import Foundation
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Files that the client's transport receives", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct TransportDownloadTests {
    private func download(_ answer: String, to file: OpenFile, from offset: Int64) async throws -> TransferAnswer {
        let peer = try ScriptedPeer(answer: answer)
        let target = DownloadFile(descriptor: file.descriptor, offset: offset)
        return try await makeTransport(to: peer.url).send(TransferRequest("GET", peer.url), into: target)
    }

    @Test("A part is written behind the bytes before it, and the progress counts both")
    func part() async throws {
        let file = try OpenFile(Array("abc".utf8))
        let peer = try ScriptedPeer(
            answer: "HTTP/1.1 206 Partial Content\r\ncontent-range: bytes 3-5/6\r\nContent-Length: 3\r\n\r\ndef"
        )
        let received = Locked<Int64>(0)
        let target = DownloadFile(descriptor: file.descriptor, offset: 3) { count in received.withLock { $0 = count } }
        let answer = try await makeTransport(to: peer.url).send(TransferRequest("GET", peer.url), into: target)
        #expect(answer.body == [])
        #expect(file.content == Array("abcdef".utf8))
        #expect(received.withLock { $0 } == 6)
    }

    @Test("A whole file replaces what was there, also an empty one", arguments: ["new", ""])
    func whole(content: String) async throws {
        let file = try OpenFile(Array("old content".utf8))
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n"
        #expect(try await download(head + content, to: file, from: 3).status == 200)
        #expect(file.content == Array(content.utf8))
    }

    @Test("A file larger than 16 MiB is written")
    func large() async throws {
        let file = try OpenFile()
        let count = 17 << 20
        let answer = "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count)
        #expect(try await download(answer, to: file, from: 0).status == 200)
        #expect(file.content.count == count)
    }

    @Test("A body that is larger than the file that was asked for does not fill the disk")
    func larger() async throws {
        let file = try OpenFile()
        let peer = try ScriptedPeer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdefghi")
        let target = DownloadFile(descriptor: file.descriptor, offset: 0, limit: 8)
        let error = await (try makeTransport(to: peer.url)).failure(TransferRequest("GET", peer.url), into: target)
        #expect(error == .tooLarge(maxBytes: 8))
        #expect(file.content.count <= 8)
    }

    @Test("A refusal and a redirect leave the file alone", arguments: ["410 Gone", "307 Temporary Redirect", "416 No"])
    func refusal(status: String) async throws {
        let file = try OpenFile(Array("abc".utf8))
        let answer = try await download("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\n{}", to: file, from: 3)
        #expect(answer.body == Array("{}".utf8))
        #expect(file.content == Array("abc".utf8))
    }

    @Test("A part that was not asked for is refused", arguments: ["Content-Range: bytes 2-4/6\r\n", ""])
    func otherPart(field: String) async throws {
        let file = try OpenFile(Array("abc".utf8))
        let answer = "HTTP/1.1 206 Partial Content\r\n\(field)Content-Length: 3\r\n\r\ncde"
        await #expect(throws: TransportError.notHTTP("another range than the request's")) {
            try await download(answer, to: file, from: 3)
        }
        #expect(file.content == Array("abc".utf8))
    }

    @Test("A full disk ends a download by name")
    func full() async throws {
        let peer = try ScriptedPeer(
            answer: "HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 1-3/4\r\nContent-Length: 3\r\n\r\nabc"
        )
        let device = open("/dev/full", O_WRONLY | O_CLOEXEC)
        defer { close(device) }
        let transport = try makeTransport(to: peer.url)
        let target = DownloadFile(descriptor: device, offset: 1)
        let error = await transport.failure(TransferRequest("GET", peer.url), into: target)
        #expect(error == .file(code: ENOSPC))
    }
}
