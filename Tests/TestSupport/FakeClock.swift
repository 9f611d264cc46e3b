import Foundation

/// A clock for a program, which can be set while the program runs: libfaketime reads it from a file. Waiting takes as
/// long as ever.
package struct FakeClock: Sendable {
    private let path = Sandbox.makeFolder() + "/clock"
    private static let library = "faketime/libfaketimeMT.so.1"

    /// A clock that is right.
    package init() throws { try set("+0") }

    /// True if Debian's `faketime` is installed.
    package static var isInstalled: Bool { (try? libraryPath()) != nil }

    /// Sets the clock ahead or back, in the words of faketime(1): `+2y`.
    package func set(_ offset: String) throws {
        try Data("\(offset)\n".utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
        // PostgreSQL may run in another account.
        chmod(path, 0o644)
    }

    /// The variables for the program, as `env` takes them.
    func variables() throws -> [String] {
        [
            "LD_PRELOAD=\(try Self.libraryPath())", "FAKETIME_TIMESTAMP_FILE=\(path)", "FAKETIME_NO_CACHE=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1", "FAKETIME_DONT_RESET=1",
        ]
    }

    private static func libraryPath() throws -> String {
        let libraries = try FileManager.default.contentsOfDirectory(atPath: "/usr/lib").map {
            "/usr/lib/\($0)/\(library)"
        }
        guard let path = libraries.first(where: { FileManager.default.fileExists(atPath: $0) }) else {
            throw TestSupportError("the package faketime is not installed")
        }
        return path
    }
}
