import Foundation
import TestSupport
import Testing

@Suite("The modules and ARCHITECTURE.md", .blocking)
struct ModuleTests {
    private static let executable = "neuroviews-server"

    /// Decision 340, and the library that apps use.
    private static let publicModules: Set = [
        "Net", "Tracing", "HTTP", "NeuroViewsJSON", "JSONSchema", "Postgres", "NeuroViewsCrypto", "NeuroViewsClient",
    ]

    /// The modules of the table, with their listed imports; nil means all modules.
    private static let listed: [String: Set<String>?] = {
        let text = (try? String(contentsOfFile: Repository.path + "/ARCHITECTURE.md", encoding: .utf8)) ?? ""
        let section = text.components(separatedBy: "## Modules and their imports\n").last ?? ""
        var modules: [String: Set<String>?] = [:]
        for line in section.split(separator: "\n").prefix(while: { $0.hasPrefix("|") }) {
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count == 3 else { continue }
            let imports = Set(cells[2].components(separatedBy: ", ")).subtracting(["–"])
            for name in cells[0].split(separator: " ") where name.hasPrefix("`") {
                let isAll = cells[2] == "all of the above"
                modules.updateValue(isAll ? nil : imports, forKey: name.trimmingCharacters(in: ["`"]))
            }
        }
        return modules
    }()

    @Test("The table of modules lists every module")
    func modules() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Repository.path + "/Sources")
        #expect(Set(Self.listed.keys) == Set(folders).union(["Migrations", "OpenAPI"]))
    }

    @Test("A module imports exactly the modules that the table lists", arguments: listed.keys.sorted())
    func imports(module: String) throws {
        var imported: Set<String> = []
        for file in Self.sources(module) {
            for line in try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n") {
                let words = line.split(separator: " ")
                guard !line.hasPrefix(" "), let index = words.firstIndex(of: "import"), index < 3 else { continue }
                imported.formUnion(words.dropFirst(index + 1).prefix(1).map(String.init))
            }
        }
        imported.formIntersection(Self.listed.keys)
        let listed = try #require(Self.listed[module])
        #expect(!imported.contains(Self.executable))
        #expect(imported == listed ?? imported)
    }

    @Test("Only the modules that each request passes have public declarations", arguments: listed.keys.sorted())
    func publicDeclarations(module: String) throws {
        let isPublic = try Self.sources(module).contains { file in
            try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").contains { line in
                line.drop(while: { $0 == " " }).hasPrefix("public ")
            }
        }
        #expect(isPublic == Self.publicModules.contains(module))
    }

    @Test(
        "Unsafe code is only in the places that CONTRIBUTING.md lists",
        arguments: [
            ("`@unchecked Sendable` is only in", ["@unchecked Sendable", "nonisolated(unsafe)"]),
            (
                "unsafe pointers are only in",
                ["UnsafeMutable", "UnsafeRaw", "UnsafePointer", "UnsafeBuffer", "OpaquePointer"]
            ),
        ]
    )
    func unsafeUses(rule: String, words: [String]) throws {
        let text = try String(contentsOfFile: Repository.path + "/CONTRIBUTING.md", encoding: .utf8)
        let sentence = try #require(text.components(separatedBy: rule).dropFirst().first)
        let list = sentence.prefix { $0 != ";" }.components(separatedBy: "\n- ")[0].components(separatedBy: "`")
        let places = list.indices.filter { $0 % 2 == 1 }.map { "\(Repository.path)/Sources/\(list[$0])" }
        let files = try Self.listed.keys.flatMap(Self.sources).filter { file in
            let source = try String(contentsOfFile: file, encoding: .utf8)
            return words.contains { source.contains($0) }
        }
        #expect(files.filter { file in !places.contains { file == $0 || file.hasPrefix($0 + "/") } } == [])
        #expect(places.filter { place in !files.contains { $0 == place || $0.hasPrefix(place + "/") } } == [])
    }

    private static func sources(_ module: String) -> [String] {
        let folders = ["\(Repository.path)/Sources/\(module)", "\(Repository.path)/\(module)"]
        return folders.flatMap { folder in
            (FileManager.default.enumerator(atPath: folder)?.allObjects ?? []).compactMap { $0 as? String }
                .filter { $0.hasSuffix(".swift") }.map { "\(folder)/\($0)" }
        }
    }
}
