import TestSupport
import Testing

@testable import Postgres

@Suite("Typed queries", .timeLimit(.minutes(Patience.minutes(2))))
struct QueryTests {
    private struct Item: Equatable {
        let name: String
        let count: Int?
        let isLive: Bool
    }

    private static func item(_ sql: String) -> BoundQuery<Item> {
        let query = Query(sql) { columns throws(UnexpectedResult) in
            Item(name: try columns.next(), count: try columns.next(), isLive: try columns.next())
        }
        return query()
    }

    /// Runs the query. Returns its values, or the unexpected result.
    private static func outcome<Value: Sendable>(
        _ query: BoundQuery<Value>,
        _ connection: PostgresConnection
    ) async throws -> Result<[Value], UnexpectedResult> {
        let rows = try await connection.run([query.step])[0]
        return Result { () throws(UnexpectedResult) in try query.values(of: rows) }
    }

    @Test("Each row becomes a value, with NULL as nil for an optional")
    func values() async throws {
        try await withConnection { connection in
            let query = Self.item("VALUES ('a', 1, true), ('', NULL, false)")
            let items = try await Self.outcome(query, connection).get()
            #expect(items == [Item(name: "a", count: 1, isLive: true), Item(name: "", count: nil, isLive: false)])
            let none = try await Self.outcome(Self.item("SELECT 'a', 1, true WHERE false"), connection).get()
            #expect(none.isEmpty)
        }
    }

    @Test(
        "A wrong, missing or superfluous column is an error that names it without its value",
        arguments: [
            ("SELECT 'a', 'secret', true", "column 2 is no Int"),
            ("SELECT 'a', 1, 'secret'", "column 3 is no Bool"),
            ("SELECT 'a', 1.5, true", "column 2 is no Int"),
            ("SELECT NULL, 1, true", "column 1 is NULL"),
            ("SELECT 'a', 1, NULL", "column 3 is NULL"),
            ("SELECT 'a', 1", "column 3 is missing"),
            ("SELECT 'a', 1, true, 'secret'", "column 4 was not asked for"),
            ("VALUES ('a', 1, true), ('secret', 2, NULL)", "column 3 is NULL"),
        ]
    )
    func unexpected(sql: String, message: String) async throws {
        try await withConnection { connection in
            let outcome = try await Self.outcome(Self.item(sql), connection)
            guard case .failure(let error) = outcome else {
                Issue.record("\(sql) was read as \(outcome)")
                return
            }
            #expect(error.description == message)
        }
    }

    private enum Kind: String, ColumnValue { case cold, warm }

    @Test("An enum accepts its labels and no other text")
    func enums() async throws {
        let query = Query("SELECT $1::text") { columns throws(UnexpectedResult) -> Kind in try columns.next() }
        try await withConnection { connection in
            #expect(try await Self.outcome(query(.text("warm")), connection).get() == [.warm])
            let other = try await Self.outcome(query(.text("hot")), connection)
            #expect(throws: UnexpectedResult.self) { try other.get() }
        }
    }

    @Test("Columns can be read from a later one on, and the rest skipped")
    func part() async throws {
        try await withConnection { connection in
            let rows = try await connection.run([Statement("SELECT 1, 2, 3")()])[0]
            var columns = Columns(rows[0], from: 1)
            let second: Int = try columns.next()
            #expect(second == 2)
            let rest = columns
            #expect(throws: UnexpectedResult.self) { try rest.end() }
            columns.skip()
            try columns.end()
        }
    }

    @Test("A query without a declared value ignores its rows")
    func void() async throws {
        try await withConnection { connection in
            let query = Query<Void>("SELECT 1, NULL")
            let values: [Void] = try await Self.outcome(query(), connection).get()
            #expect(values.count == 1)
        }
    }
}
