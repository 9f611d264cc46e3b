import CloudSync
import Foundation
import NeuroViewsCrypto
import TestSupport
import Testing

/// Operators' view of the limit of failed logins.
@Suite("Locked accounts for operators")
struct LoginLockTests {
    /// The locks of all accounts, ordered by address.
    private static func locks(
        _ world: World,
        _ keys: [MasterKey] = [World.keys.current],
        max: Int = 10
    ) async throws -> [String?] {
        try await onThread {
            let locks = LoginLocks(keys: keys, failuresMax: max)
            let accounts = try AccountAdministration(world.connectionString, operatorName: "test", locks: locks)
            let listed = try accounts.list(after: "", prefix: "", limit: 10).map(\.lockedUntil)
            let shown = try accounts.show("ada@example.org")?.account.lockedUntil
            #expect(try accounts.list(after: "").map(\.lockedUntil) == listed && shown == listed.first)
            return listed
        }
    }

    @Test("An operator sees the end of an account's lock, also during a rotation of the master key")
    func lock() async throws {
        try await World.with { world in
            for email in ["Ada@example.org", "bob@example.org"] { try await world.newAccount(email) }
            let guesser = Guesser(world)
            _ = try await guesser.looked(9) { _ in try await guesser.logIn("ada@example.org") }
            #expect(try await Self.locks(world) == [nil, nil])
            #expect(try await guesser.logIn("ADA@example.org") == nil)
            let locked = try await Self.locks(world)
            let end = try #require(locked.first.flatMap { $0 }.flatMap { Timestamp($0) })
            let seconds = Double(end.microseconds) / 1_000_000 - Date().timeIntervalSince1970
            #expect((700...901).contains(seconds) && locked.last == .some(nil))
            let next = try MasterKey(bytes: Array(32..<64))
            #expect(try await Self.locks(world, [next, World.keys.current]) == locked)
            #expect(try await Self.locks(world, [next]) == [nil, nil])
            #expect(try await Self.locks(world, []) == [nil, nil])
            #expect(try await Self.locks(world, max: 0) == [nil, nil])
            try await world.passAttempts(seconds: 901)
            #expect(try await Self.locks(world) == [nil, nil])
        }
    }
}
