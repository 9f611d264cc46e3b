import Foundation
import Migrations
import OpenAPI
import Testing

@Suite("Embedded files")
struct EmbeddedFileTests {
    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: repositoryRoot.appendingPathComponent(path)))
    }

    private static func names(_ folder: String, ending suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: repositoryRoot.appendingPathComponent(folder).path)
            .filter { $0.hasSuffix(suffix) }.sorted()
    }

    @Test("The binary has the document as it is on disk")
    func document() throws {
        #expect(try OpenAPIDocument.text == Self.bytes("OpenAPI/openapi.json"))
    }

    @Test("The binary has every schema of the folder as it is on disk, and no other")
    func schemas() throws {
        let names = try Self.names("OpenAPI/schemas", ending: "")
        #expect(OpenAPIDocument.schemas.keys.sorted() == names)
        for (name, text) in OpenAPIDocument.schemas {
            #expect(try text == Self.bytes("OpenAPI/schemas/\(name)"), "\(name)")
        }
    }

    @Test("The binary has every migration of the folder as it is on disk, in the order of their numbers")
    func migrations() throws {
        let names = try Self.names("Migrations", ending: ".sql").filter { $0 != "roles.sql" }
        #expect(Migration.all.map(\.name) == names)
        #expect(Migration.all.map(\.number) == names.indices.map { $0 + 1 })
        for migration in Migration.all {
            #expect(try Array(migration.sql.utf8) == Self.bytes("Migrations/\(migration.name)"), "\(migration.name)")
            let digits = String(migration.number)
            let prefix = String(repeating: "0", count: 4 - digits.count) + digits + "_"
            #expect(migration.name.hasPrefix(prefix), "\(migration.name)")
        }
    }

    @Test("The binary has the roles as they are on disk")
    func roles() throws {
        #expect(try Array(Migration.roles.utf8) == Self.bytes("Migrations/roles.sql"))
    }
}
