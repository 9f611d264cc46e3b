import Foundation
import TestSupport
import Testing

/// What one client of many logins costs the others.
@Suite("Storms of logins", .blocking)
struct LoginStormTests {
    /// Logs in over and over until it is stopped.
    private final class Storm: Sendable {
        private let isOver = Counter()
        let logins = Counter()
        let refusals = Counter()

        func rage(_ visitor: Visitor, _ email: String) {
            while isOver.value == 0 {
                guard let answer = try? visitor.logIn(email) else { continue }
                if answer.status == 200 { logins.add() } else { refusals.add() }
            }
        }

        func stop() { isOver.add() }
    }

    @Test("Right passwords by the hundred from one address: others wait for two logins, not for all of them")
    func fair() async throws {
        let server = try Visitor.server()
        let stranger = Visitor(client: server.client, address: "203.0.113.66")
        let owner = stranger.at("198.51.100.7")
        let (own, email) = (try stranger.newAccount(), try owner.newAccount())
        let storm = Storm()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<48 { group.addTask { storm.rage(stranger, own) } }
            defer { storm.stop() }
            try Deadline.wait("a storm", seconds: 60) { storm.refusals.value > 20 }
            for _ in 0..<5 { #expect(try owner.logIn(email).status == 200) }
        }
        #expect(storm.logins.value > 0)
    }
}
