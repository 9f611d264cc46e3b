import Console
import Foundation
import TestSupport
import Testing

@Suite("The files of the console")
struct ConsoleFileTests {
    /// A file in the folder of both pages' files.
    private static func text(_ path: String) throws -> String {
        try String(contentsOfFile: "\(Repository.path)/Sources/Console/web/\(path)", encoding: .utf8)
    }

    /// The paths of all files with these endings.
    private static func paths(_ endings: Set<String>) throws -> [String] {
        try ["shared", "user", "operator"].flatMap { folder in
            try FileManager.default.contentsOfDirectory(atPath: "\(Repository.path)/Sources/Console/web/\(folder)")
                .map { "\(folder)/\($0)" }
        }
        .filter { endings.contains(String($0.split(separator: ".").last ?? "")) }.sorted()
    }

    /// The lines of a script or style that the build embeds: without comments, blank lines and indentation.
    private static func lines(_ text: String) -> [Substring] {
        var isInside = false
        return text.split(separator: "\n").map(withoutRemarks).filter { line in
            let begins = line.hasPrefix("/*")
            let isComment = isInside || line.hasPrefix("//") || begins && (line.hasSuffix("*/") || !line.contains("*/"))
            if isInside { isInside = !line.hasSuffix("*/") } else { isInside = begins && !line.contains("*/") }
            return !isComment && !line.isEmpty
        }
    }

    /// A line without indentation, comments of types, and a comment at its end.
    private static func withoutRemarks(_ line: Substring) -> Substring {
        line.drop(while: \.isWhitespace).replacing(/\/\*\*[^*]*\*\/[ ]{0,}/, with: "")
            .replacing(/[ ]{2}\/\/ .*/, with: "")
    }

    private static func embedded(_ text: String) -> String { lines(text).map { "\($0)\n" }.joined() }

    /// The bytes that the build embeds. A page has the frame's style in it.
    private static func expected(_ path: String) throws -> String {
        let content = try text(path)
        if path.hasSuffix(".svg") { return content }
        guard path.hasSuffix(".html") else { return embedded(content) }
        let style = embedded(try text("frame/frame.css"))
        return content.replacing("<style></style>", with: "<style>\n\(style)</style>")
    }

    @Test("Scripts and styles are the repository's without comments and indentation, and pages have the frame's style")
    func repository() throws {
        for path in try Self.paths(["js", "css", "svg", "html"]) {
            let parts = path.split(separator: "/").map(String.init)
            let doors = ConsoleFiles.Door.allCases.filter { parts[0] == "shared" || parts[0] == $0.rawValue }
            let expected = try Self.expected(path)
            for door in doors {
                #expect(ConsoleFiles.all(of: door)[parts[1]]?.bytes == Array(expected.utf8), "\(path)")
            }
        }
    }

    @Test("No text of a script spans lines, and no line begins and ends with a comment around code")
    func texts() throws {
        let scripts = try Self.paths(["js"])
        #expect(scripts.count > 20)
        for path in scripts {
            for line in Self.lines(try Self.text(path)) {
                let marks = line.filter { $0 == "`" }.count - line.ranges(of: "\\`").count
                #expect(marks.isMultiple(of: 2) && !line.hasSuffix("\\"), "\(path): \(line)")
            }
            for line in try Self.text(path).split(separator: "\n").map({ $0.drop(while: \.isWhitespace) })
            where line.hasPrefix("/*") && line.hasSuffix("*/") {
                #expect(line.ranges(of: "*/").count == 1, "\(path): \(line)")
            }
        }
    }
}
