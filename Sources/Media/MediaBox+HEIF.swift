import Glibc

/// HEIC photos: their boxes describe tiles, turns and several pictures, which ffmpeg 5.1 can't read. libheif's programs
/// read the primary picture as it is shown.
extension MediaBox {
    /// Four times the side of a thumbnail. heif-thumbnailer leaves pixels out when it makes a picture smaller, and
    /// ffmpeg blends them.
    private static let sidePixels = 4 * thumbnailSidePixels
    /// The size limit of that picture: eight bytes a pixel need less.
    private static let pictureMaxBytes = 64 << 20

    /// Measures a HEIC photo with heif-info. Throws like `run`.
    func probeHEIF(_ file: MediaFile) async throws -> MediaOutcome<Probe> {
        guard let program = tools.heifInfo else { return .failed(.missing(program: "heif-info")) }
        let sizeBytes = try Self.size(of: file.path)
        let outcome = try await run(program.path, input: file.path, limits: probeLimits()) { input, _ in
            [BoxWalls.path(input)]
        }
        return outcome.flatMap { text in
            Probe(heifInfo: String(decoding: text, as: UTF8.self), sizeBytes: sizeBytes).map { .made($0) }
                ?? .failed(.unreadable("no picture of a possible size"))
        }
    }

    /// Makes a small PNG with heif-thumbnailer, and a thumbnail of it with ffmpeg. The thumbnail that a camera stored
    /// has 320 pixels, and is not used. Throws like `run`, and `WorkFolderError` without a place for the PNG.
    func thumbnailOfHEIF(_ file: MediaFile, _ ffmpeg: String) async throws -> MediaOutcome<[UInt8]> {
        guard let program = tools.heifThumbnailer else { return .failed(.missing(program: "heif-thumbnailer")) }
        let folder = try WorkFolder()
        defer { folder.remove() }
        let picture = folder.path + "/picture"
        close(try folder.makeFile("picture"))
        var limits = limits
        limits.fileBytes = Self.pictureMaxBytes
        let outcome = try await run(program.path, input: file.path, output: picture, limits: limits) { input, output in
            ["-p", "-s", "\(Self.sidePixels)", BoxWalls.path(input), BoxWalls.path(output)]
        }
        if let failure = outcome.failure { return .failed(failure) }
        let filter = Self.thumbnailFilter(.heif, nil)
        return try await jpeg(of: picture, ffmpeg, FFmpegArguments.readingPNG, track: "0:v:0", filter)
    }
}
