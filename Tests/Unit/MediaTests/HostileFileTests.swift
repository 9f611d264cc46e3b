import Foundation
import TestSupport
import Testing

@testable import Media

@Suite(
    "Hostile media files",
    .blocking,
    .needsFFmpeg,
    .timeLimit(.minutes(Patience.minutes(5)))
)
struct HostileFileTests {
    /// Expects that the box makes neither probe nor thumbnail.
    private func expectUnreadable(_ bytes: [UInt8], as type: String = "video/quicktime", _ kind: BoxKind) async throws {
        let box = try await MediaFixture.box(kind)
        let file = MediaFile(path: try MediaFixture.file("hostile.mov", bytes), contentType: type)
        for failure in [try await box.probe(file).failure, try await box.thumbnail(of: file).failure] {
            guard case .unreadable(let complaint) = failure else {
                Issue.record("\(String(describing: failure))")
                continue
            }
            #expect(!complaint.isEmpty && complaint.count <= 200 && !complaint.contains("@ 0x"))
        }
    }

    @Test("A file that is no movie is unreadable", .inFull, arguments: TestRun.cases(1, of: BoxKind.allCases))
    func noMovie(kind: BoxKind) async throws {
        try await expectUnreadable([], kind)
        try await expectUnreadable([UInt8](repeating: 0, count: 100_000), kind)
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1"]
        for name in ["picture.png", "picture.jpg"] {
            try await expectUnreadable(try MediaFixture.bytes(try MediaFixture.encode(name, picture)), kind)
        }
        let png = try MediaFixture.bytes(try MediaFixture.encode("picture.png", picture))
        try await expectUnreadable(png, as: "image/jpeg", kind)
        if MediaFixture.readsHEIF { try await expectUnreadable(png, as: "image/heic", kind) }
    }

    @Test("A truncated file is unreadable without its index, and readable with the index in front", .inFull)
    func truncated() async throws {
        let sample = Sample.small
        let whole = try MediaFixture.bytes(try sample.make())
        try await expectUnreadable(Array(whole.prefix(whole.count * 9 / 10)), .asAllowed)

        let inFront = try MediaFixture.encode("front.mp4", sample.arguments + ["-movflags", "+faststart"])
        let half = try MediaFixture.bytes(inFront)
        let file = MediaFile(
            path: try MediaFixture.file("half.mp4", half.dropLast(half.count / 2)),
            contentType: "video/mp4"
        )
        let box = try await MediaFixture.box(.asAllowed)
        #expect(try await box.probe(file).value?.width == 640)
        #expect(try await box.thumbnail(of: file).value != nil)
    }

