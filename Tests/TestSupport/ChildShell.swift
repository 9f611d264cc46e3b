import Glibc

/// A shell in a session of its own that is told commands line by line and answers each with a line. It sees the end of
/// its input when this process ends, however that happens, so it can clean up after us.
///
/// `@unchecked Sendable`: the descriptors never change, and callers take turns (see `TestCluster`).
final class ChildShell: @unchecked Sendable {
    private let commands: Int32
    private let answers: Int32

    init(script: String, arguments: [String]) throws {
        // Close-on-exec, or another child of ours would keep the shell's input open.
        let input = try Self.pipe()
        let output = try Self.pipe()
        commands = input.write
        answers = output.read
        defer {
            close(input.read)
            close(output.write)
        }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, input.read, 0)
        posix_spawn_file_actions_adddup2(&actions, output.write, 1)
        // Whatever was opened without close-on-exec, another shell's input above all: both would wait for each other.
        for descriptor in 3..<Int32(min(1024, sysconf(Int32(_SC_OPEN_MAX)))) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which Glibc shows with _GNU_SOURCE only.
        posix_spawnattr_setflags(&attributes, 0x80)
        var words = (["sh", "-c", script, "sh"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let status = posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, environ)
        guard status == 0 else { throw TestSupportError("posix_spawn: \(String(cString: strerror(status)))") }
    }

    /// Sends one line and returns the answer's.
    func ask(_ command: String) throws -> String {
        let line = Array((command + "\n").utf8)
        guard write(commands, line, line.count) == line.count else { throw TestSupportError("the shell is gone") }
        return try readLine()
    }

    /// The next line of the shell's output.
    func readLine() throws -> String {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(answers, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        throw TestSupportError("the shell ended: \(String(decoding: line, as: UTF8.self))")
    }

    private static func pipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { throw TestSupportError("pipe failed") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return (ends[0], ends[1])
    }
}

/// What went wrong in the test's own surroundings.
public struct TestSupportError: Error, CustomStringConvertible {
    /// A sentence.
    public let description: String

    /// Takes a sentence.
    public init(_ description: String) { self.description = description }
}
