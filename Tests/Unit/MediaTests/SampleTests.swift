import Foundation
import TestSupport
import Testing

@testable import Media

@Suite(
    "Camera files",
    .blocking,
    .needsFFmpeg,
    .timeLimit(.minutes(Patience.minutes(5)))
)
struct SampleTests {
    @Test("Each camera's file is measured, and its first frame becomes a small JPEG", .inFull, arguments: Sample.all)
    func sample(sample: Sample) async throws {
        let box = try await MediaFixture.box(.asAllowed)
        let path = try sample.make()
        let file = MediaFile(path: path, contentType: sample.contentType)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height) == (sample.width, sample.height))
        #expect((probe.videoCodec, probe.audioCodec) == (sample.videoCodec, sample.audioCodec))
        #expect(probe.container == (path.hasSuffix(".mov") ? "mov" : "mp4"))
        #expect(probe.sizeBytes == Int64(try MediaFixture.bytes(path).count))
        #expect(probe.frameRate == 25)
        let seconds = sample.arguments.last.flatMap(Double.init) ?? 0.04
        #expect(abs((probe.durationSeconds ?? 0) - seconds) < 0.05)
        try await expectThumbnail(box, file, width: sample.width, height: sample.height)
    }

    @Test(
        "Thumbnails of upright pictures are upright with their colours",
        arguments: [Sample.portrait, .photo],
        BoxKind.allCases
    )
    func upright(sample: Sample, kind: BoxKind) async throws {
        let box = try await MediaFixture.box(kind)
        let file = MediaFile(path: try sample.make(), contentType: sample.contentType)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height) == (360, 640))
        let pixels = try MediaFixture.pixels(try await expectThumbnail(box, file, width: 360, height: 640))
        try #require(pixels.count == MediaFixture.rgbCount(360, 640))
        #expect(isNear(middle(ofRow: 50, pixels), [255, 0, 0]))
        #expect(isNear(middle(ofRow: 590, pixels), [0, 0, 255]))
    }

    @Test("A photo has no duration and no frame rate")
    func photo() async throws {
        let file = MediaFile(path: try Sample.photo.make(), contentType: "image/jpeg; charset=none")
        let probe = try #require(try await MediaFixture.box(.asAllowed).probe(file).value)
        #expect(probe.container == "jpeg" && probe.videoCodec == "mjpeg")
        #expect(probe.durationSeconds == nil && probe.frameRate == nil && probe.audioCodec == nil)
    }

    @Test("A narrow strip gets a thumbnail, and a small picture is not enlarged")
    func shapes() async throws {
        let box = try await MediaFixture.box(.asAllowed)
        for (width, height, expected) in [(4096, 2, (640, 1)), (16, 10, (16, 10))] {
            let picture = [
                "-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height)", "-frames:v", "1", "-pix_fmt", "yuvj444p",
            ]
            let file = MediaFile(path: try MediaFixture.encode("strip.jpg", picture), contentType: "image/jpeg")
            let thumbnail = try #require(try await box.thumbnail(of: file).value)
            let pixels = try MediaFixture.pixels(thumbnail).count / 3
            #expect(pixels == expected.0 * expected.1, "\(width) x \(height)")
        }
    }

    @Test(
        "Photos of 200 megapixels and long panoramas are measured, and get a thumbnail",
        .inFull,
        arguments: [(16320, 12240), (65000, 2000)]
    )
    func large(width: Int, height: Int) async throws {
        let picture = [
            "-f", "lavfi", "-i", "color=gray:s=\(width)x\(height)", "-frames:v", "1", "-pix_fmt", "yuvj420p",
        ]
        let file = MediaFile(path: try MediaFixture.encode("large.jpg", picture), contentType: "image/jpeg")
        let box = try await MediaFixture.box(.asAllowed)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height) == (width, height))
        try await expectThumbnail(box, file, width: width, height: height)
    }

    /// Expects a thumbnail of this size, and returns it.
    @discardableResult
    private func expectThumbnail(_ box: MediaBox, _ file: MediaFile, width: Int, height: Int) async throws -> [UInt8] {
        let thumbnail = try #require(try await box.thumbnail(of: file).value)
        #expect(thumbnail.count <= MediaBox.thumbnailMaxBytes)
        let made = MediaFile(path: try MediaFixture.file("thumbnail.jpg", thumbnail), contentType: "image/jpeg")
        let probe = try #require(try await box.probe(made).value)
        let scale = Double(max(width, height)) / 640
        #expect(probe.width == Int((Double(width) / scale).rounded()))
        #expect(probe.height == Int((Double(height) / scale).rounded()))
        return thumbnail
    }

    private func middle(ofRow row: Int, _ pixels: [UInt8]) -> [UInt8] {
        let start = (row * 360 + 180) * 3
        return Array(pixels[start...].prefix(3))
    }

    private func isNear(_ pixel: [UInt8], _ expected: [UInt8]) -> Bool {
        zip(pixel, expected).allSatisfy { abs(Int($0) - Int($1)) <= 12 }
    }
}
