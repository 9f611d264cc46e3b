import Net
import TestSupport
import Testing

@testable import Media

@Suite("Discovery of media programs", .blocking, .timeLimit(.minutes(Patience.minutes(5))))
struct MediaToolsTests {
    @Test("Installed media programs are found with their versions", .needsFFmpeg)
    func found() throws {
        let tools = MediaTools.find()
        for tool in [tools.ffprobe, tools.ffmpeg] {
            #expect(try #require(tool).version.first?.isNumber == true || tool?.version.first == "n")
        }
        #expect(tools.canLimit)
    }

    @Test("libheif's programs are found with the version of the library", .needsHEIF)
    func libheif() throws {
        for tool in [MediaFixture.tools.heifInfo, MediaFixture.tools.heifThumbnailer] {
            let version = try #require(tool).version
            #expect(version.allSatisfy { $0.isNumber || $0 == "." }, "\(version)")
        }
    }

    @Test("Missing media programs are no error, and there is no box without them")
    func nothing() async throws {
        let tools = MediaTools.find(in: [Sandbox.makeFolder(), "/nowhere"])
        let none = MediaTools(
            ffprobe: nil,
            ffmpeg: nil,
            heifInfo: nil,
            heifThumbnailer: nil,
            bubblewrap: nil,
            limits: nil
        )
        #expect(tools == none)
        #expect(try await MediaBox(tools: tools, pool: try MediaFixture.pool.get()) == nil)
    }

    @Test("A media program that does not work counts as missing")
    func broken() throws {
        let folder = Sandbox.makeFolder()
        try script("\(folder)/ffprobe", "exit 1")
        try script("\(folder)/ffmpeg", "echo ffmpeg version n7.1 Copyright")
        try script("\(folder)/bwrap", "kill $$")
        let tools = MediaTools.find(in: [folder])
        #expect(tools.ffprobe == nil && tools.bubblewrap == nil && !tools.canLimit)
        #expect(tools.ffmpeg?.version == "n7.1")
    }

    @Test("A box without bubblewrap is not made, unless missing walls are allowed", .needsFFmpeg)
    func withoutWalls() async throws {
        let missing = MissingWalls(description: "bubblewrap is not installed, or does not start")
        await #expect(throws: missing) {
            try await MediaBox(tools: MediaFixture.tools.without(\.bubblewrap), pool: try MediaFixture.pool.get())
        }
        let box = try await MediaFixture.box(.limitsAlone)
        #expect(box.walls == .none && box.problem == missing.description)
    }

    @Test("A box with a failing bubblewrap is not made", .needsFFmpeg)
    func failingWalls() async throws {
        await #expect(throws: MissingWalls(description: "bubblewrap failed: no word")) {
            try await box(bubblewrap: "/bin/false")
        }
    }

    @Test("A bubblewrap that can't forbid nested namespaces still builds the other walls", .needsFFmpeg, .needsWalls)
    func nesting() async throws {
        let path = Sandbox.makeFolder() + "/bwrap"
        try script(path, "case \"$*\" in *--disable-userns*) exit 1 ;; esac; exec /usr/bin/bwrap \"$@\"")
        let box = try #require(try await box(bubblewrap: path))
        #expect(box.walls == .namespaces(bubblewrap: path, canNest: true) && box.problem == nil)
        let file = MediaFile(path: try Sample.portrait.make(), contentType: "video/quicktime")
        #expect(try await box.probe(file).value?.height == 640)
    }

    private func box(bubblewrap: String) async throws -> MediaBox? {
        let found = MediaFixture.tools
        let tools = MediaTools(
            ffprobe: found.ffprobe,
            ffmpeg: found.ffmpeg,
            heifInfo: found.heifInfo,
            heifThumbnailer: found.heifThumbnailer,
            bubblewrap: MediaTools.Tool(path: bubblewrap, version: "0"),
            limits: found.limits
        )
        return try await MediaBox(tools: tools, pool: try MediaFixture.pool.get())
    }

    private func script(_ path: String, _ text: String) throws {
        let write = "printf '#!/bin/sh\\n%s\\n' \"$2\" > \"$1\"; chmod 755 \"$1\""
        try #require(try Program.run(["sh", "-c", write, "sh", path, text]).status == 0)
    }
}
