import Foundation
import TestSupport
import Testing

@Suite("A damaged backup changes nothing", .inFull, .blocking)
struct DamagedBackupTests {
    /// A backup of the shared server.
    private let backup: UnpackedBackup
    private var folder: String { backup.folder }
    private var parts: String { backup.parts }

    init() throws { backup = try UnpackedBackup(["--data", try Shared.server.get().data]) }

    /// Restores into an empty folder, which must stay empty.
    private func expectRefusal(
        _ file: String,
        status: Int32 = 65,
        _ words: String,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let data = folder + "/data"
        let program = try Operator.run(["restore", file, "--unauthenticated", "--data", data])
        #expect(program.status == status, "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.contains(words), "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.split(separator: "\n").count == 1, sourceLocation: location)
        #expect(Operator.tree(data) == [], sourceLocation: location)
    }

    @Test("A restore refuses a file that is no tar, half a tar or has one changed byte")
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
            try expectRefusal(try backup.pack(), "damaged")
            try right.write(to: URL(fileURLWithPath: path))
        }
        #expect(
            try Operator.run(["restore", backup.pack(), "--unauthenticated", "--data", folder + "/data/deep/er"]).status
                == 0
        )
    }

    @Test("A restore refuses a backup with a missing, an extra or an irregular part")
    func wrongParts() throws {
        try expectRefusal(try backup.pack("manifest.json SHA256SUMS database.dump"), "it has no secret.key")
        try backup.shell("mkdir -p objects; echo x >objects/x")
        try expectRefusal(try backup.pack(), "not as it was packed: objects/x")
        try backup.shell("rm objects/x; ln -s /etc/passwd objects/x")
        try expectRefusal(
            try backup.pack(UnpackedBackup.all + " objects/x"),
            "objects/x -> /etc/passwd does not belong into one"
        )
        try backup.shell("rm objects/x; echo x >other")
        try expectRefusal(try backup.pack(UnpackedBackup.all + " other"), "other does not belong into one")
    }

    @Test("A restore refuses an empty line in the digests, which would hide the lines after it")
    func emptyLine() throws {
        try backup.shell("mkdir -p objects/objects/00; echo x >objects/objects/00/x; sed -i '1i\\\\' SHA256SUMS")
        try expectRefusal(try backup.pack(), "not as it was packed")
    }

    @Test("A restore refuses a backup of a newer form or with a newer migration", arguments: ["format", "migration"])
    func newer(member: String) throws {
        try backup.seal(member, 99)
        try expectRefusal(try backup.pack(), status: 69, "newer than this one")
    }
}
