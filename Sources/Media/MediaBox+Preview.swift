import Glibc
import Net

/// The limits of a preview.
package struct PreviewLimits: Sendable, Equatable {
    /// The shown length of the recording, from its start.
    package var maxSeconds = 600
    /// Processor time in seconds.
    package var cpuMaxSeconds = 1800
    /// Size of the file in bytes.
    package var maxBytes = 512 << 20

    /// The default limits.
    package init() {}
}

extension MediaBox {
    /// Makes an MP4 for every browser in a new file at `path`. It is H.264 (at most 1280 by 720 or 720 by 1280, 8 bit,
    /// 4:2:0) and AAC, with its index in front. Without a preview, the file is removed. Throws like `run`, and
    /// `SystemError` if the file exists or can't be made.
    package func preview(
        of file: MediaFile,
        to path: String,
        limits: PreviewLimits = PreviewLimits()
    ) async throws -> MediaOutcome<Void> {
        guard let format = file.format, format.isMoving else { return .failed(.typeNotRead) }
        guard let program = tools.ffmpeg else { return .failed(.missing(program: "ffmpeg")) }
        // Made here, so the box needs no writable folder.
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError(call: "open", code: errno) }
        close(descriptor)
        var isMade = false
        defer { if !isMade { unlink(path) } }
        let probe = try await probe(file).value
        let tracks = Self.previewTracks(probe)
        let outcome: MediaOutcome<[UInt8]> = try await Self.toneMapped(probe?.hdr) { toneMapping in
            let filter = Self.previewFilter(format, toneMapping)
            return try await run(program.path, input: file.path, output: path, limits: BoxLimits(limits)) {
                ["-nostdin", "-y"] + FFmpegArguments.reading(format) + ["-t", "\(limits.maxSeconds)", "-i", $0]
                    + tracks + ["-vf", filter, "-fpsmax", "30"] + FFmpegArguments.writing + Self.previewEncoding + [$1]
            }
        }
        if let failure = outcome.failure { return .failed(failure) }
        // ffmpeg makes an empty file of a track without frames, and reports success.
        let made = try await self.probe(MediaFile(path: path, contentType: "video/mp4"))
        isMade = made.value?.videoCodec == "h264"
        return isMade ? .made(()) : .failed(.unreadable("no frame could be decoded"))
    }

    private static let previewEncoding = [
        "-c:v", "libx264", "-preset", "veryfast", "-crf", "23", "-maxrate", "5M", "-bufsize", "10M",
        "-c:a", "aac", "-b:a", "128k", "-ac", "2", "-movflags", "+faststart", "-f", "mp4",
    ]

    /// A preview has no sound if its codec is not decoded.
    private static func previewTracks(_ probe: Probe?) -> [String] {
        let sound: String? = probe.map { $0.audioTrack.map { "0:\($0)" } } ?? "0:a:0?"
        return ["-map", FFmpegArguments.picture(probe?.videoTrack)] + (sound.map { ["-map", $0] } ?? [])
    }

    /// At most 1280 by 720, or 720 by 1280 for a picture higher than wide. H.264 needs even sides.
    private static func previewFilter(_ format: MediaFormat, _ toneMapping: String?) -> String {
        let (width, height) = PixelShape.sides(format)
        let factor =
            "min(1,if(gte(\(width),\(height)),min(1280/\(width),720/\(height)),min(720/\(width),1280/\(height))))"
        return "scale=w='max(2,2*round(\(width)*\(factor)/2))':h='max(2,2*round(\(height)*\(factor)/2))',setsar=1"
            + (toneMapping.map { ",\($0)" } ?? "") + ",format=yuv420p"
    }
}

extension BoxLimits {
    fileprivate init(_ preview: PreviewLimits) {
        cpuSeconds = preview.cpuMaxSeconds
        fileBytes = preview.maxBytes
        niceness = 19
        // On a busy machine, all other work goes first.
        timeSeconds = max(600, Double(preview.cpuMaxSeconds) * 4)
    }
}
