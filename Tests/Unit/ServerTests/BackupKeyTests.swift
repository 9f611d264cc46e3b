import Testing

@testable import Machine
@testable import Operations

@Suite("Keys of backups", .blocking)
struct BackupKeyTests {
    private static let word = String(repeating: "0123456789abcdef", count: 4)
    private static let ends = ["", "\n", "\r\n"]

    private func key(_ text: String, _ folder: TemporaryFolder) throws -> BackupKey {
        try BackupKey(try folder.file("key", text))
    }

    @Test("A backup is opened by its key with any end of the line", arguments: ends)
    func lineEnds(end: String) throws {
        let folder = try TemporaryFolder()
        _ = try folder.file("SHA256SUMS", "the digests\n")
        try key(Self.word + end, folder).sign(folder.path)
        for other in Self.ends { try key(Self.word + other, folder).verify(folder.path, "backup.tar") }
        for wrong in [Self.word + " \n", Self.word + "\n\n\n", Self.word.uppercased(), "\n" + Self.word] {
            #expect(throws: CommandFailure.self) { try key(wrong, folder).verify(folder.path, "backup.tar") }
        }
    }

    @Test("A backup is opened by a key of several lines with any ends of its lines")
    func severalLines() throws {
        let folder = try TemporaryFolder()
        let (plain, returned) = (Self.word + "\n" + Self.word, Self.word + "\r\n" + Self.word)
        let keys = [plain, plain + "\n", returned, returned + "\r\n"]
        for text in keys {
            let signed = try TemporaryFolder()
            _ = try signed.file("SHA256SUMS", "the digests\n")
            try key(text, folder).sign(signed.path)
            for other in keys { try key(other, folder).verify(signed.path, "backup.tar") }
            let joined = try key(Self.word + Self.word, folder)
            #expect(throws: CommandFailure.self) { try joined.verify(signed.path, "backup.tar") }
        }
    }

    @Test("A backup is signed with all bytes of the key's file")
    func spellings() {
        #expect(BackupKey.spellings(of: Array("a\r\n".utf8)).first == Array("a\r\n".utf8))
        #expect(Set(BackupKey.spellings(of: Array("a".utf8))) == Set(Self.ends.map { Array("a\($0)".utf8) }))
    }
}
