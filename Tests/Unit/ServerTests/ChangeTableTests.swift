import Foundation
import TestSupport
import Testing

@Suite("The table \"To change X, open Y\" of ARCHITECTURE.md", .blocking)
struct ChangeTableTests {
    private static let rows: [String] = {
        let text = (try? String(contentsOfFile: Repository.path + "/ARCHITECTURE.md", encoding: .utf8)) ?? ""
        let section = text.components(separatedBy: "## To change X, open Y\n").last ?? ""
        let table = section.split(separator: "\n").drop { !$0.hasPrefix("|") }.prefix { $0.hasPrefix("|") }
        return table.dropFirst(2).map(String.init)
    }()

    @Test("Each row of the change table names existing files with their folder", arguments: rows)
    func files(row: String) throws {
        // A file without a path is in the next folder: "`A.swift`, `B.swift` in `Sources/X`".
        var names: [Substring] = []
        let parts = row.split(separator: "`", omittingEmptySubsequences: false)
        for (index, name) in parts.enumerated() where index % 2 == 1 {
            if Self.isPath(name), parts[index - 1].hasSuffix(" in ") {
                for file in names { #expect(try Self.isFile(file, in: name), "\(file) in \(name)") }
                names = []
            }
            if Self.isPath(name) {
                #expect(try Self.isFile(name), "\(name)")
            } else if !name.contains("<"), name.hasSuffix(".swift") || name.hasSuffix(".sql") {
                names.append(name)
            }
        }
        #expect(names == [], "files without a folder")
    }

    @Test("The change table is found and has over 20 rows")
    func isFound() { #expect(Self.rows.count > 20) }

    /// Returns true for a path from the repository's root. `<Feature>` stands for any feature.
    private static func isPath(_ name: Substring) -> Bool {
        let roots = ["Sources/", "Migrations/", "OpenAPI/", "Tests/", "deploy/", "docs/"]
        return roots.contains { name.hasPrefix($0) } && !name.contains("<")
    }

    /// A star stands for the rest of a name. Returns true if there is a file or folder with that name.
    private static func isFile(_ name: Substring, in folder: Substring = "") throws -> Bool {
        let whole = "\(Repository.path)/\(folder)/\(name)"
        guard name.contains("*") else { return FileManager.default.fileExists(atPath: whole) }
        let slash = whole.lastIndex(of: "/") ?? whole.startIndex
        let parts = whole[slash...].dropFirst().split(separator: "*", omittingEmptySubsequences: false)
        return try FileManager.default.contentsOfDirectory(atPath: String(whole[..<slash])).contains { file in
            file.hasPrefix(parts[0]) && file.hasSuffix(parts[1])
        }
    }
}
