import Foundation
import TestSupport
import Testing

@testable import Media

@Suite("Tracks of movies", .blocking, .needsFFmpeg, .timeLimit(.minutes(Patience.minutes(5))))
struct TrackTests {
    private static let sound = ["-f", "lavfi", "-i", "sine=sample_rate=8000:duration=1"]
    private static let h264 = ["-c:v:0", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]

    /// A video of 320 by 180 pixels with further inputs.
    private func movie(_ name: String, _ inputs: [String], _ arguments: [String]) throws -> MediaFile {
        let video = ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=1"]
        let path = try MediaFixture.encode(name, video + inputs + arguments)
        return MediaFile(path: path, contentType: name.hasSuffix("mp4") ? "video/mp4" : "video/quicktime")
    }

    /// Expects probe, thumbnail and preview of the picture, and returns the probes of movie and preview.
    private func expectPicture(_ file: MediaFile, _ codec: String = "h264") async throws -> (
        movie: Probe, preview: Probe
    ) {
        let box = try await MediaFixture.box(.asAllowed)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height, probe.videoCodec) == (320, 180, codec))
        let thumbnail = try #require(try await box.thumbnail(of: file, track: probe.videoTrack).value)
        #expect(try MediaFixture.pixels(thumbnail).count == MediaFixture.rgbCount(320, 180))
        let preview = Sandbox.makeFolder() + "/preview.mp4"
        #expect(try await box.preview(of: file, to: preview).value != nil)
        let made = try await box.probe(MediaFile(path: preview, contentType: "video/mp4")).value
        return (probe, try #require(made))
    }

    @Test(
        "Sound of any codec leaves probe, thumbnail and preview of the picture, with sound if it is decoded",
        arguments: TestRun.cases(
            2,
            of: [
                ("pcm_alaw", true), ("adpcm_ima_qt", false), ("pcm_mulaw", true), ("pcm_u8", true), ("pcm_s8", true),
                ("mp2", true), ("pcm_f64le", false),
            ]
        )
    )
    func sound(codec: String, isDecoded: Bool) async throws {
        let arguments = Self.h264 + ["-c:a", codec] + (codec == "mp2" ? ["-ar", "16000"] : [])
        let probes = try await expectPicture(try movie("\(codec).mov", Self.sound, arguments))
        #expect(probes.movie.audioCodec == codec)
        #expect(probes.preview.audioCodec == (isDecoded ? "aac" : nil))
    }

    @Test("Subtitles, a cover and a time code leave probe, thumbnail and preview of the picture", .inFull)
    func others() async throws {
        let subtitles = try MediaFixture.file("s.srt", Array("1\n00:00:00,000 --> 00:00:01,000\nISO 100\n".utf8))
        let cover = try MediaFixture.encode("cover.png", ["-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1"])
        let tracks = ["-map", "1:v", "-map", "0:v", "-map", "2:s", "-c:v:0", "png", "-disposition:v:0", "attached_pic"]
        let codecs = ["-c:v:1", "libx264", "-pix_fmt:v:1", "yuv420p", "-c:s", "mov_text"]
        let covered = try movie("covered.mp4", ["-i", cover, "-i", subtitles], tracks + codecs)
        _ = try await expectPicture(covered)
        let timed = try movie("timed.mov", [], Self.h264 + ["-timecode", "01:00:00:00"])
        #expect(try await expectPicture(timed).movie.durationSeconds == 1)
    }

    @Test("A first video track that is not decoded leaves the second", .inFull)
    func second() async throws {
        let other = ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=25:d=1"]
        let tracks = ["-map", "1:v", "-map", "0:v", "-c:v:0", "qtrle", "-c:v:1", "libx264", "-pix_fmt:v:1", "yuv420p"]
        _ = try await expectPicture(try movie("two.mov", other, tracks))
    }

    @Test(
        "Videos of broadcast and editing are measured and shown",
        .inFull,
        arguments: [
            ("mpeg2video", ["-c:v", "mpeg2video", "-s", "320x180"]),
            ("cfhd", ["-c:v", "cfhd", "-s", "320x180", "-pix_fmt", "yuv422p10le"]),
            ("dnxhd", ["-c:v", "dnxhd", "-profile:v", "dnxhr_sq", "-s", "320x180", "-pix_fmt", "yuv422p"]),
        ]
    )
    func broadcast(codec: String, arguments: [String]) async throws {
        _ = try await expectPicture(try movie("\(codec).mov", [], arguments), codec)
    }

    @Test("A video of DV is measured and shown with square pixels")
    func dv() async throws {
        let file = try movie(
            "dv.mov",
            [],
            ["-c:v", "dvvideo", "-vf", "scale=720:576,setsar=16/15", "-pix_fmt", "yuv420p"]
        )
        let box = try await MediaFixture.box(.asAllowed)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height, probe.videoCodec) == (768, 576, "dvvideo"))
        let pixels = try MediaFixture.pixels(try #require(try await box.thumbnail(of: file).value))
        #expect(pixels.count == MediaFixture.rgbCount(640, 480))
    }

    @Test("Only the name of a refused decoder is learned: its track is not decoded")
    func refused() async throws {
        let file = try movie("rle.mov", [], ["-c:v", "qtrle"])
        let box = try await MediaFixture.box(.asAllowed)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.width, probe.height, probe.videoCodec) == (320, 180, "qtrle"))
        guard case .unreadable(let complaint) = try await box.thumbnail(of: file).failure else {
            Issue.record("shown")
            return
        }
        #expect(complaint.contains("not on whitelist"))
    }

    @Test("A video with pixels that are not square is shown as players show it", .inFull, arguments: [false, true])
    func pixelShape(isTurned: Bool) async throws {
        let filter = ["-vf", "scale=360:270,setsar=4/3"]
        var file = try movie("wide.mp4", [], filter + Self.h264)
        let size = isTurned ? [270, 480] : [480, 270]
        if isTurned {
            let matrix: [UInt32] = [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 0, 0, 0x4000_0000]
            let bytes = try MediaFixture.bytes(file.path)
                .replacing("tkhd", skip: 44, with: matrix.flatMap(\.bigEndianBytes))
            file = MediaFile(path: try MediaFixture.file("turned.mp4", bytes), contentType: "video/mp4")
        }
        let box = try await MediaFixture.box(.asAllowed)
        #expect(try await self.size(file) == size)
        let thumbnail = try #require(try await box.thumbnail(of: file).value)
        #expect(
            try await self.size(MediaFile(path: try MediaFixture.file("t.jpg", thumbnail), contentType: "image/jpeg"))
                == size
        )
        let preview = Sandbox.makeFolder() + "/preview.mp4"
        #expect(try await box.preview(of: file, to: preview).value != nil)
        #expect(try await self.size(MediaFile(path: preview, contentType: "video/mp4")) == size)
    }

    private func size(_ file: MediaFile) async throws -> [Int?] {
        let probe = try await MediaFixture.box(.asAllowed).probe(file).value
        return [probe?.width, probe?.height]
    }

    @Test("A movie with an unknown duration has that of its tracks")
    func unknownDuration() async throws {
        let movie = try MediaFixture.bytes(try movie("plain.mp4", [], Self.h264).path)
        // After the version, the times and the time scale.
        let unknown = movie.replacing("mvhd", skip: 20, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try #require(unknown != movie)
        let file = MediaFile(path: try MediaFixture.file("unknown.mp4", unknown), contentType: "video/mp4")
        #expect(try await MediaFixture.box(.asAllowed).probe(file).value?.durationSeconds == 1)
    }
}
