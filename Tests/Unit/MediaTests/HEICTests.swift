import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("HEIC photos", .blocking, .needsFFmpeg, .needsHEIF, .timeLimit(.minutes(Patience.minutes(5))))
struct HEICTests {
    /// A photo that heif-enc makes of these pictures.
    private func photo(_ arguments: [String], of pictures: [String], _ ending: String = "heic") throws -> MediaFile {
        let path = Sandbox.makeFolder() + "/photo.\(ending)"
        let program = try Program.run(["heif-enc"] + arguments + pictures + ["-o", path])
        try #require(program.status == 0, "\(program.complaint)")
        return MediaFile(path: path, contentType: "image/heif")
    }

    private func picture(_ name: String, _ size: String, _ format: String) throws -> String {
        let input = ["-f", "lavfi", "-i", "testsrc2=s=\(size):alpha=128,format=\(format)", "-frames:v", "1"]
        return try MediaFixture.encode(name, input)
    }

    /// The red, green and blue bytes of the thumbnail.
    private func pixels(_ file: MediaFile, _ kind: BoxKind = .asAllowed) async throws -> [UInt8] {
        try MediaFixture.pixels(try #require(try await MediaFixture.box(kind).thumbnail(of: file).value))
    }

    @Test("A HEIC photo gets its size and a thumbnail", arguments: TestRun.cases(1, of: BoxKind.allCases))
    func usual(kind: BoxKind) async throws {
        let file = try photo(["-t", "100"], of: [try picture("photo.png", "1600x1200", "rgb24")])
        let probe = try #require(try await MediaFixture.box(kind).probe(file).value)
        #expect((probe.container, probe.videoCodec) == ("heif", "hevc"))
        #expect((probe.width, probe.height) == (1600, 1200))
        #expect(probe.sizeBytes == Int64(try MediaFixture.bytes(file.path).count))
        // The small picture in the file is not used.
        #expect(try await pixels(file, kind).count == MediaFixture.rgbCount(640, 480))
    }

    @Test(
        "Photos of 10 bits, with transparency, and in AVIF are read",
        arguments: [
            ("rgb48be", ["-b", "10"], "heic", "hevc"), ("rgba", [], "heic", "hevc"), ("rgb24", [], "avif", "av1"),
        ]
    )
    func kinds(format: String, arguments: [String], ending: String, codec: String) async throws {
        let file = try photo(arguments, of: [try picture("\(format).png", "320x240", format)], ending)
        let probe = try #require(try await MediaFixture.box(.asAllowed).probe(file).value)
        #expect((probe.width, probe.height, probe.videoCodec) == (320, 240, codec))
        #expect(try await pixels(file).count == MediaFixture.rgbCount(320, 240))
    }

    @Test("A photo in tiles, turned and cut, is measured and shown upright")
    func tiles() async throws {
        let box = try await MediaFixture.box(.asAllowed)
        var photo = HEICFile(columns: 3, rows: 2)
        #expect(try await size(photo) == [960, 360])
        #expect(try await box.thumbnail(of: photo.make()).value != nil)
        photo.properties = [HEICFile.turn(3)]
        #expect(try await size(photo) == [360, 960])
        photo = HEICFile(properties: [HEICFile.cut(width: 200, height: 100)])
        #expect(try await size(photo) == [200, 100])
        photo.properties = [HEICFile.turn(3)]
        #expect(try await size(photo) == [180, 320])
        // A quarter with the clock: the left half, which is red, is on top.
        let pixels = try await pixels(try photo.make())
        try #require(pixels.count == MediaFixture.rgbCount(180, 320))
        let middles = [20, 300].map { row in pixels[MediaFixture.rgbCount(180, row) + MediaFixture.rgbCount(90, 1)] }
        #expect(middles[0] > 200 && middles[1] < 60)
    }

    private func size(_ photo: HEICFile) async throws -> [Int?] {
        let probe = try await MediaFixture.box(.asAllowed).probe(try photo.make()).value
        return [probe?.width, probe?.height]
    }

    @Test("The primary picture of several is measured and shown")
    func primary() async throws {
        let pictures = [try picture("photo.png", "1600x1200", "rgb24"), try picture("second.png", "320x200", "rgb24")]
        let bytes = try MediaFixture.bytes(try photo([], of: pictures).path)
        // After the version and the flags.
        let second = bytes.replacing("pitm", skip: 8, with: [0, 2])
        try #require(second != bytes)
        let file = MediaFile(path: try MediaFixture.file("second.heic", second), contentType: "image/heic")
        #expect(try await MediaFixture.box(.asAllowed).probe(file).value?.width == 320)
        #expect(try await pixels(file).count == MediaFixture.rgbCount(320, 200))
    }

    @Test("A photo with an impossible size, or cut off, is unreadable")
    func unreadable() async throws {
        let box = try await MediaFixture.box(.asAllowed)
        let whole = try MediaFixture.bytes(try HEICFile().make().path)
        let absurd = whole.replacing(
            "ispe",
            skip: 8,
            with: UInt32(70_000).bigEndianBytes + UInt32(70_000).bigEndianBytes
        )
        for bytes in [absurd, Array(whole.prefix(whole.count / 2))] {
            let file = MediaFile(path: try MediaFixture.file("photo.heic", bytes), contentType: "image/heic")
            guard case .unreadable = try await box.probe(file).failure else {
                Issue.record("measured")
                continue
            }
        }
    }

    @Test("Without libheif's programs a HEIC photo is not read")
    func missing() async throws {
        let file = try HEICFile().make()
        let noProbe = try await MediaFixture.box(without: \.heifInfo)
        #expect(try await noProbe.probe(file) == .failed(.missing(program: "heif-info")))
        let noPicture = try await MediaFixture.box(without: \.heifThumbnailer)
        #expect(try await noPicture.thumbnail(of: file) == .failed(.missing(program: "heif-thumbnailer")))
    }
}
