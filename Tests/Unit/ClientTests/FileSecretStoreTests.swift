import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Secrets in files", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct FileSecretStoreTests {
    private let folder = Sandbox.makeFolder() + "/above/secrets"
    private var store: FileSecretStore { FileSecretStore(folder: folder) }
    private var path: String { folder + "/token" }
    private let old = Array("old".utf8)
    private let new = Array("new".utf8)

    private func mode(_ path: String) -> mode_t {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    @Test("A secret is returned as it was written, replaced, and removed")
    func values() throws {
        #expect(try store.read("token") == nil)
        #expect(throws: Never.self) { try store.write("token", nil) }
        for value in [old, [], [0, 255, 10], new] {
            try store.write("token", value)
            #expect(try store.read("token") == value)
            #expect(try FileSecretStore(folder: folder).read("token") == value)
        }
        try store.write("token", nil)
        #expect(try store.read("token") == nil)
    }

    @Test("Files have mode 0600 and folders 0700")
    func modes() throws {
        try store.write("token", old)
        #expect(mode(path) == 0o600)
        #expect(mode(folder) == 0o700)
        #expect(mode(folder + "/..") == 0o700)
    }

    @Test("Names with slashes and dots stay in the folder and apart")
    func names() throws {
        let names = ["../token", "a/b", "a%2Fb", ".", "..", "", ".lock", ".token.new", "é"]
        for name in names { try store.write("x" + name, Array(name.utf8)) }
        for name in names { #expect(try store.read("x" + name) == Array(name.utf8)) }
        for name in names.dropFirst(3) where name != "" { #expect(!FileSecretStore.fileName(name).hasPrefix(".")) }
        let files = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(files.count == names.count + 1)
    }

    @Test("A secret that others can read is refused", arguments: [0o640, 0o604, 0o620, 0o601] as [mode_t])
    func readable(mode: mode_t) throws {
        try store.write("token", old)
        chmod(path, mode)
        #expect(throws: SecretError.notPrivate(path)) { try store.read("token") }
        try store.write("token", new)
        #expect(try store.read("token") == new)
    }

    @Test("A folder that others can enter is refused for reading and writing", arguments: [0o755, 0o710] as [mode_t])
    func openFolder(mode: mode_t) throws {
        try store.write("token", old)
        chmod(folder, mode)
        #expect(throws: SecretError.notPrivate(folder)) { try store.read("token") }
        #expect(throws: SecretError.notPrivate(folder)) { try store.write("token", new) }
    }

    @Test("A link or a folder in the place of a secret is refused, and a write follows no link")
    func links() throws {
        try store.write("token", old)
        let target = Sandbox.makeFolder() + "/target"
        try Data(old).write(to: URL(fileURLWithPath: target))
        chmod(target, 0o600)
        symlink(target, folder + "/linked")
        #expect(throws: SecretError.notPrivate(folder + "/linked")) { try store.read("linked") }
        try store.write("linked", new)
        #expect(try store.read("linked") == new)
        #expect(FileManager.default.contents(atPath: target) == Data(old))
        mkdir(folder + "/folder", 0o700)
        #expect(throws: SecretError.notPrivate(folder + "/folder")) { try store.read("folder") }
        symlink(folder, folder + "-link")
        #expect(throws: SecretError.notPrivate(folder + "-link")) {
            try FileSecretStore(folder: folder + "-link").read("token")
        }
    }

    @Test("A secret of another account is refused", .enabled(if: getuid() == 0, "root is needed to give a file away"))
    func otherOwner() throws {
        try store.write("token", old)
        chown(path, 65534, 65534)
        #expect(throws: SecretError.notPrivate(path)) { try store.read("token") }
        chown(folder, 65534, 65534)
        #expect(throws: SecretError.notPrivate(folder)) { try store.read("token") }
    }

    @Test("After a crash before the rename the old secret is there, and the next write succeeds")
    func crash() throws {
        try store.write("token", old)
        try Data("ne".utf8).write(to: URL(fileURLWithPath: folder + "/.token.new"))
        #expect(try store.read("token") == old)
        try store.write("token", new)
        #expect(try store.read("token") == new)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [".lock", "token"])
    }

    @Test("A secret is removed with what a crash has left of its replacement")
    func removalAfterCrash() throws {
        try store.write("token", old)
        try Data(new).write(to: URL(fileURLWithPath: folder + "/.token.new"))
        try store.write("token", nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == [".lock"])
    }

    @Test("A reader sees a whole secret, the old or the new one, while writers replace it")
    func concurrent() async throws {
        let values = (0..<4).map { [UInt8](repeating: $0, count: 20_000) }
        let store = store
        try store.write("token", values[0])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for value in values {
                group.addTask { for _ in 0..<50 { try store.write("token", value) } }
            }
            group.addTask {
                for _ in 0..<500 {
                    let read = try store.read("token")
                    #expect(read.map(values.contains) == true)
                }
            }
            try await group.waitForAll()
        }
    }

    @Test(
        "On a full disk the old secret stays, and the failure has a name",
        .enabled(if: getuid() == 0, "root is needed to mount a small disk")
    )
    func full() throws {
        let mounted = Sandbox.makeFolder()
        let mount = try Program.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=0700", "tmpfs", mounted])
        try #require(mount.status == 0, "\(mount.complaint)")
        defer { _ = try? Program.run(["umount", "-l", mounted]) }
        let store = FileSecretStore(folder: mounted)
        try store.write("token", old)
        let large = [UInt8](repeating: 1, count: 65_000)
        let error = #expect(throws: SecretError.self) { try store.write("token", large) }
        guard case .unwritable(let reason) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason.contains("No space left"))
        #expect(try store.read("token") == old)
        #expect(try FileManager.default.contentsOfDirectory(atPath: mounted).sorted() == [".lock", "token"])
    }
}
