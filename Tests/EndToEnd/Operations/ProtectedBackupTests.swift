import Foundation
import TestSupport
import Testing

@Suite("Authenticated and encrypted backups", .inFull, .blocking)
struct ProtectedBackupTests {
    private let folder = Sandbox.makeFolder()
    private var key: String { folder + "/backup.key" }
    private var file: String { folder + "/backup.tar" }
    private let places: [String]

    init() throws {
        places = ["--data", try Shared.server.get().data]
        try make("openssl rand -hex -out \(folder)/backup.key 32; chmod 600 \(folder)/backup.key")
    }

    private func make(_ script: String) throws {
        let program = try Program.run(["sh", "-ec", "cd \(folder); \(script)"])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }

    /// Restores into a new folder. The folder must stay empty if the restore is refused.
    private func restore(_ options: [String], _ refusal: String? = nil, at location: SourceLocation = #_sourceLocation)
        throws
    {
        let data = Sandbox.makeFolder() + "/data"
        let program = try Operator.run(["restore", file, "--data", data] + options)
        guard let refusal else {
            #expect(program.status == 0, "\(program.complaint)", sourceLocation: location)
            return
        }
        #expect([64, 65, 66, 69].contains(program.status), "\(program.complaint)", sourceLocation: location)
        #expect(program.complaint.contains(refusal), "\(program.complaint)", sourceLocation: location)
        #expect(Operator.tree(data) == [], sourceLocation: location)
    }

    @Test("A restore with a key refuses backups of another key, without a key or with changed parts")
    func authenticated() throws {
        try Operator.succeed(["backup", file, "--key-file", key] + places)
        try restore(["--key-file", key])
        try restore(["--unauthenticated"])
        try restore([], "--key-file KEY | --unauthenticated")
        try make("openssl rand -hex -out other.key 32; chmod 600 other.key")
        try restore(["--key-file", folder + "/other.key"], "was not made with this key")
        // The documented rule: HMAC-SHA-256 over SHA256SUMS, with all bytes of the file as the key.
        try make(
            """
            tar -xf backup.tar SHA256SUMS SHA256SUMS.hmac
            key=$(od -An -v -tx1 backup.key | tr -d ' \\n')
            openssl dgst -sha256 -mac HMAC -macopt hexkey:$key <SHA256SUMS | grep -qF "$(cat SHA256SUMS.hmac)"
            """
        )
        // New digests for the changed parts, with the old tag.
        try make(
            """
            mkdir parts; cd parts; tar -xf ../backup.tar; sed -i 's/: "20../: "1999/' manifest.json
            names="manifest.json database.dump secret.key $(test ! -d objects || find objects -type f)"
            sha256sum $names >SHA256SUMS; tar -cf ../backup.tar SHA256SUMS* $names
            """
        )
        try restore(["--key-file", key], "was not made with this key, or it was changed")
        try Operator.succeed(["backup", file] + places)
        try restore(["--key-file", key], "was made without a key")
    }

    @Test("A backup key file that others can read, or that is short, missing or irregular, is refused")
    func keyFiles() throws {
        try make("printf short >short; chmod 600 short; cp backup.key open; chmod 640 open; mkdir folder")
        let cases = [
            ("short", "needs 32 to 4096 bytes"), ("open", "chmod 600"), ("folder", "is no file"),
            ("none", "No such file"),
        ]
        for (name, words) in cases {
            let program = try Operator.run(["backup", file, "--key-file", "\(folder)/\(name)"] + places)
            #expect(program.status == 66 && program.complaint.contains(words), "\(name): \(program.complaint)")
            #expect(!Operator.exists(file))
        }
    }

    @Test(
        "A backup that is encrypted by age can't be read without the identity",
        .enabled(if: Operator.exists("/usr/bin/age"))
    )
    func encrypted() throws {
        try make(
            "age-keygen -o identity 2>/dev/null; age-keygen -o stranger 2>/dev/null; age-keygen -y identity >recipient"
        )
        let recipient = try String(contentsOfFile: folder + "/recipient", encoding: .utf8).trimmingCharacters(
            in: .newlines
        )
        try Operator.succeed(["backup", file, "--key-file", key, "--recipient", recipient] + places)
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)).starts(with: Data("age-encryption.org/v1".utf8)))
        #expect(!Operator.exists(file + ".partial"))
        try restore(["--key-file", key, "--identity", folder + "/identity"])
        try restore(["--key-file", key], "is encrypted: name the file of your identity with --identity")
        try restore(["--key-file", key, "--identity", folder + "/stranger"], "can't be decrypted")
        try restore(["--key-file", key, "--identity", folder + "/none"], "can't be decrypted")
        try make("truncate -s -100 backup.tar")
        try restore(["--key-file", key, "--identity", folder + "/identity"], "can't be decrypted")
        let refused = try Operator.run(["backup", file, "--recipient", "age1nobody"] + places)
        #expect(refused.status == 73 && refused.complaint.contains("can't be encrypted"), "\(refused.complaint)")
        #expect(!Operator.exists(file + ".partial"))
        try Operator.succeed(["backup", file] + places)
        try restore(
            ["--unauthenticated", "--identity", folder + "/identity"],
            "is not encrypted: leave --identity out"
        )
    }
}
