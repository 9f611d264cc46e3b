import Foundation
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Files that the client's transport sends", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct TransportUploadTests {
    private static let done = "HTTP/1.1 204 No Content\r\n\r\n"

    @Test("A region of a file is the body, with its length, and its progress ends with it")
    func region() async throws {
        let heads = Locked<[String]>([])
        let bodies = Locked<[[UInt8]]>([])
        let peer = try ScriptedPeer { peer in
            let head = try peer.readHead()
            heads.withLock { $0.append(head) }
            let length = head.components(separatedBy: "Content-Length: ").last?.prefix { $0.isNumber } ?? ""
            let body = try peer.read(Int(length) ?? 0)
            bodies.withLock { $0.append(body) }
            try peer.send(Self.done)
            _ = peer.drain()
        }
        let content = BytePattern.bytes(3_000_000)
        let file = try OpenFile(content)
        let sent = Locked<Int64>(0)
        for range in [1000..<2_900_000, 3_000_000..<3_000_000] {
            let region = FileRegion(
                descriptor: file.descriptor,
                offset: Int64(range.lowerBound),
                length: Int64(range.count)
            ) { count in sent.withLock { $0 = count } }
            let request = TransferRequest("PATCH", peer.url, body: .file(region))
            #expect(try await makeTransport(to: peer.url).send(request).status == 204)
            #expect(bodies.withLock { $0.last } == Array(content[range]))
        }
        #expect(sent.withLock { $0 } == 2_899_000)
        for head in heads.withLock({ $0 }) {
            #expect(head.hasPrefix("PATCH / HTTP/1.1\r\n") && !head.contains("Expect") && !head.contains("chunked"))
        }
    }

    @Test(
        "A refusal during an upload is its answer, and the rest is not sent",
        arguments: [
            "Content-Length: 2\r\n\r\n{}", "Connection: close\r\nContent-Length: 2\r\n\r\n{}",
            "Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
        ]
    )
    func refusal(rest: String) async throws {
        let drained = Locked<Int?>(nil)
        let peer = try ScriptedPeer { peer in
            _ = try peer.readHead()
            _ = try peer.read(1 << 20)
            try peer.send("HTTP/1.1 409 Conflict\r\n\(rest)")
            let count = peer.drain()
            drained.withLock { $0 = count }
        }
        let file = try OpenFile(zeros: 256 << 20)
        let region = FileRegion(descriptor: file.descriptor, offset: 0, length: 256 << 20)
        let answer = try await makeTransport(to: peer.url).send(TransferRequest("PATCH", peer.url, body: .file(region)))
        #expect(answer.status == 409)
        #expect(answer.body == Array("{}".utf8))
        try await eventually { drained.withLock { $0 } != nil }
        #expect(drained.withLock { $0 ?? 0 } < 128 << 20)
    }

    @Test("A file on a connection that was used before, and breaks, is not sent again unasked")
    func usedConnection() async throws {
        let heads = Counter()
        let peer = try ScriptedPeer { peer in
            _ = try peer.readHead()
            heads.add()
            try peer.send(Self.done)
            _ = try peer.readHead()
            heads.add()
            _ = try peer.read(3)
            peer.finish()
        }
        let transport = try makeTransport(to: peer.url)
        _ = try await transport.send(TransferRequest("GET", peer.url))
        let file = try OpenFile([1, 2, 3])
        let region = FileRegion(descriptor: file.descriptor, offset: 0, length: 3)
        let error = await transport.failure(TransferRequest("PATCH", peer.url, body: .file(region)))
        guard case .cut = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        // libcurl may connect again, and finds then that it has nothing to send.
        #expect(heads.value == 2)
    }

    @Test("A file that becomes shorter ends the upload by name, and so does one that can't be read")
    func shorter() async throws {
        let peer = try ScriptedPeer { peer in _ = peer.drain() }
        let transport = try makeTransport(to: peer.url)
        let file = try OpenFile([1, 2, 3])
        for (descriptor, expected) in [(file.descriptor, TransportError.fileEnded), (-1, .file(code: EBADF))] {
            let region = FileRegion(descriptor: descriptor, offset: 0, length: 4)
            let error = await transport.failure(TransferRequest("PUT", peer.url, body: .file(region)))
            #expect(error == expected)
        }
    }

    /// The pattern, which stops at a place.
    private struct Source: RegionSource {
        let end: Int64

        func bytes(at offset: Int64) throws(TransportError) -> ArraySlice<UInt8> {
            guard offset < end else { throw .fileChanged }
            // More than the transport asks for at a time.
            return BytePattern.bytes(Int(min(end, offset + 1_000_000)))[Int(offset)...]
        }
    }

    @Test("Bytes that are made while they are sent take the place of the file's, and their failure ends the upload")
    func source() async throws {
        let bodies = Locked<[[UInt8]]>([])
        let peer = try ScriptedPeer { peer in
            _ = try peer.readHead()
            let body = try peer.read(2_000_000)
            bodies.withLock { $0.append(body) }
            try peer.send(Self.done)
            _ = peer.drain()
        }
        let (transport, file) = (try makeTransport(to: peer.url), try OpenFile([1]))
        for end in [2_500_000, 2_000_000] as [Int64] {
            let region = FileRegion(
                descriptor: file.descriptor,
                offset: 500_000,
                length: 2_000_000,
                source: Source(end: end)
            )
            let request = TransferRequest("PATCH", peer.url, body: .file(region))
            if end == 2_500_000 {
                #expect(try await transport.send(request).status == 204)
            } else {
                #expect(await transport.failure(request) == .fileChanged)
            }
        }
        let expected = Array(BytePattern.bytes(2_500_000)[500_000...])
        #expect(bodies.withLock { $0 } == [expected])
    }

    @Test("A server that is killed during an upload by TLS cuts it, and not the client")
    func killed() async throws {
        let folder = try TestCertificate().write()
        let server = try OpenSSLServer(folder)
        defer { server.end() }
        let transport = try makeTransport(to: server.url) {
            $0.authorities = URL(fileURLWithPath: folder + "/cert.pem")
        }
        let file = try OpenFile(zeros: 256 << 20)
        let region = FileRegion(descriptor: file.descriptor, offset: 0, length: 256 << 20) { count in
            if count > 1 << 20 { server.end() }
        }
        try await server.awaitListening()
        let error = await transport.failure(TransferRequest("PUT", server.url, body: .file(region)))
        guard case .cut = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
