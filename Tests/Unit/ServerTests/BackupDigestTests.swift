import Testing

@testable import Machine
@testable import Operations

@Suite("Digests of recordings' files in a backup", .blocking)
struct BackupDigestTests {
    private static let digest = String(repeating: "0", count: 64)

    /// The list of a backup's digests after the script has added `found`; nil if the script refused it.
    private func list(_ found: String) throws -> String? {
        let folder = try TemporaryFolder()
        let (found, digests) = (try folder.file("found", found), try folder.file("digests", "parts\n"))
        let command = ["/bin/sh", "-c", BackupArchive.addScript, "sh", found, digests]
        let status = try ChildProcess.run(command, log: nil, seconds: 10).status
        return status == 0 ? try FileDescriptor.readText(digests) : nil
    }

    @Test(
        "Digests of recordings' files follow those of the parts, with any file names",
        arguments: ["", "a", "a b/1", "a\\n b"]
    )
    func added(name: String) throws {
        let line = (name.contains("\\") ? "\\" : "") + "\(Self.digest)  objects/\(name)\n"
        #expect(try list(name.isEmpty ? "" : line) == "parts\n" + (name.isEmpty ? "" : line))
    }

    @Test(
        "The account that reads the files can't add a digest of another part",
        arguments: ["\(digest)  secret.key", "\\\(digest)  ./secret.key", "", " ", "\(digest) *objects/a", "objects/a"]
    )
    func refused(line: String) throws {
        #expect(try list("\(Self.digest)  objects/a\n\(line)\n") == nil)
    }
}
