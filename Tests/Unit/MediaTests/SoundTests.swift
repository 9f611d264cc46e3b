import TestSupport
import Testing

@testable import Media

@Suite("Files of sound", .blocking, .needsFFmpeg, .timeLimit(.minutes(Patience.minutes(5))))
struct SoundTests {
    @Test(
        "Each format of sound is measured without a picture, and has no thumbnail",
        arguments: [
            ("sound.m4a", "audio/mp4", "mp4", "aac"), ("sound.m4a", "Audio/X-M4A; codecs=mp4a.40.2", "mp4", "aac"),
            ("sound.wav", "audio/wav", "wav", "pcm_s16le"), ("sound.aac", "audio/aac", "aac", "aac"),
            ("sound.flac", "audio/flac", "flac", "flac"), ("sound.mp3", "audio/mpeg", "mp3", "mp3"),
        ]
    )
    func sound(name: String, contentType: String, container: String, codec: String) async throws {
        let box = try await MediaFixture.box(.asAllowed)
        let path = try MediaFixture.encode(name, ["-f", "lavfi", "-i", "sine", "-t", "2"])
        let file = MediaFile(path: path, contentType: contentType)
        let probe = try #require(try await box.probe(file).value)
        #expect((probe.container, probe.audioCodec) == (container, codec))
        #expect(probe.width == nil && probe.height == nil && probe.frameRate == nil && probe.videoCodec == nil)
        // A stream of AAC has no table: ffprobe estimates its duration.
        let seconds = try #require(probe.durationSeconds)
        #expect(seconds > 0.5 && seconds < 8)
        #expect(try await box.thumbnail(of: file).failure == .typeNotRead)
    }

    @Test("A video under the type of a sound is measured as sound")
    func video() async throws {
        let path = try Sample.small.make()
        let file = MediaFile(path: path, contentType: "audio/mp4")
        let probe = try #require(try await MediaFixture.box(.asAllowed).probe(file).value)
        #expect(probe.width == nil && probe.videoCodec == nil && probe.audioCodec == "aac")
    }
}
