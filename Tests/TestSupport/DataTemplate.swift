import Foundation
import Net
import NeuroViewsCrypto

/// The data folder of a server that was started once and stopped. A copy saves most of a first start: initdb and all
/// migrations. It stays beside the build, and is made again when a file that it depends on has changed.
enum DataTemplate {
    private static let folder = Result { try find() }

    /// Copies the template to a new folder, with its owners.
    static func copy(to data: String) throws { try copy(folder.get(), to: data) }

    /// The sources that decide about a new data folder.
    private static let sources = ["Migrations", "Sources/PrivateCluster", "Tests/TestSupport/DataTemplate.swift"]

    private static func find() throws -> String {
        let folder = URL(fileURLWithPath: Program.server).deletingLastPathComponent().path
        let (prefix, files) = ("test-data-", FileManager.default)
        let place = try "\(folder)/\(prefix)\(digest())"
        if files.fileExists(atPath: place) { return place }
        // Those of former sources. One with a process number is being made.
        for old in try files.contentsOfDirectory(atPath: folder) where old.hasPrefix(prefix) && !old.contains(".") {
            try files.removeItem(atPath: "\(folder)/\(old)")
        }
        let server = try ServerProcess(isFirstStart: true)
        guard try server.stop() == 0 else { throw Program.Failure("The template's server failed: \(server.log)") }
        // A test's data need not survive a crash of the machine.
        let settings = try FileHandle(forWritingTo: URL(fileURLWithPath: server.data + "/postgres/postgresql.conf"))
        try settings.seekToEnd()
        try settings.write(contentsOf: Data("fsync = off\nfull_page_writes = off\n".utf8))
        try settings.close()
        let new = "\(place).\(getpid())"
        // Only here: looking for zeros costs three times the copy, which then keeps the holes.
        try copy(server.data, to: new, "--sparse=always")
        // Another test process may have been faster.
        if rename(new, place) != 0 { try files.removeItem(atPath: new) }
        return place
    }

    private static func copy(_ source: String, to target: String, _ options: String...) throws {
        let copied = try Program.run(["cp", "-a"] + options + [source, target])
        guard copied.status == 0 else { throw Program.Failure(copied.complaint) }
    }

    /// Also of the half day: the database notes its clock, and doubts one that is a day ahead of that.
    private static func digest() throws -> String {
        var hash = SHA256()
        hash.update(Array("\(WallClock.nowS() / 43_200)\n".utf8))
        for source in sources {
            let path = Repository.path + "/" + source
            // Nothing is below a file.
            let below = (try? FileManager.default.subpathsOfDirectory(atPath: path)) ?? []
            for file in below.isEmpty ? [path] : below.sorted().map({ "\(path)/\($0)" }) {
                hash.update(Array("\(file.dropFirst(Repository.path.count))\n".utf8))
                hash.update(Array(FileManager.default.contents(atPath: file) ?? Data()))
            }
        }
        return Hex.encode(Array(hash.digest().prefix(8)))
    }
}
