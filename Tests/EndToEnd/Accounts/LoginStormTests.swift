import Foundation
import TestSupport
import Testing

/// The cost of one client's many logins for other clients.
@Suite("Storms of logins", .inFull, .blocking)
struct LoginStormTests {
    /// An eighth of the usual work, and much more than that of any other request.
    private static let slowHashing = ["--password-cost", "12"]

    /// Logs in over and over until it is stopped.
    private final class Storm: Sendable {
        private let isOver = Counter()
        /// Passwords that were hashed.
        let hashed = Counter()
        let refusals = Counter()

        func rage(_ logIn: () throws -> HTTPAnswer) {
            while isOver.value == 0 {
                guard let answer = try? logIn() else { continue }
                if answer.status < 404 {
                    hashed.add()
                } else {
                    refusals.add()
                    // The pause keeps the queue full and leaves other tests their share of the machine.
                    Thread.sleep(forTimeInterval: 0.05)
                }
            }
        }

        func stop() { isOver.add() }
    }

    /// Runs a storm from 60 connections, each with a number. Returns the largest number of its passwords that were
    /// hashed while one of `others` waited.
    private func longestWait(
        of others: [(Visitor, String)],
        during logIn: @escaping @Sendable (Int) throws -> HTTPAnswer
    ) async throws -> Int {
        let storm = Storm()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<60 { group.addTask { storm.rage { try logIn(index) } } }
            defer { storm.stop() }
            try Deadline.wait("a storm", seconds: 60) { storm.refusals.value > 20 && storm.hashed.value > 0 }
            var longest = 0
            for (visitor, email) in (0..<3).flatMap({ _ in others }) {
                let before = storm.hashed.value
                #expect(try visitor.logIn(email).status == 200, "\(visitor.address)")
                longest = max(longest, storm.hashed.value - before)
            }
            return longest
        }
    }

    /// The queue takes 32. The margin covers answers that were under way when the wait began, or were counted late.
    private static let fairMax = 10

    @Test("During a storm of right passwords from a /64, a neighbour waits for two logins at most")
    func sites() async throws {
        let server = try Visitor.server(Self.slowHashing)
        let stranger = Visitor(client: server.client, address: "2001:db8:0:1::1")
        let neighbours = try ["2001:db8:0:2::1", "2001:db8:1:1::1"].map { (stranger.at($0), try stranger.newAccount()) }
        // The server limits the waiting logins of one account to the number of allowed guesses, so the storm uses five
        // accounts.
        let own = try (0..<5).map { _ in try stranger.newAccount() }
        let longest = try await longestWait(of: neighbours) { try stranger.logIn(own[$0 % own.count]) }
        #expect(longest <= Self.fairMax)
    }

    @Test("During a storm of wrong passwords from 60 addresses, a known client waits for one of them at most")
    func places() async throws {
        let server = try Visitor.server(Self.slowHashing)
        let owner = Visitor(client: server.client, address: "198.51.100.7")
        let email = try owner.newAccount()
        let longest = try await longestWait(of: [(owner, email)]) { index in
            try owner.at("203.0.113.\(index)").guess(Device.newEmail())
        }
        #expect(longest <= Self.fairMax)
    }

    @Test("Logins of disconnected clients keep nobody waiting")
    func vanished() throws {
        // The queue must not be empty before the test looks at it.
        let server = try Visitor.server(["--password-cost", "15"])
        let visitor = Visitor(client: server.client, address: "198.51.100.7")
        let email = try visitor.newAccount()
        let body = #"{"email":"\#(email)","password":"\#(Device.password)"}"#
        let fields =
            "Host: a\r\nX-Forwarded-For: 198.51.100.7\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)"
        for _ in 0..<18 {
            let connection = try HTTPConnection(port: server.client.port)
            try connection.send("POST /v2/auth/login HTTP/1.1\r\n\(fields)\r\n\r\n\(body)")
        }
        try Deadline.wait("logins in the queue", seconds: 30) {
            let metrics = try Exposition(server.adminClient.send("GET", "/metrics").text)
            return metrics.value("neuroviews_blocking_jobs_waiting", ["pool": "hashing"]) ?? 0 >= 12
        }
        #expect(try visitor.logIn(email, device: "phone").status == 200)
        let logins = server.log.split(separator: "\n").filter { $0.contains("path=/v2/auth/login") }
        // The account's first login, this one, and those under way when the connections closed.
        #expect(logins.count <= 8, "\(logins.count)")
    }
}
