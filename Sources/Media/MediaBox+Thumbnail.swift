extension MediaBox {
    /// The size limit of a thumbnail in bytes; noise of 640 by 640 pixels needs less.
    static let thumbnailMaxBytes = 512 << 10

    /// Makes a JPEG of the first frame, upright, with at most 640 pixels on its longer side. Small pictures are not
    /// enlarged. `hdr` is from the file's probe. Throws like `run`.
    package func thumbnail(of file: MediaFile, hdr: HDRTransfer? = nil) async throws -> MediaOutcome<[UInt8]> {
        guard let format = file.format, format.hasPicture else { return .failed(.typeNotRead) }
        guard let program = tools.ffmpeg else { return .failed(.missing(program: "ffmpeg")) }
        var limits = limits
        limits.outputBytes = Self.thumbnailMaxBytes
        return try await Self.toneMapped(hdr) { [limits] toneMapping in
            let outcome = try await run(program.path, input: file.path, limits: limits) { input, _ in
                // If no frame of the first seconds can be decoded, later hours are not tried.
                ["-nostdin"] + FFmpegArguments.reading(format) + (format.isMoving ? ["-t", "10"] : []) + ["-i", input]
                    + ["-map", "0:V:0", "-frames:v", "1", "-vf", Self.thumbnailFilter(toneMapping)]
                    + FFmpegArguments.writing + ["-c:v", "mjpeg", "-q:v", "4", "-f", "mjpeg", "pipe:1"]
            }
            return outcome.flatMap { $0.isWholeJPEG ? .made($0) : .failed(.unreadable("no frame could be decoded")) }
        }
    }

    /// JPEG always uses full-range BT.601 colours, for any colours of the video.
    private static func thumbnailFilter(_ toneMapping: String?) -> String {
        let factor = "min(1,640/max(iw,ih))"
        return "scale=w='max(1,round(iw*\(factor)))':h='max(1,round(ih*\(factor)))'"
            + (toneMapping.map { ",\($0),scale=" } ?? ":") + "out_color_matrix=bt601:out_range=full,format=yuvj420p"
    }
}

extension [UInt8] {
    fileprivate var isWholeJPEG: Bool { starts(with: [0xFF, 0xD8]) && suffix(2).elementsEqual([0xFF, 0xD9]) }
}
