import NeuroViewsJSON
import OpenAPI
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

    @Test("Consents have the same categories in SQL, in Swift and in the schema of the body")
    func consents() async throws {
        let names = ConsentCategory.allCases.map(\.rawValue)
        try await World.with { world in
            let rows = try await world.sql("SELECT unnest(enum_range(NULL::consent_category))::text")
            #expect((0..<rows.count).compactMap { rows[$0].text(0) } == names)
        }
        let file = try #require(OpenAPIDocument.schemas["consents.json"])
        let schema = try JSONParser.parse(file, policy: .rfc8259)
        let allowed = schema["properties"]?["consents"]?["propertyNames"]?["enum"]?.array
        #expect(allowed?.compactMap(\.string) == names)
    }

    @Test("Events have the categories of consents, and all but crash reports are stored with their account")
    func eventCategories() async throws {
        let names = ConsentCategory.allCases.map(\.rawValue)
        let file = try #require(OpenAPIDocument.schemas["analytics-event.json"])
        let schema = try JSONParser.parse(file, policy: .rfc8259)
        #expect(schema["properties"]?["category"]?["enum"]?.array?.compactMap(\.string) == names)
        try await World.with { world in
            for name in names where name != ConsentCategory.crashReports.rawValue {
                let rows = try await world.sql("SELECT '\(name)'::event_category")
                #expect(rows.count == 1)
            }
            await #expect(throws: (any Error).self) {
                try await world.sql("SELECT 'crash_reports'::event_category")
            }
        }
    }
}
