extension MediaBox {
    /// The size limit of a thumbnail in bytes; noise of 640 by 640 pixels and a colour profile need less.
    static let thumbnailMaxBytes = 512 << 10
    /// The longer side of a thumbnail.
    static let thumbnailSidePixels = 640

    /// Makes a JPEG of the first frame, upright and with square pixels, at most 640 on its longer side. Small pictures
    /// are not enlarged. `hdr` and `track` are from the file's probe. Throws like `run`.
    package func thumbnail(
        of file: MediaFile,
        hdr: HDRTransfer? = nil,
        track: Int? = nil
    ) async throws -> MediaOutcome<[UInt8]> {
        guard let format = file.format, format.hasPicture else { return .failed(.typeNotRead) }
        guard let ffmpeg = tools.ffmpeg?.path else { return .failed(.missing(program: "ffmpeg")) }
        if format == .heif { return try await thumbnailOfHEIF(file, ffmpeg) }
        // If no frame of the first seconds can be decoded, later hours are not tried.
        let reading = FFmpegArguments.reading(format) + (format.isMoving ? ["-t", "10"] : [])
        return try await Self.toneMapped(hdr) { toneMapping in
            let filter = Self.thumbnailFilter(format, toneMapping)
            return try await jpeg(of: file.path, ffmpeg, reading, track: FFmpegArguments.picture(track), filter)
        }
    }

    /// Makes a JPEG of a track's first frame.
    func jpeg(
        of path: String,
        _ ffmpeg: String,
        _ reading: [String],
        track: String,
        _ filter: String
    ) async throws -> MediaOutcome<[UInt8]> {
        var limits = limits
        limits.outputBytes = Self.thumbnailMaxBytes + ProfiledJPEG.profileLimitBytes
        let outcome = try await run(ffmpeg, input: path, limits: limits) { input, _ in
            ["-nostdin"] + reading + ["-i", input, "-map", track, "-frames:v", "1", "-vf", filter]
                + FFmpegArguments.writing + ["-c:v", "mjpeg", "-q:v", "4", "-f", "mjpeg", "pipe:1"]
        }
        return outcome.flatMap { jpeg in
            guard jpeg.isWholeJPEG else { return .failed(.unreadable("no frame could be decoded")) }
            let thumbnail = ProfiledJPEG(jpeg).suitable
            return thumbnail.count <= Self.thumbnailMaxBytes ? .made(thumbnail) : .failed(.sizeLimit)
        }
    }

    /// JPEG always uses full-range BT.601 colours, for any colours of the video.
    static func thumbnailFilter(_ format: MediaFormat, _ toneMapping: String?) -> String {
        let (width, height) = PixelShape.sides(format)
        let factor = "min(1,\(thumbnailSidePixels)/max(\(width),\(height)))"
        return "scale=w='max(1,round(\(width)*\(factor)))':h='max(1,round(\(height)*\(factor)))'"
            + (toneMapping.map { ",\($0),scale=" } ?? ":")
            + "out_color_matrix=bt601:out_range=full,setsar=1,format=yuvj420p"
    }
}

extension [UInt8] {
    fileprivate var isWholeJPEG: Bool { starts(with: [0xFF, 0xD8]) && suffix(2).elementsEqual([0xFF, 0xD9]) }
}
