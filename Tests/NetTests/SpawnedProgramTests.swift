import Glibc
import Net
import TestSupport
import Testing

struct SpawnedProgramTests {
    private static func shell(_ script: String) throws -> SpawnedProgram {
        try SpawnedProgram("/bin/sh", ["-c", script])
    }

    @Test("A program has three descriptors, however many are open here")
    func descriptors() throws {
        // Without FD_CLOEXEC, and more than one look into the folder returns.
        let open = (0..<1500).map { _ in dup(2) }
        defer { for descriptor in open { close(descriptor) } }
        var ends: [Int32] = [-1, -1]
        #expect(pipe(&ends) == 0)
        var settings = SpawnedProgram.Settings()
        settings.output = ends[1]
        let program = try SpawnedProgram("/bin/ls", ["/proc/self/fd"], settings)
        #expect(program.wait(seconds: Double(Patience.ms(30000)) / 1000) == 0)
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        close(ends[0])
        // The fourth is the folder itself.
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "0\n1\n2\n3\n")
    }

    @Test("Its end is told as shells do", arguments: [("exit 0", 0), ("exit 3", 3), ("kill -9 $$", 137)])
    func status(script: String, expected: Int32) throws {
        let program = try Self.shell(script)
        #expect(program.wait(seconds: Double(Patience.ms(30000)) / 1000) == expected)
        #expect(program.status == expected)
        #expect(!program.isRunning)
    }

    @Test("No signal is blocked, and its process group is its own")
    func signals() throws {
        let script = "set -- $(grep ^SigBlk /proc/self/status); [ $2 = 0000000000000000 ] && [ $(ps -o pgid= $$) = $$ ]"
        let program = try Self.shell(script)
        #expect(program.wait(seconds: Double(Patience.ms(30000)) / 1000) == 0)
    }

    @Test("What is no program is an error")
    func missing() {
        #expect(throws: SystemError.self) { try SpawnedProgram("/nowhere/at/all") }
        #expect(throws: SystemError.self) { try SpawnedProgram("/etc/passwd") }
    }
}
