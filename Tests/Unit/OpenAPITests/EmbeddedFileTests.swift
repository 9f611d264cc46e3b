import Foundation
import Migrations
import OpenAPI
import TestSupport
import Testing

@Suite("Embedded files")
struct EmbeddedFileTests {
    private static func bytes(_ path: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: "\(Repository.path)/\(path)")))
    }

    private static func names(_ folder: String, ending suffix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/\(folder)")
            .filter { $0.hasSuffix(suffix) }.sorted()
    }

    @Test("The binary has the OpenAPI document as on disk")
    func document() throws {
        #expect(try OpenAPIDocument.text == Self.bytes("OpenAPI/openapi.json"))
    }

    @Test("The binary has exactly the schemas on disk")
    func schemas() throws {
        let names = try Self.names("OpenAPI/schemas", ending: "")
        #expect(OpenAPIDocument.schemas.keys.sorted() == names)
        for (name, text) in OpenAPIDocument.schemas {
            #expect(try text == Self.bytes("OpenAPI/schemas/\(name)"), "\(name)")
        }
    }

    @Test("Every schema that a route names is a file")
    func namedSchemas() throws {
        let folder = "\(Repository.path)/Sources/API"
        let files = try #require(FileManager.default.enumerator(atPath: folder)?.allObjects as? [String])
        let names = try files.filter { $0.hasSuffix(".swift") }.flatMap { file in
            try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).matches(of: /schemas\["([^"]+)"\]/)
                .map { String($0.1) }
        }
        #expect(names.count > 20)
        #expect(Set(names).subtracting(OpenAPIDocument.schemas.keys).isEmpty)
    }

    @Test("The binary has exactly the SQL files on disk")
    func migrations() throws {
        let functions = try Self.names("Migrations/functions", ending: "").map { "functions/\($0)" }
        #expect(try Set(SchemaFiles.all.keys) == Set(Self.names("Migrations", ending: ".sql") + functions))
        for (name, sql) in SchemaFiles.all {
            #expect(try Array(sql.utf8) == Self.bytes("Migrations/\(name)"), "\(name)")
        }
    }
}
