import Foundation
import Net
import TestSupport
import Testing

@Suite("Guessing a password from many addresses", .blocking)
struct GuessingTests {
    /// An hour in steps of five minutes. The short run covers the first quarter and one more step.
    private static let steps = TestRun.isFull ? 12 : 4
    private static let guesses = TestRun.isFull ? 10_000 : 200
    private static let addresses = TestRun.isFull ? 1000 : 50

    @Test("Few guesses an hour are checked, and the owner's device always logs in at the first try")
    func hour() async throws {
        let server = try Visitor.server()
        defer { _ = try? server.stop() }
        let owner = Visitor(client: server.client, address: "198.51.100.7")
        let email = try owner.newAccount()
        var evaluated = 0
        for step in 0..<Self.steps {
            let verdicts = try await Self.guess(email, Self.share(of: step), owner)
            evaluated += verdicts["401 credentials-invalid"] ?? 0
            #expect(Set(verdicts.keys).isSubset(of: ["401 credentials-invalid", "429 rate-limited"]))
            // The phone has an address in another network each time.
            #expect(try owner.at("203.0.113.\(step)").logIn(email, device: "phone").status == 200)
            try server.sql("UPDATE attempts SET ends_at = ends_at - interval '5 minutes'")
        }
        print(
            "guessing: \(evaluated) of \(Self.guesses) guesses from \(Self.addresses) addresses in \(Self.steps * 5) minutes were evaluated"
        )
        #expect(evaluated >= 10 * ((Self.steps + 2) / 3))
        #expect(evaluated <= 100)
        #expect(TestRun.isFull || evaluated == 20)
    }

    /// The numbers of the guesses in a step.
    private static func share(of step: Int) -> Range<Int> {
        guesses * step / steps..<guesses * (step + 1) / steps
    }

    /// Sends guesses from all addresses in turn, eight at a time, and counts the answers.
    private static func guess(_ email: String, _ numbers: Range<Int>, _ visitor: Visitor) async throws -> [String: Int]
    {
        try await withThrowingTaskGroup(of: [String: Int].self) { group in
            for worker in 0..<8 {
                group.addTask {
                    var verdicts: [String: Int] = [:]
                    for number in numbers where number % 8 == worker {
                        let place = number % addresses
                        let answer = try visitor.at("10.\(place / 250).0.\(place % 250)").guess(
                            email,
                            device: "device-\(number)"
                        )
                        verdicts[answer.verdict, default: 0] += 1
                    }
                    return verdicts
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
    }
}
