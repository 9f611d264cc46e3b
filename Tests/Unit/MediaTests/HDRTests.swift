import Foundation
import TestSupport
import Testing

@testable import Media

@Suite(
    "High-dynamic-range videos",
    .inFull,
    .blocking,
    .needsFFmpeg,
    .timeLimit(.minutes(Patience.minutes(5)))
)
struct HDRTests {
    /// Red, green, blue and white from left to right, in the format of phones: 10 bit HEVC in BT.2020.
    private func film(_ transfer: HDRTransfer, primaries: String = "bt2020") throws -> MediaFile {
        let colours =
            "color=red:s=480x1080:r=25,format=rgb24,pad=1920:1080:0:0:white,drawbox=480:0:480:1080:lime:fill,"
            + "drawbox=960:0:480:1080:blue:fill,scale=out_color_matrix=bt709,format=yuv444p,"
            + "setparams=color_primaries=bt709:color_trc=bt709:colorspace=bt709:range=tv,zscale=t=linear:npl=203,"
            + "format=gbrpf32le,zscale=t=\(transfer.rawValue):p=2020:m=2020_ncl:r=tv:npl=203,format=yuv420p10le"
        let hevc = [
            "-c:v", "libx265", "-preset", "ultrafast", "-x265-params",
            "log-level=error:colorprim=\(primaries):transfer=\(transfer.rawValue):colormatrix=bt2020nc", "-tag:v",
            "hvc1",
        ]
        let tags = ["-color_primaries", primaries, "-color_trc", transfer.rawValue, "-colorspace", "bt2020nc"]
        let input = ["-f", "lavfi", "-i", colours, "-frames:v", "3"]
        return MediaFile(
            path: try MediaFixture.encode("\(transfer).mov", input + hevc + tags),
            contentType: "video/quicktime"
        )
    }

    /// The colour in the middle of each quarter.
    private func colours(_ pixels: [UInt8], width: Int) -> [[UInt8]] {
        let row = pixels.count / 3 / width / 2
        return (0..<4).map { Array(pixels[((row * width + width * (2 * $0 + 1) / 8) * 3)...].prefix(3)) }
    }

    /// True if each channel is clearly on or off. In a picture with unconverted values, no channel is.
    private func areVivid(_ colours: [[UInt8]]) -> Bool {
        let expected: [[Bool]] = [
            [true, false, false], [false, true, false], [false, false, true], [true, true, true],
        ]
        return zip(colours, expected).allSatisfy { zip($0, $1).allSatisfy { $1 ? $0 >= 190 : $0 <= 70 } }
    }

    @Test("Thumbnails of HDR videos have the filmed colours", arguments: TestRun.cases(1, of: HDRTransfer.allCases))
    func thumbnail(transfer: HDRTransfer) async throws {
        let box = try await MediaFixture.box(.asAllowed)
        for primaries in ["bt2020", "unknown"] {
            let file = try film(transfer, primaries: primaries)
            let hdr = try #require(try await box.probe(file).value?.hdr)
            #expect(hdr == transfer)
            let pixels = try MediaFixture.pixels(try #require(try await box.thumbnail(of: file, hdr: hdr).value))
            try #require(pixels.count == MediaFixture.rgbCount(640, 360))
            #expect(areVivid(colours(pixels, width: 640)), "\(colours(pixels, width: 640))")
            let asStored = try MediaFixture.pixels(try #require(try await box.thumbnail(of: file).value))
            #expect(!areVivid(colours(asStored, width: 640)))
        }
    }

    @Test(
        "Previews of HDR videos have the filmed colours and are marked as BT.709",
        arguments: TestRun.cases(1, of: HDRTransfer.allCases),
        TestRun.cases(1, of: BoxKind.allCases)
    )
    func preview(transfer: HDRTransfer, kind: BoxKind) async throws {
        let path = Sandbox.makeFolder() + "/preview.mp4"
        let outcome = try await MediaFixture.box(kind).preview(of: try film(transfer), to: path)
        #expect(outcome.value != nil)
        let entries = ["-show_entries", "stream=color_transfer,color_primaries,color_space,pix_fmt", "-of", "csv=p=0"]
        let tags = try Program.run(["ffprobe", "-v", "error"] + entries + [path])
        #expect(tags.output == "yuv420p,bt709,bt709,bt709\n")
        let raw = ["-frames:v", "1", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"]
        let pixels = try Program.run(["ffmpeg", "-v", "error", "-i", path] + raw).outputBytes
        try #require(pixels.count == MediaFixture.rgbCount(1280, 720))
        #expect(areVivid(colours(pixels, width: 1280)), "\(colours(pixels, width: 1280))")
    }

    @Test("A thumbnail is made without tone mapping if ffmpeg lacks it")
    func withoutMapping() async throws {
        let file = try film(.hlg)
        var filters: [String?] = []
        let box = try await MediaFixture.box(.asAllowed)
        let outcome: MediaOutcome<[UInt8]> = try await MediaBox.toneMapped(.hlg) { mapping in
            filters.append(mapping)
            return mapping == nil ? try await box.thumbnail(of: file) : .failed(.unreadable("No such filter: 'zscale'"))
        }
        #expect(outcome.value != nil && filters.count == 2)
    }
}
