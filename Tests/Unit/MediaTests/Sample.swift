import TestSupport

/// A file in a format of cameras, and the expected findings.
struct Sample: Sendable, CustomStringConvertible {
    let name: String
    let contentType: String
    let arguments: [String]
    let width: Int
    let height: Int
    let videoCodec: String
    var audioCodec: String?
    /// A change to the finished file.
    var change: @Sendable ([UInt8]) -> [UInt8] = { $0 }

    var description: String { name }

    /// Makes the file.
    func make() throws -> String {
        let path = try MediaFixture.encode(name, arguments)
        return try MediaFixture.file(name, change(try MediaFixture.bytes(path)))
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p"]
    private static let hevc = [
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error", "-pix_fmt", "yuv420p10le",
        "-tag:v", "hvc1",
    ]
    private static let prores = ["-c:v", "prores_ks", "-profile:v", "2", "-pix_fmt", "yuv422p10le"]
    private static let av1 = ["-c:v", "libaom-av1", "-usage", "realtime", "-cpu-used", "8", "-pix_fmt", "yuv420p"]

    static let small = Sample("h264-480p.mov", 640, 480, "h264", h264, seconds: 2, audioCodec: "aac")
    static let usual = Sample("hevc-1080p.mov", 1920, 1080, "hevc", hevc, seconds: 1, audioCodec: "aac")

    /// The large ones take most of the time, so only a full run has them.
    static let all =
        [
            small, usual, Sample("prores-1080p.mov", 1920, 1080, "prores", prores, audioCodec: "pcm_s16le"),
            Sample("av1-480p.mp4", 854, 480, "av1", av1), portrait,
        ] + (TestRun.isFull ? large : [])

    static let large = [
        Sample("h264-8k.mp4", 7680, 4320, "h264", h264),
        Sample("hevc-8k.mov", 7680, 4320, "hevc", hevc),
        Sample("prores-4k.mov", 3840, 2160, "prores", prores, audioCodec: "pcm_s16le"),
        Sample("prores-8k.mov", 7680, 4320, "prores", prores),
        Sample("av1-4k.mp4", 3840, 2160, "av1", av1),
    ]

    /// A file that takes more than a second of processor time to make smaller.
    static let long = Sample("long.mp4", 1920, 1080, "h264", h264, seconds: 10)

    /// ProRes with sound in the format of a microphone.
    static let proresWithSound = Sample("prores.mov", 1280, 720, "prores", prores, seconds: 1, audioCodec: "pcm_s24le")

    /// A recording with 10 bits and no sound.
    static let soundless = Sample("soundless.mov", 1280, 720, "hevc", hevc, seconds: 1)

    /// A recording without its second half.
    static let cut = changed("cut.mov", ["-movflags", "+faststart"]) { Array($0.prefix($0.count / 2)) }

    /// A recording with an index of frames that are only zeros.
    static let empty = changed("empty.mov", ["-movflags", "+faststart"]) { movie in
        let start = movie.firstRange(of: Array("mdat".utf8))?.upperBound ?? 0
        return movie[..<start] + [UInt8](repeating: 0, count: movie.count - start)
    }

    /// A recording without an index.
    static let headless = changed("headless.mov", []) { movie in
        Array(movie[..<(movie.firstRange(of: Array("moov".utf8))?.lowerBound ?? 0)])
    }

    private static func changed(
        _ name: String,
        _ arguments: [String],
        _ change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) -> Sample {
        var sample = Sample(name, 640, 480, "h264", h264 + arguments, seconds: 2, audioCodec: "aac")
        sample.change = change
        return sample
    }

    /// The left half is red, the right half is blue. A matrix turns the picture clockwise, so red is on top.
    static let portrait = Sample(
        name: "portrait.mov",
        contentType: "video/quicktime",
        arguments: redAndBlue("bt709") + h264 + ["-colorspace", "bt709", "-color_range", "tv"],
        width: 360,
        height: 640,
        videoCodec: "h264",
        change: turned
    )

    /// The same as a photo.
    static let photo = Sample(
        name: "photo.jpg",
        contentType: "image/jpeg",
        arguments: redAndBlue("bt601") + ["-q:v", "2", "-pix_fmt", "yuvj420p"],
        width: 360,
        height: 640,
        videoCodec: "mjpeg",
        change: turnedPhoto
    )

    private static func redAndBlue(_ matrix: String) -> [String] {
        let colours = "color=red:s=320x360:d=0.04,format=rgb24,pad=640:360:0:0:blue"
        let picture = colours + ",scale=out_color_matrix=\(matrix),format=yuv420p"
        return ["-f", "lavfi", "-i", picture, "-frames:v", "1"]
    }

    private init(
        _ name: String,
        _ width: Int,
        _ height: Int,
        _ codec: String,
        _ arguments: [String],
        seconds: Int? = nil,
        audioCodec: String? = nil
    ) {
        self.name = name
        contentType = name.hasSuffix(".mov") ? "video/quicktime" : "video/mp4"
        let length = seconds.map { ["-t", "\($0)"] } ?? ["-t", "0.04"]
        let sound = ["-f", "lavfi", "-i", "sine"]
        self.arguments =
            ["-f", "lavfi", "-i", "testsrc2=s=\(width)x\(height)"] + (audioCodec == nil ? [] : sound) + arguments
            + (audioCodec.map { ["-c:a", $0] } ?? []) + length
        (self.width, self.height, videoCodec, self.audioCodec) = (width, height, codec, audioCodec)
    }

    private init(
        name: String,
        contentType: String,
        arguments: [String],
        width: Int,
        height: Int,
        videoCodec: String,
        change: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        (self.name, self.contentType, self.arguments, self.change) = (name, contentType, arguments, change)
        (self.width, self.height, self.videoCodec) = (width, height, videoCodec)
    }
}

/// Writes the matrix of a quarter turn clockwise into the track's header.
private func turned(_ movie: [UInt8]) -> [UInt8] {
    let matrix: [UInt32] = [0, 0x10000, 0, 0xFFFF_0000, 0, 0, 0, 0, 0x4000_0000]
    // After the name, version, times, id, duration, layer, group and volume.
    return movie.replacing("tkhd", skip: 44, with: matrix.flatMap(\.bigEndianBytes))
}

/// Inserts an Exif segment with only the orientation: 6, which means a clockwise turn.
private func turnedPhoto(_ jpeg: [UInt8]) -> [UInt8] {
    let tiff: [UInt8] = Array("MM\0*\0\0\0\u{8}\0\u{1}".utf8) + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0] + [0, 0, 0, 0]
    let segment = Array("Exif\0\0".utf8) + tiff
    return jpeg[..<2] + [0xFF, 0xE1, 0, UInt8(segment.count + 2)] + segment + jpeg[2...]
}

extension [UInt8] {
    /// Overwrites the bytes at `skip` after the start of each `name`.
    func replacing(_ name: String, skip: Int, with new: [UInt8]) -> [UInt8] {
        replacing(Array(name.utf8), skip: skip, with: new)
    }

    /// The same for a name of any bytes.
    func replacing(_ name: [UInt8], skip: Int, with new: [UInt8]) -> [UInt8] {
        var bytes = self
        for start in indices where self[start...].starts(with: name) && start + skip + new.count <= count {
            bytes.replaceSubrange((start + skip)..<(start + skip + new.count), with: new)
        }
        return bytes
    }
}

extension FixedWidthInteger {
    var bigEndianBytes: [UInt8] {
        (0..<(Self.bitWidth / 8)).reversed().map { UInt8(truncatingIfNeeded: self >> ($0 * 8)) }
    }
}
