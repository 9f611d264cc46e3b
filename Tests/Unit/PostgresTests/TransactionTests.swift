import TestSupport
import Testing

@testable import Postgres

@Suite("Transactions over several round trips", .timeLimit(.minutes(Patience.minutes(2))))
struct TransactionTests {
    private static let insert = Statement("INSERT INTO notes VALUES (1)")
    private static let count = Statement("SELECT count(*) FROM notes")
    private static let refused = Statement("SELECT 1 / (SELECT count(*) - 2 FROM notes)")

    private struct Stop: Error {}

    /// A pool of one connection, on a database with an empty table.
    private static func withNotes(_ body: @escaping @Sendable (Pool, String) async throws -> Void) async throws {
        let address = try await onThread { try TestCluster.shared.get().makeDatabase() }
        try await withPool(address, connections: 1) { pool in
            _ = try await pool.run([Statement("CREATE TABLE notes (n integer)")()])
            try await body(pool, address)
        }
    }

    /// The number of notes for the next user of the connection, and for another connection.
    private static func counts(_ pool: Pool, _ address: String) async throws -> [Int?] {
        let next = try await pool.run([count()])[0].first?.int(0)
        let other = try await onThread {
            try TestCluster.shared.get().execute("SELECT count(*) FROM notes", in: address).first?.int(0)
        }
        return [next, other]
    }

    @Test("A committed transaction is stored, and has seen its own writes")
    func committed() async throws {
        try await Self.withNotes { pool, address in
            let seen = try await pool.transaction(key: "k") { transaction in
                _ = try await transaction.run([Self.insert()])
                let rows = try await transaction.run([Self.count()])
                let last = try await transaction.commit([Self.insert(), Self.count()])
                return [rows[0].first?.int(0), last[1].first?.int(0)]
            }
            #expect(seen == [1, 2])
            #expect(try await Self.counts(pool, address) == [2, 2])
        }
    }

    @Test("A transaction that throws, returns early or has a failed statement is rolled back")
    func undone() async throws {
        try await Self.withNotes { pool, address in
            await #expect(throws: Stop.self) {
                try await pool.transaction(key: "k") { transaction in
                    _ = try await transaction.run([Self.insert()])
                    throw Stop()
                }
            }
            #expect(try await Self.counts(pool, address) == [0, 0])
            try await pool.transaction(key: "k") { transaction in _ = try await transaction.run([Self.insert()]) }
            #expect(try await Self.counts(pool, address) == [0, 0])
            await #expect(throws: DatabaseError.self) {
                try await pool.transaction(key: "k") { transaction in
                    _ = try await transaction.run([Self.insert()])
                    _ = try await transaction.commit([Self.insert(), Self.refused()])
                }
            }
            #expect(try await Self.counts(pool, address) == [0, 0])
        }
    }
}
