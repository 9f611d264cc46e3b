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
                if answer.status == 200 { logins.add() }
                if answer.status == 503 { refusals.add() }
            }
        }

        func stop() { isOver.add() }
    }

    @Test("Right passwords by the hundred from one address: others wait for two logins, not for all of them")
    func fair() async throws {
        let server = try Visitor.server()
        let stranger = Visitor(client: server.client, address: "203.0.113.66")
        let owner = stranger.at("198.51.100.7")
        // Of one account as many logins wait as guesses are allowed.
        let accounts = try (0..<5).map { _ in try stranger.newAccount() }
        let email = try owner.newAccount()
        let storm = Storm()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<60 { group.addTask { storm.rage(stranger, accounts[number % accounts.count]) } }
            defer { storm.stop() }
            try Deadline.wait("a storm", seconds: 60) { storm.refusals.value > 20 }
            for _ in 0..<5 { #expect(try owner.logIn(email).status == 200) }
        }
        #expect(storm.logins.value > 0)
    }
}
