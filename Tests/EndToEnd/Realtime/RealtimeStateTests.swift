import Foundation
import TestSupport
import Testing

@Suite("State of an account's devices", .blocking)
struct RealtimeStateTests {
    private static let path = "/v2/realtime/state"

    /// Begins a wait for another state than that of `answer`.
    private static func wait(_ device: Device, after answer: HTTPAnswer, seconds: Int) throws -> HTTPConnection {
        let connection = try HTTPConnection(port: device.client.port)
        let fields = [("Authorization", "Bearer \(device.token)"), ("If-None-Match", answer.field("etag") ?? "")]
        try connection.send(APIClient.request("GET", path + "?wait_s=\(seconds)", host: device.client.host, fields))
        return connection
    }

    @Test("The state has the heads of a pull, and a wait ends with the next write")
    func write() throws {
        let device = try Shared.newDevice()
        let first = try device.send("GET", Self.path)
        #expect(first.status == 200)
        let heads = try #require(first.json["heads"] as? [String: String])
        #expect(try device.pull().string("sync_token") == heads["configurations"])
        let connection = try Self.wait(device, after: first, seconds: 50)
        let head = try device.post(Preset().json).field("sync-head")
        let answer = try #require(try connection.receive())
        #expect(answer.status == 200)
        #expect((answer.json["heads"] as? [String: String])?["configurations"] == head)
    }

    @Test("A wait without a change ends with 304 and the same ETag")
    func unchanged() throws {
        let device = try Shared.newDevice()
        let first = try device.send("GET", Self.path)
        let answer = try #require(try Self.wait(device, after: first, seconds: 1).receive())
        #expect(answer.status == 304)
        #expect(answer.field("etag") == first.field("etag"))
    }

    @Test("A request with another ETag, with * or without one does not wait")
    func noWait() throws {
        let device = try Shared.newDevice()
        let target = Self.path + "?wait_s=50"
        #expect(try device.send("GET", target).status == 200)
        #expect(try device.send("GET", target, [("If-None-Match", "\"other\"")]).status == 200)
        #expect(try device.send("GET", target, [("If-None-Match", "*")]).status == 304)
        for wait in ["51", "-1", "x", ""] {
            Problems.check(try device.send("GET", Self.path + "?wait_s=\(wait)"), "400 invalid-parameter")
        }
    }

    @Test("A wait ends with 401 when its session ends")
    func session() throws {
        let device = try Shared.newDevice()
        let other = try Shared.session(of: device, on: "tablet")
        let first = try other.send("GET", Self.path)
        let connection = try Self.wait(other, after: first, seconds: 50)
        #expect(try other.send("POST", "/v2/auth/logout").status == 204)
        #expect(try connection.receive()?.verdict == "401 session-ended")
    }

    @Test("The fifth wait of a session gets 429 with Retry-After")
    func tooMany() throws {
        let device = try Shared.newDevice()
        let first = try device.send("GET", Self.path)
        var connections = try (0..<4).map { _ in try Self.wait(device, after: first, seconds: 50) }
        try Deadline.wait("the limit", seconds: 30) {
            if try device.send("GET", Self.path).verdict == "429 too-many-connections" { return true }
            // One of them was refused, since the request before still had its place.
            connections.append(try Self.wait(device, after: first, seconds: 50))
            return false
        }
        #expect(try device.send("GET", Self.path).field("retry-after") != nil)
        #expect(try device.post(Preset().json).status == 201)
        let answers = try connections.map { try $0.receive()?.status }
        #expect(answers.filter { $0 == 200 }.count == 4)
    }
}