    @Test(
        "A playlist that is called a video opens no file and no connection",
        arguments: TestRun.cases(1, of: BoxKind.allCases)
    )
    func playlist(kind: BoxKind) async throws {
        let canary = try Canary()
        let lists = [
            Self.playlist(canary.path, canary.address), Self.playlist(canary.address),
            "ffconcat version 1.0\nfile '\(canary.path)'\n",
        ]
        for list in lists {
            for type in ["video/quicktime", "image/jpeg"] + (MediaFixture.readsHEIF ? ["image/heic"] : []) {
                try await expectUnreadable(Array(list.utf8), as: type, kind)
            }
            #expect(!canary.wasTouched())
        }
        // ffprobe alone opens such a file. Otherwise this test would prove nothing.
        let path = try MediaFixture.file("list.mov", Array(Self.playlist(canary.path).utf8))
        let all = ["-protocol_whitelist", "file,http,tcp", "-allowed_extensions", "ALL", "-f", "hls", path]
        _ = try Program.run([try #require(MediaFixture.tools.ffprobe).path, "-v", "quiet"] + all)
        #expect(canary.wasTouched())
    }

    private static func playlist(_ places: String...) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:10\n" + places.map { "#EXTINF:10,\n\($0)\n" }.joined() + "#EXT-X-ENDLIST\n"
    }

    @Test(
        "A movie with its samples in another file does not open that file",
        arguments: TestRun.cases(1, of: BoxKind.allCases)
    )
    func reference(kind: BoxKind) async throws {
        let canary = try Canary()
        let movie = try MediaFixture.bytes(try Sample.small.make())
        // An alias replaces the flag for "the samples are in this file".
        let referring = movie.replacing("url ", skip: 4, with: [0, 0, 0, 0])
        try #require(referring != movie)
        let file = MediaFile(path: try MediaFixture.file("reference.mov", referring), contentType: "video/quicktime")
        let box = try await MediaFixture.box(kind)
        _ = try await box.probe(file)
        _ = try await box.thumbnail(of: file)
        #expect(!canary.wasTouched())
    }

    @Test("A picture of 65,000 by 65,000 pixels is unreadable", arguments: TestRun.cases(1, of: BoxKind.allCases))
    func absurdSize(kind: BoxKind) async throws {
        let side: [UInt8] = [0xFD, 0xE8]
        let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1", "-pix_fmt", "yuvj420p"]
        let jpeg = try MediaFixture.bytes(try MediaFixture.encode("picture.jpg", picture))
        // The size follows the marker, the length and the bits of a sample.
        try await expectUnreadable(jpeg.replacing([0xFF, 0xC0], skip: 5, with: side + side), as: "image/jpeg", kind)

        let prores = ["-f", "lavfi", "-i", "testsrc2=s=64x64", "-frames:v", "1", "-c:v", "prores_ks"]
        let movie = try MediaFixture.bytes(try MediaFixture.encode("prores.mov", prores))
        // The size is in the frame's own header and in the sample's description.
        let absurd = movie.replacing("icpf", skip: 12, with: side + side).replacing("apch", skip: 28, with: side + side)
        try await expectUnreadable(absurd, kind)
    }

    @Test("The decoded picture's size overrides the size in the file's header")
    func claimedSize() async throws {
        let movie = try MediaFixture.bytes(try Sample.small.make())
        let claimed = movie.replacing("avc1", skip: 28, with: [0xFD, 0xE8, 0xFD, 0xE8])
        let file = MediaFile(path: try MediaFixture.file("claimed.mov", claimed), contentType: "video/quicktime")
        #expect(try await MediaFixture.box(.asAllowed).probe(file).value?.width == 640)
    }

    @Test(
        "A small file that takes long to decode is stopped at the limit of processor time",
        .inFull,
        arguments: TestRun.cases(1, of: BoxKind.allCases)
    )
    func time(kind: BoxKind) async throws {
        var box = try await MediaFixture.box(kind)
        box.limits.cpuSeconds = 1
        let path = try MediaFixture.file("hostile.mov", HostileMovie.bytes())
        let file = MediaFile(path: path, contentType: "video/quicktime")
        #expect(try await box.probe(file) == .failed(.killed))
        #expect(try await box.thumbnail(of: file) == .failed(.killed))
    }

    @Test("All runs of a probe have ten seconds of processor time together", .needsFFmpeg)
    func probeTime() async throws {
        var box = try await MediaFixture.box(.asAllowed)
        #expect([0, 4, 30].map { box.probeLimits(afterSeconds: $0).cpuSeconds } == [10, 6, 1])
        box.limits.cpuSeconds = 3
        #expect(box.probeLimits().cpuSeconds == 3)
    }

    @Test("Files of other types than media are not read")
    func notRead() async throws {
        let path = try MediaFixture.file("text", [])
        let box = try await MediaFixture.box(.asAllowed)
        for type in ["image/png", "image/x-adobe-dng", "application/x-mpegurl", "video/mp2t", ""] {
            #expect(try await box.probe(MediaFile(path: path, contentType: type)) == .failed(.typeNotRead))
            #expect(try await box.thumbnail(of: MediaFile(path: path, contentType: type)) == .failed(.typeNotRead))
        }
        let movie = MediaFile(path: path, contentType: "video/mp4")
        let noProbe = try await MediaFixture.box(without: \.ffprobe)
        #expect(try await noProbe.probe(movie) == .failed(.missing(program: "ffprobe")))
        let noEncoder = try await MediaFixture.box(without: \.ffmpeg)
        #expect(try await noEncoder.thumbnail(of: movie) == .failed(.missing(program: "ffmpeg")))
        #expect(try await noEncoder.preview(of: movie, to: path).failure == .missing(program: "ffmpeg"))
    }
}
