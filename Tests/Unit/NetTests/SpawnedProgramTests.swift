import Dispatch
import Glibc
import Net
import TestSupport
import Testing

struct SpawnedProgramTests {
    private static var patience: Double { Double(Patience.ms(30000)) / 1000 }

    private static func pipe() -> [Int32] {
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        // Otherwise the program of another test would keep it open.
        for end in ends { #expect(fcntl(end, F_SETFD, FD_CLOEXEC) == 0) }
        return ends
    }

    /// The bytes that a program writes into one of its descriptors.
    private static func output(
        _ path: String,
        _ arguments: [String] = [],
        _ settings: SpawnedProgram.Settings = SpawnedProgram.Settings(),
        with stream: WritableKeyPath<SpawnedProgram.Settings, Int32> = \.output
    ) throws -> String {
        let ends = Self.pipe()
        defer { close(ends[0]) }
        var settings = settings
        settings[keyPath: stream] = ends[1]
        let program = try SpawnedProgram(path, arguments, settings)
        close(ends[1])
        var text: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 4096)
        while case let count = read(ends[0], &bytes, bytes.count), count > 0 { text += bytes.prefix(count) }
        #expect(program.wait(seconds: patience) == 0)
        return String(decoding: text, as: UTF8.self)
    }

    private static func shell(_ script: String) throws -> SpawnedProgram {
        try SpawnedProgram("/bin/sh", ["-c", script])
    }

    @Test("A spawned program has three descriptors, however many are open in its parent")
    func descriptors() throws {
        // The descriptors have no FD_CLOEXEC. There are more of them than one read of the folder returns.
        let open = (0..<1500).map { _ in dup(2) }
        defer { for descriptor in open { close(descriptor) } }
        var ends: [Int32] = [-1, -1]
        #expect(Glibc.pipe(&ends) == 0)
        var settings = SpawnedProgram.Settings()
        settings.output = ends[1]
        let program = try SpawnedProgram("/bin/ls", ["/proc/self/fd"], settings)
        #expect(program.wait(seconds: Self.patience) == 0)
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        // The fourth descriptor is the folder itself.
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "0\n1\n2\n3\n")
    }

    @Test(
        "A spawned program's status is reported as shells do",
        arguments: [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137)]
    )
    func status(script: String, expected: Int32) throws {
        let program = try Self.shell(script)
        #expect(program.wait(seconds: Self.patience) == expected)
        #expect(program.status == expected)
        #expect(!program.isRunning)
    }

    @Test("A spawned program has its own process group")
    func group() throws {
        let program = try Self.shell("[ $(ps -o pgid= $$) = $$ ]")
        #expect(program.wait(seconds: Self.patience) == 0)
    }

    @Test("A spawned program has no blocked signal, also from a thread that blocks one")
    func blockedSignals() throws {
        var (mask, before) = (sigset_t(), sigset_t())
        sigemptyset(&mask)
        sigaddset(&mask, SIGUSR1)
        pthread_sigmask(SIG_BLOCK, &mask, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        #expect(try Self.output("/bin/grep", ["^SigBlk", "/proc/self/status"]) == "SigBlk:\t0000000000000000\n")
    }

    @Test("A spawned program does not inherit ignored signals")
    func ignoredSignals() throws {
        let before = signal(SIGHUP, SIG_IGN)
        defer { signal(SIGHUP, before) }
        let program = try Self.shell("kill -HUP $$")
        #expect(program.wait(seconds: Self.patience) == 128 + SIGHUP)
    }

    @Test("A spawned program runs in the given folder, else in its parent's")
    func folder() throws {
        var settings = SpawnedProgram.Settings()
        settings.folder = "/usr/lib"
        #expect(try Self.output("/bin/pwd", [], settings) == "/usr/lib\n")
        var buffer = [CChar](repeating: 0, count: 4096)
        let here = getcwd(&buffer, buffer.count).map { String(cString: $0) }
        #expect(try Self.output("/bin/pwd") == "\(here ?? "-")\n")
    }

    @Test("A spawned program has exactly the given environment and arguments")
    func environment() throws {
        var settings = SpawnedProgram.Settings()
        settings.environment = ["A": "1 = 2"]
        #expect(try Self.output("/usr/bin/env", [], settings) == "A=1 = 2\n")
        #expect(try Self.output("/bin/echo", ["a b", "", "$c"]) == "a b  $c\n")
    }

    @Test("A spawned program has the given input, output and error, else /dev/null")
    func streams() throws {
        #expect(try Self.output("/bin/readlink", ["/proc/self/fd/0", "/proc/self/fd/2"]) == "/dev/null\n/dev/null\n")
        let input = Self.pipe()
        #expect(write(input[1], "in", 2) == 2)
        close(input[1])
        defer { close(input[0]) }
        var settings = SpawnedProgram.Settings()
        settings.input = input[0]
        #expect(try Self.output("/bin/cat", [], settings) == "in")
        let both = ["-c", "echo out; echo err >&2"]
        #expect(try Self.output("/bin/sh", both, with: \.error) == "err\n")
        #expect(try Self.output("/bin/sh", both) == "out\n")
    }

    @Test("A running program has no status, and its end is reported to all waiters")
    func end() throws {
        let input = Self.pipe()
        defer { close(input[0]) }
        var settings = SpawnedProgram.Settings()
        settings.input = input[0]
        let ended = DispatchSemaphore(value: 0)
        let program = try SpawnedProgram("/bin/cat", [], settings) { ended.signal() }
        #expect(program.isRunning && program.status == nil && program.wait(seconds: 0.01) == nil)
        #expect(ended.wait(timeout: .now()) == .timedOut)
        close(input[1])
        #expect(program.wait(seconds: Self.patience) == 0)
        #expect(program.wait(seconds: 0) == 0)
        #expect(ended.wait(timeout: .now() + Self.patience) == .success)
    }

    @Test("Spawning a file that is no program throws an error")
    func missing() {
        #expect(throws: SystemError.self) { try SpawnedProgram("/nowhere/at/all") }
        #expect(throws: SystemError.self) { try SpawnedProgram("/etc/passwd") }
    }
}
