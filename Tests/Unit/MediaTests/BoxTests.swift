import Foundation
import Net
import TestSupport
import Testing

@testable import Media

/// The programs in these tests do what a hostile file could make ffmpeg do.
@Suite(
    "The box of media programs",
    .blocking,
    .needsFFmpeg,
    .timeLimit(.minutes(Patience.minutes(5)))
)
struct BoxTests {
    private let input: String

    init() throws { input = try MediaFixture.file("input", Array("the input".utf8)) }

    private func run(
        _ kind: BoxKind,
        _ program: String,
        _ arguments: [String],
        output: String? = nil,
        _ change: (inout BoxLimits) -> Void = { _ in }
    ) async throws -> MediaOutcome<[UInt8]> {
        var limits = BoxLimits()
        change(&limits)
        return try await MediaFixture.box(kind)
            .run(program, input: input, output: output, limits: limits) { _, _ in arguments }
    }

    private func shell(_ kind: BoxKind, _ script: String) async throws -> MediaOutcome<[UInt8]> {
        try await run(kind, "/bin/sh", ["-c", script])
    }

    @Test("A program in the box returns its output, and has an empty environment", arguments: BoxKind.allCases)
    func output(kind: BoxKind) async throws {
        #expect(try await shell(kind, "echo out; echo err >&2") == .made(Array("out\n".utf8)))
        let environment = try await run(kind, "/usr/bin/env", []).value
        // bubblewrap sets the program's working directory in the environment.
        #expect(environment.map { ["", "PWD=/\n"].contains(String(decoding: $0, as: UTF8.self)) } == true)
    }

