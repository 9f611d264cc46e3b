import JSON
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
}
