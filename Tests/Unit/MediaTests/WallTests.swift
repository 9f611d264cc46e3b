import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("The walls of the media box", .blocking, .needsFFmpeg, .needsWalls, .timeLimit(.minutes(Patience.minutes(5))))
struct WallTests {
    private let input: String

    init() throws { input = try MediaFixture.file("input", Array("the input".utf8)) }

    /// Runs a script in bash, because bash can do more without other programs.
    private func bash(_ script: String, output: String? = nil) async throws -> String {
        let outcome = try await MediaFixture.box(.asAllowed)
            .run("/bin/bash", input: input, output: output, limits: BoxLimits()) { _, _ in ["-c", script] }
        return switch outcome {
        case .made(let bytes): String(decoding: bytes, as: UTF8.self)
        case .failed(let failure): "\(failure)"
        }
    }

    @Test("A program in the box sees only libraries, itself and its input")
    func files() async throws {
        #expect(try await bash("echo $(</input)") == "the input\n")
        let passwords = try await bash("echo $(</etc/passwd)")
        #expect(!passwords.contains("root:"))
        #expect(try await bash("cd /; echo * .??*").split(separator: "\n").first == "bin etc input lib lib64 usr .??*")
        #expect(try await bash("cd /etc; echo *") == "alternatives ld.so.cache\n")
        #expect(try await bash("cd /usr; echo * bin/*").contains("etc") == false)
        #expect(try await bash("for f in /proc /sys /dev /home /root /tmp /var; do [ ! -e $f ] || echo $f; done") == "")
    }

    @Test("A program in the box can write to its output only")
    func writing() async throws {
        for place in ["/input", "/new", "/usr/lib/new", "/etc/new", "/bin/bash"] {
            #expect(try await bash("echo -n > \(place) && echo opened").contains("opened") == false)
        }
        #expect(try MediaFixture.bytes(input) == Array("the input".utf8))
        let output = try MediaFixture.file("output", [])
        // The test only opens the file, because written bytes would exceed the limit.
        #expect(try await bash(": > /output && echo opened", output: output) == "opened\n")
    }

    @Test("A program in the box has no network, not even this machine's own")
    func network() async throws {
        let listener = try ListeningSocket()
        _ = fcntl(listener.descriptor, F_SETFL, O_NONBLOCK)
        let script = "echo hello > /dev/tcp/127.0.0.1/\(listener.port) && echo connected"
        #expect(try await bash(script).contains("connect: "))
        #expect(!listener.takesConnection())
        // The same script works outside the box.
        #expect(try Program.run(["bash", "-c", script]).output == "connected\n")
        #expect(listener.takesConnection())
    }

    @Test("A program in the box sees no other process, and its signals reach none")
    func processes() async throws {
        #expect(try await bash("kill -0 \(getpid()) && echo reached").contains("reached") == false)
        #expect(try await bash("kill -0 1 $$ && echo reached") == "reached\n")
    }
}
