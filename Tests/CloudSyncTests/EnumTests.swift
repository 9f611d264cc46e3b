import Testing

@testable import CloudSync

/// The enums of the database and those of the code have the same cases.
struct EnumTests {
    @Test("Collections have the same names in SQL as in Swift")
    func collections() async throws {
        try await World.with { world in
            let rows = try await world.sql("SELECT unnest(enum_range(NULL::collection))::text")
            #expect((0..<rows.count).compactMap { rows[$0].text(0) } == Collection.all.map(\.name))
        }
    }
}
