import Foundation
import TestSupport
import Testing

@Suite("A backup that is not what was packed changes nothing", .blocking)
struct DamagedBackupTests {
    /// A backup of the shared server, unpacked, to be spoiled and packed again.
    private let folder: String
    private var parts: String { folder + "/parts" }

    init() throws {
        folder = Sandbox.makeFolder()
        let server = try Shared.server.get()
        try Operator.succeed(["backup", folder + "/whole.tar", "--data", server.data])
        try FileManager.default.createDirectory(atPath: folder + "/parts", withIntermediateDirectories: true)
        _ = try Program.run(["tar", "-xf", folder + "/whole.tar", "-C", folder + "/parts"])
    }

    private func shell(_ script: String) throws {
        let program = try Program.run(["sh", "-ec", "cd \(parts); \(script)"])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }

    /// Restores into an empty folder, which has to stay so.
    private func expectRefusal(
        _ file: String,
        status: Int32 = 65,
        _ words: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let data = folder + "/data"
        let program = try Operator.run(["restore", file, "--data", data])
        #expect(program.status == status, "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.contains(words), "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.split(separator: "\n").count == 1, sourceLocation: location)
        #expect(Operator.tree(data) == [], sourceLocation: location)
    }

    private func pack(_ names: String = "*") throws -> String {
        try shell("tar -cf ../spoiled.tar \(names)")
        return folder + "/spoiled.tar"
    }

    @Test("No tar, half a tar, a byte that changed anywhere in a part")
    func bytes() throws {
        let whole = try #require(FileManager.default.contents(atPath: folder + "/whole.tar"))
        let file = folder + "/spoiled.tar"
        for data in [Data(), Data("no backup".utf8), whole.prefix(whole.count / 2), whole.prefix(1500)] {
            try data.write(to: URL(fileURLWithPath: file))
            try expectRefusal(file, "is not a backup of this server, or it is damaged")
        }
        for name in ["manifest.json", "secret.key", "database.dump", "SHA256SUMS"] {
            let path = "\(parts)/\(name)"
            let right = try #require(FileManager.default.contents(atPath: path))
            var wrong = right
            wrong[right.count / 2] ^= 1
            try wrong.write(to: URL(fileURLWithPath: path))
            try expectRefusal(try pack(), "damaged")
            try right.write(to: URL(fileURLWithPath: path))
        }
        #expect(try Operator.run(["restore", pack(), "--data", folder + "/data/deep/er"]).status == 0)
    }

    @Test("A part that is missing, one too many, and one that is no file")
    func wrongParts() throws {
        try expectRefusal(try pack("manifest.json SHA256SUMS database.dump"), "it has no secret.key")
        try shell("mkdir -p objects; echo x >objects/x")
        try expectRefusal(try pack(), "digests")
        try shell("rm objects/x; ln -s /etc/passwd objects/x")
        try expectRefusal(try pack(), "objects/x does not belong into one")
        try shell("rm -r objects; echo x >other")
        try expectRefusal(try pack(), "other does not belong into one")
    }

    @Test("A newer server's backup, by its form or its migration", arguments: ["\"format\" : 2", "\"migration\" : 99"])
    func newer(member: String) throws {
        let name = member.split(separator: " ").first ?? ""
        try shell(
            """
            sed -i 's/\(name) : [0-9]*/\(member)/' manifest.json
            sed -i "s/^.*  manifest.json/$(sha256sum manifest.json)/" SHA256SUMS
            """
        )
        try expectRefusal(try pack(), status: 69, "newer than this one")
    }
}
