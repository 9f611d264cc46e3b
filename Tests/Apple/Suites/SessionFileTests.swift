import Foundation
import Testing

@testable import NeuroViewsClient

@Suite("Files over URLSession", .timeLimit(.minutes(2)))
struct SessionFileTests {
    /// A source with other bytes than the file's.
    private struct Letters: RegionSource {
        func bytes(at offset: Int64) throws(TransportError) -> ArraySlice<UInt8> {
            Array("ABCDEFGHIJ".utf8)[Int(offset)...]
        }
    }

    /// The body that a server got, and the last report of progress.
    private func upload(_ region: (Int32, @escaping @Sendable (Int64) -> Void) -> FileRegion) async throws -> (
        String, Int64
    ) {
        let body = Guarded("")
        let peer = try LocalPeer { peer in
            let head = try peer.readHead().lowercased()
            let length = head.components(separatedBy: "content-length: ").last.flatMap {
                Int($0.prefix { $0.isNumber })
            }
            let bytes = try peer.read(length ?? 0)
            body.withLock { $0 = String(decoding: bytes, as: UTF8.self) }
            try peer.reply("HTTP/1.1 204 No Content\r\n\r\n")
        }
        let file = try LocalTestFile(Array("0123456789".utf8))
        let sent = Guarded<Int64>(0)
        var request = TransferRequest("PATCH", peer.url, fields: [("Upload-Offset", "3")])
        request.body = .file(region(file.descriptor) { count in sent.withLock { $0 = count } })
        #expect(try await sessionTransport(to: peer.url).send(request).status == 204)
        return (body.withLock { $0 }, sent.withLock { $0 })
    }

    @Test("A part of a file is sent alone, with its progress")
    func part() async throws {
        let (body, sent) = try await upload { FileRegion(descriptor: $0, offset: 3, length: 5, sent: $1) }
        #expect(body == "34567" && sent == 5)
    }

    @Test("A whole file is sent as it is")
    func whole() async throws {
        let (body, sent) = try await upload { FileRegion(descriptor: $0, offset: 0, length: 10, sent: $1) }
        #expect(body == "0123456789" && sent == 10)
    }

    @Test("The bytes of a source are sent in place of the file's own, also of the whole file", arguments: [0, 4])
    func source(offset: Int) async throws {
        let (body, _) = try await upload {
            FileRegion(descriptor: $0, offset: Int64(offset), length: Int64(10 - offset), source: Letters(), sent: $1)
        }
        #expect(body == "ABCDEFGHIJ".dropFirst(offset))
    }

    @Test("No copy of a part stays on the disk")
    func pieces() async throws {
        let folder = FileManager.default.temporaryDirectory.path + "/neuroviews-pieces"
        func copies() -> Set<String> { Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []) }
        // A process that was killed may have left some.
        let before = copies()
        _ = try await upload { FileRegion(descriptor: $0, offset: 3, length: 5, sent: $1) }
        // Other tests may have theirs for a moment.
        #expect(try await holds { copies().isSubset(of: before) })
    }

    @Test(
        "A part of a download goes behind the bytes that are there, and a whole file replaces them",
        arguments: [("206 Partial Content\r\nContent-Range: bytes 3-5/6", "abcdef"), ("200 OK", "def")]
    )
    func download(head: String, content: String) async throws {
        let file = try LocalTestFile(Array("abc".utf8))
        let peer = try LocalPeer(answer: "HTTP/1.1 \(head)\r\nContent-Length: 3\r\n\r\ndef")
        let target = DownloadFile(descriptor: file.descriptor, offset: 3)
        let answer = try await sessionTransport(to: peer.url).send(TransferRequest("GET", peer.url), into: target)
        #expect(answer.body == [])
        #expect(file.content == Array(content.utf8))
    }

    @Test("A refusal leaves the file alone, and so does a part that was not asked for")
    func refusal() async throws {
        let file = try LocalTestFile(Array("abc".utf8))
        for head in ["410 Gone", "206 Partial Content\r\nContent-Range: bytes 2-3/6"] {
            let peer = try LocalPeer(answer: "HTTP/1.1 \(head)\r\nContent-Length: 2\r\n\r\n{}")
            let target = DownloadFile(descriptor: file.descriptor, offset: 3)
            _ = await (try sessionTransport(to: peer.url)).failure(TransferRequest("GET", peer.url), into: target)
            #expect(file.content == Array("abc".utf8))
        }
    }

    @Test("A body that is larger than the file that was asked for does not fill the disk")
    func larger() async throws {
        let file = try LocalTestFile()
        let peer = try LocalPeer(answer: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabcdefghi")
        let target = DownloadFile(descriptor: file.descriptor, offset: 0, limit: 8)
        let error = await (try sessionTransport(to: peer.url)).failure(TransferRequest("GET", peer.url), into: target)
        #expect(error == .tooLarge(maxBytes: 8) && file.content.count <= 8)
    }
}