    @Test("A spinning media program is killed at its limit of processor time", arguments: BoxKind.allCases)
    func processorTime(kind: BoxKind) async throws {
        #expect(
            try await run(kind, "/bin/sh", ["-c", "while :; do :; done"]) { $0.cpuSeconds = 1 } == .failed(.killed)
        )
    }

    @Test("A waiting media program is killed at its time limit, with its children", arguments: BoxKind.allCases)
    func time(kind: BoxKind) async throws {
        let marker = Marker()
        let sleep = "/bin/sleep \(marker.seconds)"
        // Inside the walls, a program can't start a second one.
        let script = kind == .limitsAlone ? "\(sleep) | \(sleep)" : "while :; do :; done"
        let outcome = try await run(kind, "/bin/sh", ["-c", script]) { $0.timeSeconds = 0.5 }
        #expect(outcome == .failed(.timeLimit))
        try await eventually { marker.count == 0 }
    }

    @Test("A media program gets no more memory than its limit", arguments: BoxKind.allCases)
    func memory(kind: BoxKind) async throws {
        let arguments = ["if=" + (try await name(kind)), "bs=200M", "count=1"]
        #expect(try await run(kind, "/bin/dd", arguments).value == Array("the input".utf8))
        let failure = try await run(kind, "/bin/dd", arguments) { $0.addressSpaceBytes = 100 << 20 }.failure
        guard case .unreadable(let complaint) = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(complaint.contains("memory exhausted"))
    }

    @Test("A media program that writes endless output is killed", arguments: BoxKind.allCases)
    func outputLimit(kind: BoxKind) async throws {
        #expect(try await run(kind, "/usr/bin/yes", []) == .failed(.sizeLimit))
        #expect(try await shell(kind, "echo 1234567; exit 0") == .made(Array("1234567\n".utf8)))
        #expect(try await run(kind, "/bin/echo", ["1234567"]) { $0.outputBytes = 7 } == .failed(.sizeLimit))
    }

    @Test("A media program that writes an endless file is killed", arguments: BoxKind.allCases)
    func fileLimit(kind: BoxKind) async throws {
        let file = try MediaFixture.file("output", [])
        let name = MediaFixture.tools.bubblewrap != nil && kind == .asAllowed ? "/output" : file
        let script = "while :; do echo 1234567; done > \(name)"
        let outcome = try await run(kind, "/bin/sh", ["-c", script], output: file) { $0.fileBytes = 80_000 }
        #expect(outcome == .failed(.sizeLimit))
        #expect(try MediaFixture.bytes(file).count == 80_000)
    }

    @Test("Endless error messages of a media program are read, and only the first is kept", arguments: BoxKind.allCases)
    func complaints(kind: BoxKind) async throws {
        let script = "i=0; while [ $i -lt 20000 ]; do echo complaint $i >&2; i=$((i+1)); done; exit 1"
        #expect(try await shell(kind, script) == .failed(.unreadable("complaint 0")))
    }

    @Test("A crash of a media program is an outcome, not an error", arguments: BoxKind.allCases)
    func crash(kind: BoxKind) async throws {
        #expect(try await shell(kind, "kill -SEGV $$") == .failed(.crashed(signal: SIGSEGV)))
        #expect(try await shell(kind, "kill -XCPU $$") == .failed(.killed))
        #expect(try await shell(kind, "exit 1") == .failed(.unreadable("no word")))
        // The status of AVERROR_INVALIDDATA in newer versions.
        #expect(try await shell(kind, "exit 183") == .failed(.unreadable("no word")))
    }

    @Test("A failure of the box that the file did not cause is an error", arguments: BoxKind.allCases)
    func faults(kind: BoxKind) async throws {
        let box = try await MediaFixture.box(kind)
        await #expect(throws: SystemError(call: "access", code: ENOENT)) {
            try await box.run("/bin/echo", input: "/nowhere", limits: BoxLimits()) { _, _ in [] }
        }
        await #expect(throws: MediaBoxError.self) {
            try await box.run("/nowhere", input: input, limits: BoxLimits()) { _, _ in [] }
        }
        for complaint in ["No space left on device", "Disk quota exceeded", "libpng error: Write Error"] {
            let failed = "echo '\(complaint)' >&2; exit 1"
            await #expect(throws: MediaBoxError(description: complaint)) { try await shell(kind, failed) }
        }
        // The kernel does so if the machine's memory runs out, long before a limit of processor time.
        await #expect(throws: MediaBoxError.self) { try await shell(kind, "kill -KILL $$") }
    }

    @Test("A cancelled task ends its media program and throws", arguments: BoxKind.allCases)
    func cancelled(kind: BoxKind) async throws {
        let marker = Marker()
        let task = Task { try await run(kind, "/bin/sleep", [marker.seconds]) }
        try await eventually { marker.count > 0 }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        try await eventually { marker.count == 0 }
    }

    @Test("A box ends with the process that started it", arguments: BoxKind.allCases)
    func orphaned(kind: BoxKind) async throws {
        let marker = Marker()
        let box = try await MediaFixture.box(kind)
        let command = box.command("/bin/sleep", input: input, output: nil, BoxLimits()) { _, _ in [marker.seconds] }
        let parent = try SpawnedProgram("/bin/sh", ["-c", "\"$@\" & wait", "parent"] + command)
        // After bubblewrap has started the program, it ties its life to its parent's and then waits.
        try await eventually { marker.hasWaitingParent }
        kill(parent.number, SIGKILL)
        #expect(parent.wait(seconds: 30) == 128 + SIGKILL)
        try await eventually { marker.count == 0 }
    }

    private func name(_ kind: BoxKind) async throws -> String {
        let name = try await MediaFixture.box(kind).walls.names(input: input, output: nil).input
        return String(name.dropFirst("file:".count))
    }
}

/// A number of seconds that identifies this test's sleeping programs on the machine.
struct Marker: Sendable {
    let seconds = "\(Int.random(in: 100_000...9_000_000)).\(getpid())"

    /// The number of programs that sleep for this time, inside or outside a box.
    var count: Int { programs.count }

    /// True if a program sleeps for this time, and its parent process waits.
    var hasWaitingParent: Bool {
        guard let program = programs.first, let parent = Self.status(program)?.parent else { return false }
        return Self.status(parent)?.isSleeping == true
    }

    private var programs: [Int] {
        let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return processes.compactMap(Int.init).filter { id in
            let words = FileManager.default.contents(atPath: "/proc/\(id)/cmdline")?.split(separator: 0) ?? []
            return words.first.map { $0.elementsEqual("/bin/sleep".utf8) } == true
                && words.last?.elementsEqual(seconds.utf8) == true
        }
    }

    /// proc_pid_stat(5): the state and the parent follow the name in parentheses.
    private static func status(_ id: Int) -> (isSleeping: Bool, parent: Int)? {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8) else { return nil }
        let words = text.split(separator: ")").last?.split(separator: " ") ?? []
        return words.count > 1 ? Int(words[1]).map { (words[0] == "S", $0) } : nil
    }
}
