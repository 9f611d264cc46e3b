import Net
import TestSupport
import Testing

@testable import Observability

@Suite("Limits of logged refusals", .blocking)
struct RefusalSharesTests {
    private static func address(_ text: String) throws -> IPAddress { try #require(IPAddress(text)) }

    @Test("Each address has ten logged refusals a second")
    func address() throws {
        var shares = RefusalShares()
        let (greedy, other) = (try Self.address("203.0.113.1"), try Self.address("198.51.100.1"))
        let admitted = (0..<1000).filter { _ in shares.admit(greedy, second: 1).isAdmitted }.count
        #expect(admitted == 10)
        // In one process of a thousand, both addresses share a counter.
        #expect(shares.admit(other, second: 1).isAdmitted)
        let next = shares.admit(greedy, second: 2)
        #expect(next.isAdmitted && next.passed == 990)
        #expect(shares.admit(greedy, second: 3).passed == 0)
        // A late thread does not begin an earlier second again.
        let late = (0..<1000).filter { shares.admit(greedy, second: 2 + $0 % 2).isAdmitted }.count
        #expect(late == 9)
    }

    @Test("An IPv6 /64 counts as one address")
    func subscriber() throws {
        var shares = RefusalShares()
        let admitted = try (0..<100).filter { number in
            shares.admit(try Self.address("2001:db8::\(number)"), second: 1).isAdmitted
        }.count
        #expect(admitted == 10)
    }

    @Test("All addresses together have 200 logged refusals a second")
    func all() throws {
        var shares = RefusalShares()
        let admitted = try (0..<1000).filter { number in
            shares.admit(try Self.address("10.0.\(number / 250).\(number % 250)"), second: 1).isAdmitted
        }.count
        #expect(admitted == 200)
    }
}
