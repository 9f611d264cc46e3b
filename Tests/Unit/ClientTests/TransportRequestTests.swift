import Foundation
import Net
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Requests that the client's transport sends", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct TransportRequestTests {
    private static let done = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"

    @Test("A request has the caller's URL and fields, and none that libcurl would add")
    func head() async throws {
        let heads = Locked<[String]>([])
        let peer = try ScriptedPeer { peer in
            while true {
                let head = try peer.readHead()
                heads.withLock { $0.append(head) }
                if head.hasPrefix("PUT") { _ = try peer.read(4) }
                try peer.send(Self.done)
            }
        }
        let transport = try makeTransport(to: peer.url)
        let url = peer.url + "/a/../b%20c?d=e"
        let fields = [("If-Match", "\"1\""), ("X-Empty", ""), ("Content-Length", "9"), ("Host", "other")]
        _ = try await transport.send(TransferRequest("PUT", url, fields: fields, body: .bytes(Array("body".utf8))))
        _ = try await transport.send(TransferRequest("POST", url, fields: [("Content-Type", "application/json")]))
        _ = try await transport.send(TransferRequest("GET", url))
        let host = peer.url.dropFirst(7)
        let common = ["Host: \(host)", "Accept: */*", "Accept-Encoding: identity"]
        let lines = heads.withLock { $0 }.map { $0.components(separatedBy: "\r\n") }
        #expect(lines.map { $0[0] } == ["PUT", "POST", "GET"].map { "\($0) /a/../b%20c?d=e HTTP/1.1" })
        #expect(
            lines.map { Set($0.dropFirst()) } == [
                Set(common + ["If-Match: \"1\"", "X-Empty:", "Content-Length: 4"]),
                Set(common + ["Content-Type: application/json", "Content-Length: 0"]), Set(common),
            ]
        )
        #expect(peer.accepted.value == 1)
    }

    @Test(
        "A line end in a request is refused before anything is sent",
        arguments: [
            ("GET", "", "x", "a\r\nb: c"), ("GET", "", "x\n", "a"), ("GE\rT", "", "x", "a"), ("GET", "/\n", "x", "a"),
            ("GET", "", "a:b", "c"), ("GET", "", "", "c"),
        ]
    )
    func lineEnds(method: String, path: String, name: String, value: String) async throws {
        let peer = try ScriptedPeer(answer: Self.done)
        let transport = try makeTransport(to: peer.url)
        let request = TransferRequest(method, peer.url + path, fields: [(name, value)])
        let error = await transport.failure(request)
        guard case .badRequest = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(peer.accepted.value == 0)
    }

    @Test("Four requests at a time are under way, and all 200 are answered")
    func concurrent() async throws {
        let open = Locked(0)
        let most = Locked(0)
        let peer = try ScriptedPeer { peer in
            while true {
                let head = try peer.readHead()
                let now = open.withLock { open in
                    open += 1
                    return open
                }
                most.withLock { $0 = max($0, now) }
                // The first four wait for each other, which shows that they are not in turn.
                try Deadline.wait("four requests", seconds: 20) { most.withLock { $0 } >= 4 }
                open.withLock { $0 -= 1 }
                let number = head.dropFirst(5).prefix { $0 != " " }
                try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(number.utf8.count)\r\n\r\n\(number)")
            }
        }
        let (transport, url) = (try makeTransport(to: peer.url), peer.url)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let answer = try? await transport.send(TransferRequest("GET", "\(url)/\(number)"))
                    return answer?.body == Array("\(number)".utf8)
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answers == 200)
        #expect(most.withLock { $0 } == 4)
        #expect(peer.accepted.value == 4)
    }

    @Test("A cancelled task ends its request, under way, waiting or not begun, and no other one")
    func cancel() async throws {
        let asked = Counter()
        let peer = try ScriptedPeer { peer in
            if try peer.readHead().hasPrefix("GET /last") {
                try peer.send(Self.done)
            } else {
                asked.add()
            }
            _ = peer.drain()
        }
        let (transport, url) = (try makeTransport(to: peer.url), peer.url)
        let tasks = (0..<6).map { number in
            Task { await transport.failure(TransferRequest("GET", "\(url)/\(number)")) }
        }
        try await eventually { asked.value == 4 }
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await transport.failure(TransferRequest("GET", url + "/late"))
        }
        #expect(await late.value == .cancelled)
        #expect(try await transport.send(TransferRequest("GET", url + "/last")).status == 200)
    }

    @Test("A transport that is no longer used ends its connections")
    func ended() async throws {
        let ends = Counter()
        let peer = try ScriptedPeer { peer in
            _ = try peer.readHead()
            try peer.send(Self.done)
            _ = peer.drain()
            ends.add()
        }
        _ = try await makeTransport(to: peer.url).send(TransferRequest("GET", peer.url))
        try await eventually { ends.value == 1 }
    }
}
