import Testing

@testable import CloudSync

/// The enums of the database and those of the code have the same cases.
struct EnumTests {
    @Test(
        "Each has the same labels in SQL as in Swift",
        arguments: [
            ("write_verdict", WriteVerdict.allCases.map(\.rawValue)),
            ("write_quota", QuotaExcess.Quota.allCases.map(\.rawValue)),
            ("write_kind", ConfigurationWrite.Kind.allCases.map(\.rawValue)),
            ("collection", [Collection.configurations.name]),
        ]
    )
    func labels(type: String, cases: [String]) async throws {
        try await World.with { world in
            let rows = try await world.sql("SELECT unnest(enum_range(NULL::\(type)))::text")
            #expect(Set((0..<rows.count).compactMap { rows[$0].text(0) }) == Set(cases))
        }
    }
}
