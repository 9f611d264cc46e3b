import Glibc

/// A shell in a separate session. It reads one command a line and answers each with one line. When this process ends,
/// for any reason, the shell's input ends; then the shell cleans up.
///
/// `@unchecked Sendable`: the descriptors never change, and callers hold a lock (see `TestCluster`).
final class ChildShell: @unchecked Sendable {
    private let commands: Int32
    private let answers: Int32

    init(script: String, arguments: [String]) throws {
        // Close-on-exec; otherwise another child process would keep the shell's input open.
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
        // Closes descriptors without close-on-exec. With another shell's input open, the two shells would wait for each
        // other.
        for descriptor in 3..<Int32(min(1024, sysconf(Int32(_SC_OPEN_MAX)))) {
            posix_spawn_file_actions_addclose(&actions, descriptor)
        }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // POSIX_SPAWN_SETSID, which Glibc defines only with _GNU_SOURCE.
        posix_spawnattr_setflags(&attributes, 0x80)
        var words = (["sh", "-c", script, "sh"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        let status = posix_spawn(&child, "/bin/sh", &actions, &attributes, &words, environ)
        guard status == 0 else { throw TestSupportError("posix_spawn: \(String(cString: strerror(status)))") }
    }

    /// Sends one line and returns the line of the answer.
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

/// An error of the test environment, not of the tested code.
package struct TestSupportError: Error, CustomStringConvertible {
    /// The message.
    package let description: String

    /// Creates an error with a message.
    package init(_ description: String) { self.description = description }
}
