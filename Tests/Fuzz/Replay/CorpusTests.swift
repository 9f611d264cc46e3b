import Foundation
import Testing

@Suite("Corpora of the fuzzers")
struct CorpusTests {
    private static let folder = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Corpus")

    @Test("Every file of the corpus keeps its target's invariants", arguments: FuzzTarget.all)
    func replay(_ target: FuzzTarget) throws {
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.folder.appendingPathComponent(target.name),
            includingPropertiesForKeys: nil
        )
        #expect(files.count > 10)
        for file in files {
            let bytes = [UInt8](try Data(contentsOf: file))
            #expect(throws: Never.self, "\(target)/\(file.lastPathComponent)") { try target.check(bytes) }
        }
    }

    @Test("Every folder of the corpus and every dictionary belongs to a target")
    func folders() throws {
        let names = FuzzTarget.all.map(\.name).sorted()
        #expect(try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).sorted() == names)
        let dictionaries = Self.folder.deletingLastPathComponent().appendingPathComponent("Dictionaries").path
        let found = try FileManager.default.contentsOfDirectory(atPath: dictionaries)
        #expect(found.sorted() == names.map { $0 + ".txt" })
    }
}
