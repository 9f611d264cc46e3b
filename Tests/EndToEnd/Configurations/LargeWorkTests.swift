import Foundation
import TestSupport
import Testing

/// The cost of large bodies for their senders and for other clients.
@Suite("CPU work of large bodies", .blocking)
struct LargeWorkTests {
    /// A batch that takes the server a long time to refuse.
    private static let body: String = {
        let members = (0..<90_000).map { "\"k\($0)\":{}" }.joined(separator: ",")
        return #"{"operations":[{"operation":"create","configuration":{\#(members)}}]}"#
    }()

    private static func server() throws -> APIClient {
        try ServerProcess(["--registration", "open", "--signatures", "optional", "--event-loops", "1"]).client
    }

    /// Sends this batch and returns the connection, before the answer arrives.
    private static func send(by device: Device) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: device.client.port)
        try connection.send(
            """
            POST /v2/configurations/batch HTTP/1.1\r
            Host: a\r
            Authorization: Bearer \(device.token)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
        )
        return connection
    }

    @Test("Other accounts are answered while large bodies are processed", .inFull)
    func bystander() throws {
        let client = try Self.server()
        let (greedy, other) = (try Device.new(client), try Device.new(client))
        let wasFirst = try (0..<5).map { _ in
            let connection = try Self.send(by: greedy)
            Thread.sleep(forTimeInterval: 0.01)
            #expect(try other.send("GET", "/v2/configurations").status == 200)
            let isWaiting = !connection.hasInput
            #expect(try connection.receive()?.verdict == "422 invalid-document")
            return isWaiting
        }
        #expect(wasFirst.contains(true))
    }

    @Test("Large bodies of several accounts are processed in turns", .inFull)
    func turns() throws {
        let client = try Self.server()
        let (greedy, other) = (try Device.new(client), try Device.new(client))
        let queue = try (0..<8).map { _ in try Self.send(by: greedy) }
        let own = try Self.send(by: other)
        #expect(try own.receive()?.verdict == "422 invalid-document")
        let answered = queue.filter { $0.hasInput }.count
        #expect(answered <= 5, "\(answered)")
        for connection in queue { #expect(try connection.receive()?.status == 422) }
    }

    @Test("A body with too many values or a too long number is refused")
    func limits() throws {
        let device = try Device.new(Shared.client())
        func verdict(_ member: String) throws -> String {
            try device.send("POST", "/v2/configurations", body: #"{"configuration":{"x":\#(member)}}"#).verdict
        }
        let zeros = Array(repeating: "0", count: 100_000).joined(separator: ",")
        #expect(try verdict("[\(zeros)]") == "400 invalid-json")
        #expect(try verdict("0.\(String(repeating: "1", count: 998))") == "422 invalid-document")
        #expect(try verdict("0.\(String(repeating: "1", count: 999))") == "400 invalid-json")
    }
}
