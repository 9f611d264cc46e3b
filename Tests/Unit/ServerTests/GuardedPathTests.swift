import Foundation
import TestSupport
import Testing

@testable import Machine

@Suite("Paths that no other account can lead elsewhere", .blocking)
struct GuardedPathTests {
    private static let nobody: uid_t = 65534

    private let folder: TemporaryFolder
    private var place: String { folder.path + "/place" }
    private var file: String { place + "/file" }

    init() throws {
        folder = try TemporaryFolder()
        _ = try folder.file("place/file", "x")
        #expect(chmod(folder.path + "/place", 0o755) == 0)
    }

    private func problem(_ path: String, trusting others: Set<uid_t> = []) -> String? {
        do throws(GuardedPath.Problem) {
            _ = try GuardedPath(path, trusting: others)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("A path of this account leads to its real place, with dots, slashes and links of its own")
    func own() throws {
        let real = try GuardedPath(file).path
        #expect(real.hasSuffix("/place/file"))
        #expect(symlink("place", folder.path + "/near") == 0)
        #expect(symlink(place, folder.path + "/far") == 0)
        for path in [
            "/place/./file", "//place//file", "/place/../place/file", "/near/file", "/far/file", "/far/../place/file",
        ] {
            #expect(try GuardedPath(folder.path + path).path == real, "\(path)")
        }
    }

    @Test("A missing path, a file as a folder and a ring of links are errors of the system")
    func missing() throws {
        #expect(problem(place + "/none") == "cannot open \(place)/none: No such file or directory")
        #expect(problem(file + "/x") == "cannot open \(file): Not a directory")
        #expect(symlink("ring", folder.path + "/ring") == 0)
        #expect(problem(folder.path + "/ring")?.contains("symbolic links") == true)
    }

    @Test(
        "A folder or file that its group or others may change is refused until chmod go-w",
        arguments: [0o775, 0o757, 0o2777]
    )
    func open(mode: Int) throws {
        let owner = try #require(getpwuid(geteuid()).map { String(cString: $0.pointee.pw_name) })
        for path in [place, file] {
            #expect(chmod(path, mode_t(mode)) == 0)
            let found = try #require(problem(file))
            let text = "\(path), which belongs to \(owner), can be changed by others (mode \(String(mode, radix: 8)))"
            #expect(found == "\(text): run chmod go-w \(path)")
            #expect(try Program.run(["chmod", "go-w", path]).status == 0)
            #expect(problem(file) == nil)
        }
    }

    @Test("A folder with the sticky bit is safe for what others don't own")
    func sticky() throws {
        #expect(chmod(place, 0o1777) == 0)
        #expect(problem(file) == nil)
        #expect(chmod(file, 0o1666) == 0)
        #expect(problem(file) != nil, "the bit protects no file")
    }

    @Test(
        "A folder, a link or a file of another account is refused with its owner until chown",
        .enabled(if: geteuid() == 0, "needs root"),
        arguments: ["place", "link", "place/file"]
    )
    func foreign(name: String) throws {
        #expect(symlink(place, folder.path + "/link") == 0)
        // Also in a folder whose owner may not replace what is not his.
        #expect(chmod(folder.path, 0o1777) == 0)
        let (path, used) = ("\(folder.path)/\(name)", name == "link" ? "\(folder.path)/link/file" : file)
        #expect(lchown(path, Self.nobody, Self.nobody) == 0)
        let found = try #require(problem(used))
        #expect(found.hasPrefix("\(path) belongs to nobody, who can put something else in its place: "), "\(found)")
        let remedy = "chown \(name == "link" ? "-h " : "")root \(path)"
        #expect(found.hasSuffix("run \(remedy)"))
        #expect(problem(used, trusting: [Self.nobody]) == nil)
        #expect(try Program.run(remedy.split(separator: " ").map(String.init)).status == 0)
        #expect(problem(used) == nil)
    }

    @Test(
        "An account that renames folders and links on the way all the time never gets through",
        .enabled(if: geteuid() == 0, "needs root")
    )
    func renames() throws {
        let theirs = folder.path + "/theirs"
        #expect(
            mkdir(theirs, 0o755) == 0 && mkdir(theirs + "/a", 0o755) == 0
                && chown(theirs, Self.nobody, Self.nobody) == 0
        )
        let script = """
            cd \(theirs); while :; do mv a b; ln -s \(place) a; rm a; mv b a; done
            """
        let account = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--"]
        let shell = try ChildProcess(account + ["/bin/sh", "-c", script], log: folder.path + "/log")
        defer { shell.kill() }
        for path in [theirs + "/a", theirs + "/a/file", theirs + "/../theirs/a"] {
            for _ in 0..<500 { #expect(problem(path)?.hasPrefix("\(theirs) belongs to nobody") == true) }
        }
    }
}
