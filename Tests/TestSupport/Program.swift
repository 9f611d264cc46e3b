import Foundation
import Net

/// A finished program run.
package struct Program: Sendable {
    /// The exit status, or 128 and the signal's number.
    package let status: Int32
    /// The standard output as text.
    package var output: String { String(decoding: outputBytes, as: UTF8.self) }
    /// The standard output.
    package let outputBytes: [UInt8]
    /// The standard error as text.
    package let complaint: String

    /// A missing program, a timeout, or another failure of a test's tool.
    package struct Failure: Error, CustomStringConvertible {
        /// The message.
        package let description: String

        /// Creates a failure with a message.
        package init(_ description: String) { self.description = description }
    }

    /// The path of the server's program.
    package static let server = built("neuroviews-server")
    /// The path of the command that is a device.
    package static let command = built("neuroviews")

    /// The build puts programs beside the test program.
    private static func built(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: tests).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// The environment of started programs. The caller's variables are not inherited. A server whose test names no
    /// ports listens on free ones: another server may have the default ports.
    package static let environment = {
        let own = [
            "PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C", "HOME": "/", "NEUROVIEWS_LISTEN": "127.0.0.1:0",
            "NEUROVIEWS_ADMIN_LISTEN": "127.0.0.1:0",
        ]
        // In a sanitized run, the servers are sanitized too. In a run for coverage, their lines count.
        let inherited = ProcessInfo.processInfo.environment.filter {
            ["ASAN_OPTIONS", "TSAN_OPTIONS", "LLVM_PROFILE_FILE"].contains($0.key)
        }
        return own.merging(cheapPasswords) { own, _ in own }.merging(inherited) { own, _ in own }
    }()

    /// Only tests of hashing itself pay for it, and those of the whole list of common passwords for reading it.
    private static let cheapPasswords = [
        "NEUROVIEWS_PASSWORD_COST": "1", "NEUROVIEWS_COMMON_PASSWORDS": shortList,
    ]

    private static let shortList = {
        let path = Sandbox.makeFolder() + "/passwords"
        let text = (0..<3000).map { "password-\($0)\n" }.joined()
        _ = FileManager.default.createFile(atPath: path, contents: Data(text.utf8))
        return path
    }()

    /// Runs a program. Its input and output are files, so that no pipe fills up. Throws `Failure` after `seconds`.
    package static func run(
        _ command: [String],
        input: String = "",
        environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> Program {
        try run(command, inputBytes: Array(input.utf8), environment: environment, seconds: seconds)
    }

    /// Runs a program with any bytes as its input.
    package static func run(
        _ command: [String],
        inputBytes: [UInt8],
        environment: [String: String] = [:],
        seconds: Double = 60
    ) throws -> Program {
        let folder = Sandbox.makeFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data(inputBytes).write(to: URL(fileURLWithPath: folder + "/in"))
        let streams = (
            FileHandle(forReadingAtPath: folder + "/in"), try newFile(folder + "/out"), try newFile(folder + "/err")
        )
        var settings = SpawnedProgram.Settings()
        settings.environment = Self.environment.merging(environment) { _, new in new }
        settings.input = streams.0?.fileDescriptor ?? -1
        settings.output = streams.1.fileDescriptor
        settings.error = streams.2.fileDescriptor
        let seconds = seconds * Patience.factor
        let program = try withExtendedLifetime(streams) {
            try SpawnedProgram(try path(of: command[0]), Array(command.dropFirst()), settings)
        }
        guard let status = program.wait(seconds: seconds) else {
            kill(program.number, SIGKILL)
            throw Failure("\(command.joined(separator: " ")) did not end within \(seconds) s.")
        }
        return Program(
            status: status,
            outputBytes: Array(FileManager.default.contents(atPath: folder + "/out") ?? Data()),
            complaint: String(decoding: FileManager.default.contents(atPath: folder + "/err") ?? Data(), as: UTF8.self)
        )
    }

    static func newFile(_ path: String) throws -> FileHandle {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure("\(path) can't be made.") }
        return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    /// PostgreSQL's folder comes first: Debian's `psql` in /usr/bin is a Perl program that starts the real one, and
    /// needs six times its CPU time.
    private static let places = postgresFolders + ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin"]

    /// The newest version's folder, or nothing.
    private static let postgresFolders: [String] = {
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
        return versions.compactMap { Int($0) }.max().map { ["/usr/lib/postgresql/\($0)/bin"] } ?? []
    }()

    private static func path(of name: String) throws -> String {
        if name.hasPrefix("/") { return name }
        let paths = places.map { "\($0)/\(name)" }
        guard let found = paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
            throw Failure("\(name) is not installed.")
        }
        return found
    }
}
