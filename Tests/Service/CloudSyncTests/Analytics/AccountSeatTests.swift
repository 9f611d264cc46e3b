import Testing

@testable import CloudSync

struct AccountSeatTests {
    private struct Full: Error {}

    /// Takes nested seats, one for each account in the list.
    private static func take(_ accounts: ArraySlice<String>, of seats: AccountSeats) async throws {
        guard let first = accounts.first else { return }
        do {
            try await seats.with(first) { try await take(accounts.dropFirst(), of: seats) }
        } catch CloudSyncError.problem(.overloaded) {
            throw Full()
        }
    }

    @Test("One account gets only some of the seats, and seats are returned")
    func fair() async throws {
        let seats = AccountSeats(3, ofAccount: 2)
        for _ in 0..<2 {
            try await Self.take(["a", "a", "b"], of: seats)
            await #expect(throws: Full.self) { try await Self.take(["a", "a", "a"], of: seats) }
            await #expect(throws: Full.self) { try await Self.take(["a", "a", "b", "c"], of: seats) }
        }
    }
}
