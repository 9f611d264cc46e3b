import Net
import TestSupport
import Testing

@testable import Media

@Suite("The programs of media", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct MediaToolsTests {
    @Test("What is installed has a version", .needsFFmpeg)
    func found() throws {
        let tools = MediaTools.find()
        for tool in [tools.ffprobe, tools.ffmpeg] {
            #expect(try #require(tool).version.first?.isNumber == true || tool?.version.first == "n")
        }
        #expect(tools.canLimit)
    }

    @Test("What is not installed is no error, and there is no box")
    func nothing() async throws {
        let tools = MediaTools.find(in: [Sandbox.makeFolder(), "/nowhere"])
        #expect(tools == MediaTools(ffprobe: nil, ffmpeg: nil, bubblewrap: nil, limits: nil))
        #expect(try await MediaBox(tools: tools, pool: try MediaFixture.pool.get()) == nil)
    }

    @Test("A program that does not work is as good as none")
    func broken() throws {
        let folder = Sandbox.makeFolder()
        for (name, script) in [
            ("ffprobe", "exit 1"), ("ffmpeg", "echo ffmpeg version n7.1 Copyright"), ("bwrap", "kill $$"),
        ] {
            let ends = try Program.run([
                "sh", "-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > $2; chmod +x $2", "", script, "\(folder)/\(name)",
            ])
            #expect(ends.status == 0)
        }
        let tools = MediaTools.find(in: [folder])
        #expect(tools.ffprobe == nil && tools.bubblewrap == nil && !tools.canLimit)
        #expect(tools.ffmpeg?.version == "n7.1")
    }

    @Test("Without bubblewrap there is a box, and it says why it has no walls", .needsFFmpeg)
    func withoutWalls() async throws {
        let box = try await MediaFixture.box(.limitsAlone)
        #expect(box.walls == .none && box.problem == "bubblewrap is not installed")
    }

    @Test("A bubblewrap that fails is one more reason", .needsFFmpeg)
    func failingWalls() async throws {
        let tools = MediaFixture.tools
        let failing = MediaTools(
            ffprobe: tools.ffprobe,
            ffmpeg: tools.ffmpeg,
            bubblewrap: MediaTools.Tool(path: "/bin/false", version: "0"),
            limits: tools.limits
        )
        let box = try #require(try await MediaBox(tools: failing, pool: try MediaFixture.pool.get()))
        #expect(box.walls == .none && box.problem == "bubblewrap failed: no word")
    }
}
