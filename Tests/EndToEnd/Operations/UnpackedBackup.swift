import Foundation
import TestSupport

/// The parts of a backup. Tests change them and pack them again.
struct UnpackedBackup {
    let folder = Sandbox.makeFolder()
    var parts: String { folder + "/parts" }
    /// The backup as the server made it.
    var whole: String { folder + "/whole.tar" }

    /// Makes a backup with the settings `places`.
    init(_ places: [String]) throws {
        try Operator.succeed(["backup", whole] + places)
        try FileManager.default.createDirectory(atPath: parts, withIntermediateDirectories: true)
        try shell("tar -xf ../whole.tar")
    }

    /// Runs a script in the folder of the parts.
    func shell(_ script: String) throws {
        let program = try Program.run(["sh", "-ec", "cd \(parts); \(script)"])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
    }

    /// Sets a number in the manifest, and updates the digests of the parts.
    func seal(_ member: String, _ number: Int) throws {
        try shell("sed -i 's/\"\(member)\" : [0-9]*/\"\(member)\" : \(number)/' manifest.json")
        try seal()
    }

    func seal() throws {
        try shell("sha256sum manifest.json database.dump secret.key >SHA256SUMS")
        try shell("find objects -type f -exec sha256sum {} + 2>/dev/null >>SHA256SUMS || true")
    }

    /// Replaces a text in the dump by one of the same length, because the dump's strings have length prefixes.
    func replaceInDump(_ old: String, _ new: String) throws {
        let url = URL(fileURLWithPath: parts + "/database.dump")
        var dump = try Data(contentsOf: url)
        guard let range = dump.range(of: Data(old.utf8)), new.utf8.count <= old.utf8.count else {
            throw Program.Failure("the dump has no \(old)")
        }
        let padding = String(repeating: " ", count: old.utf8.count - new.utf8.count)
        dump.replaceSubrange(range, with: Data((new + padding).utf8))
        try dump.write(to: url)
        try seal()
    }

    /// The members of a backup.
    static let all = "SHA256SUMS manifest.json secret.key database.dump $(test ! -d objects || find objects -type f)"

    /// Packs the parts into a tar, and returns its path.
    func pack(_ names: String = all, options: String = "") throws -> String {
        try shell("umask 077; tar \(options) -cf ../spoiled.tar \(names)")
        return folder + "/spoiled.tar"
    }
}
