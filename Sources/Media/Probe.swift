/// What a file is, as far as its header and first frames tell. Nothing in it is longer or larger than real files need.
public struct Probe: Sendable, Equatable {
    /// "mov", "mp4", "heif" or "jpeg".
    public let container: String
    /// How long the file is, in bytes.
    public let sizeBytes: Int64
    /// How long it lasts; nil for pictures, and for what is not between 0 and a year.
    public let durationSeconds: Double?
    /// As it is shown: after rotation. Nil where there is no picture.
    public let width: Int?
    /// As it is shown: after rotation. Nil where there is no picture.
    public let height: Int?
    /// Frames a second on average; nil for pictures, and for what is not above 0 and at most 10,000.
    public let frameRate: Double?
    /// ffmpeg's name of the codec: "hevc", "prores". Nil for one it does not know.
    public let videoCodec: String?
    /// How brightness is written where the dynamic range is a high one; nil for usual videos.
    public let hdr: HDRTransfer?
    /// ffmpeg's name of the codec: "aac", "pcm_s16le". Nil for one it does not know, and without sound.
    public let audioCodec: String?
}

extension Probe {
    /// The longest side of a picture that is believed.
    static let sideMaxPixels = 32_768
    /// The most pixels of a picture that is believed, and decoded: twice as many as a phone's panorama has.
    static let maxPixels = 1 << 27

    static func isPlausible(width: Int, height: Int) -> Bool {
        let sides = 1...sideMaxPixels
        return sides.contains(width) && sides.contains(height) && width * height <= maxPixels
    }
}
