import Foundation
import Net
import TestSupport
import Testing

@testable import Media

@Suite(
    "Previews",
    .blocking,
    .needsFFmpeg,
    .timeLimit(.minutes(Patience.minutes(5)))
)
struct PreviewTests {
    private func preview(
        _ sample: Sample,
        _ kind: BoxKind = .asAllowed,
        _ change: (inout PreviewLimits) -> Void = { _ in }
    ) async throws -> (MediaOutcome<Void>, path: String) {
        var limits = PreviewLimits()
        change(&limits)
        let file = MediaFile(path: try sample.make(), contentType: sample.contentType)
        let path = Sandbox.makeFolder() + "/preview.mp4"
        return (try await MediaFixture.box(kind).preview(of: file, to: path, limits: limits), path)
    }

    @Test(
        "A preview is an MP4 of H.264 and AAC with its index in front",
        arguments: TestRun.cases(1, of: BoxKind.allCases)
    )
    func usual(kind: BoxKind) async throws {
        let (outcome, path) = try await preview(Sample.usual, kind)
        #expect(outcome.value != nil)
        let probe = try #require(try await probe(path))
        #expect((probe.width, probe.height) == (1280, 720))
        #expect((probe.container, probe.videoCodec, probe.audioCodec) == ("mp4", "h264", "aac"))
        let bytes = Data(try MediaFixture.bytes(path))
        let (index, samples) = (bytes.range(of: Data("moov".utf8)), bytes.range(of: Data("mdat".utf8)))
        #expect(try #require(index).lowerBound < #require(samples).lowerBound)
    }

    @Test("Previews of upright videos stay upright, and those of small ones small")
    func upright() async throws {
        let (outcome, path) = try await preview(Sample.portrait)
        #expect(outcome.value != nil)
        let probe = try #require(try await probe(path))
        #expect((probe.width, probe.height) == (360, 640))
    }

    @Test("A preview is no longer than its limit of seconds")
    func seconds() async throws {
        let (outcome, path) = try await preview(Sample.small) { $0.maxSeconds = 1 }
        #expect(outcome.value != nil)
        #expect(abs((try await probe(path)?.durationSeconds ?? 0) - 1) < 0.1)
    }

    @Test(
        "A preview over its limit of size or time is not made, and leaves no file",
        arguments: TestRun.cases(1, of: BoxKind.allCases)
    )
    func limits(kind: BoxKind) async throws {
        let (large, largePath) = try await preview(Sample.small, kind) { $0.maxBytes = 10_000 }
        #expect(large.failure == .sizeLimit)
        let (long, longPath) = try await preview(Sample.long, kind) { $0.cpuMaxSeconds = 1 }
        #expect(long.failure == .killed)
        #expect(access(largePath, F_OK) != 0 && access(longPath, F_OK) != 0)
    }

    /// Recordings in the formats of phones, and an incomplete recording.
    private static let recordings =
        [Sample.usual, .cut]
        + (TestRun.isFull ? [.proresWithSound, .soundless] + Sample.large.filter { $0.videoCodec != "av1" } : [])

    @Test("A preview of any camera's file is 8 bit H.264 of 4:2:0 that begins at 0", arguments: recordings)
    func playable(sample: Sample) async throws {
        let (outcome, path) = try await preview(sample)
        #expect(outcome.value != nil)
        let entries = "stream=codec_name,profile,pix_fmt,width,height,start_time,channels"
        let words = ["ffprobe", "-v", "error", "-show_entries", entries, "-of", "default=nw=1", path]
        let lines = try Program.run(words).output.split(separator: "\n").map(String.init)
        let (width, height) = (min(sample.width, 1280), min(sample.height, 720))
        for line in ["codec_name=h264", "profile=High", "pix_fmt=yuv420p", "width=\(width)", "height=\(height)"] {
            #expect(lines.contains(line), "\(lines)")
        }
        #expect(lines.contains("codec_name=aac") == (sample.audioCodec != nil))
        let starts = lines.filter { $0.hasPrefix("start_time=") }
        #expect(starts.allSatisfy { $0 == "start_time=0.000000" }, "\(starts)")
        let decoded = try Program.run(["ffmpeg", "-v", "error", "-i", path, "-f", "null", "-"])
        #expect(decoded.status == 0 && decoded.complaint.isEmpty, "\(decoded.complaint)")
    }

    @Test(
        "A video without a decodable frame has no preview, and leaves no file",
        arguments: [Sample.empty, .headless]
    )
    func noFrames(sample: Sample) async throws {
        let (outcome, path) = try await preview(sample)
        guard case .unreadable = outcome.failure else {
            Issue.record("\(outcome)")
            return
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test("A photo gets no preview, and no file is overwritten")
    func refused() async throws {
        let (outcome, _) = try await preview(Sample.photo)
        #expect(outcome.failure == .typeNotRead)
        let file = MediaFile(path: try Sample.portrait.make(), contentType: "video/mp4")
        let other = try MediaFixture.file("other", [1])
        let box = try await MediaFixture.box(.asAllowed)
        await #expect(throws: SystemError(call: "open", code: EEXIST)) { try await box.preview(of: file, to: other) }
        #expect(try MediaFixture.bytes(other) == [1])
    }

    private func probe(_ path: String) async throws -> Probe? {
        try await MediaFixture.box(.asAllowed).probe(MediaFile(path: path, contentType: "video/mp4")).value
    }
}
