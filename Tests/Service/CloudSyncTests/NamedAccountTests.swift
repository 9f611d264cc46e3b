import Foundation
import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// Debug builds check that every statement of a caller names the caller's account.
struct NamedAccountTests {
    private static let caller = Caller(userID: "account", sessionID: "session", counter: 1, keyID: "key")

    @Test(
        "A statement may name the account by a column, a value or an argument",
        arguments: [
            "SELECT FROM sessions s WHERE s.user_id = $2::uuid AND s.id = $1", "SELECT FROM users WHERE id = $2",
            "SELECT FROM users u WHERE u.id = $2 AND u.email = $1", "SELECT note($2::uuid, $1)", "SELECT note($1, $2)",
            "INSERT INTO devices (user_id, id) VALUES ($2, $1)",
            "INSERT INTO devices (user_id, id) SELECT $2::uuid, $1",
        ]
    )
    func named(sql: String) throws {
        try NamedAccount.require(in: [Statement(sql)(.text("other"), .text("account"))], of: Self.caller)
        try NamedAccount.require(in: [Statement(sql)(.null, .utf8(Array("account".utf8)[...]))], of: Self.caller)
    }

    @Test(
        "A statement that names no account, or another one, is refused",
        arguments: [
            "SELECT FROM devices", "SELECT FROM devices WHERE user_id = $1 AND id = 'account'",
            "SELECT FROM sessions WHERE device_id = $2", "SELECT FROM sessions WHERE user_id > $2",
            "SELECT FROM devices WHERE user_id = $20", "SELECT FROM devices WHERE user_id = '$' || $2",
        ]
    )
    func unnamed(sql: String) throws {
        #expect(throws: UnexpectedResult.self) {
            try NamedAccount.require(in: [Statement(sql)(.text("other"), .text("account"))], of: Self.caller)
        }
    }

    @Test("Each exception is a statement of the services")
    func exceptions() throws {
        let folder = Repository.path + "/Sources/CloudSync"
        let sources = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".swift") && $0 != "NamedAccount.swift" }
            .map { try String(contentsOfFile: "\(folder)/\($0)", encoding: .utf8) }
        for exception in NamedAccount.exceptions {
            #expect(sources.contains { $0.contains(exception.sql) }, "\(exception.sql)")
        }
    }

    private static func sessions(_ condition: String) -> Query<Int> {
        Query("SELECT count(*) FROM sessions WHERE \(condition)") { columns throws(UnexpectedResult) in
            try columns.next()
        }
    }

    @Test("A read is sent when its statement names the caller's account, and refused otherwise")
    func reads() async throws {
        try await World.with { world in
            let (caller, other) = (try await world.newAccount()[0], try await world.newAccount()[0])
            let (database, own) = (CallerDatabase(world.databases[0]), Self.sessions("user_id = $1::uuid"))
            let found: [Int] = try await database.read(for: caller, own(.text(caller.userID)))
            #expect(found == [1])
            for query in [Self.sessions("ended_at IS NULL")(), own(.text(other.userID))] {
                await #expect(throws: UnexpectedResult.self) { _ = try await database.read(for: caller, query) }
                await #expect(throws: UnexpectedResult.self) {
                    _ = try await database.readRows(for: caller, on: .large, query.step)
                }
            }
        }
    }

    @Test("A statement without the account is refused in writes, locks, notes and transactions")
    func writes() async throws {
        try await World.with { world in
            let (caller, database) = (try await world.newAccount()[0], CallerDatabase(world.databases[0]))
            let query = Self.sessions("ended_at IS NULL")()
            await #expect(throws: UnexpectedResult.self) { _ = try await database.write(for: caller, query) }
            await #expect(throws: UnexpectedResult.self) {
                try await database.write(for: caller, locking: [query.step])
            }
            await #expect(throws: UnexpectedResult.self) {
                try await database.note(query.step, for: caller, lockTimeoutMs: 1000)
            }
            await #expect(throws: UnexpectedResult.self) {
                try await database.transaction(for: caller) { transaction in
                    _ = try await transaction.run(query)
                }
            }
            await #expect(throws: UnexpectedResult.self) {
                try await database.transaction(for: caller) { transaction in
                    try await transaction.commit([query.step])
                }
            }
        }
    }

    @Test("A statement in the background role need not name an account")
    func background() async throws {
        try await World.with { world in
            _ = try await world.newAccount(devices: 2)
            let database = CallerDatabase(world.databases[0])
            let found: [Int] = try await database.background(Self.sessions("ended_at IS NULL")())
            #expect(found == [2])
        }
    }
}
