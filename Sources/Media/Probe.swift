/// The properties of a file according to its header and first frames. All values are within the limits of real files.
package struct Probe: Sendable, Equatable {
    /// "mov", "mp4", "heif", "jpeg", "wav", "aac", "flac" or "mp3".
    package let container: String
    /// The file's size, in bytes.
    package let sizeBytes: Int64
    /// The duration; nil for pictures, and outside 0 to one year.
    package let durationSeconds: Double?
    /// The shown width, with square pixels and after rotation. Nil without a picture.
    package let width: Int?
    /// The shown height, with square pixels and after rotation. Nil without a picture.
    package let height: Int?
    /// Average frames per second; nil for pictures, and outside 0 to 10,000.
    package let frameRate: Double?
    /// ffmpeg's name of the codec: "hevc", "prores". Nil for an unknown codec and without a picture.
    package let videoCodec: String?
    /// The brightness encoding of a high dynamic range; nil for usual videos.
    package let hdr: HDRTransfer?
    /// ffmpeg's name of the codec: "aac", "pcm_s16le". Nil for an unknown codec and without sound.
    package let audioCodec: String?
    /// ffmpeg's number of the measured picture's track; nil without a track.
    package let videoTrack: Int?
    /// ffmpeg's number of the measured sound's track; nil without sound, and if its codec is not decoded.
    package let audioTrack: Int?
}

extension Probe {
    /// The longest plausible side of a picture: that of a JPEG.
    static let sideMaxPixels = 65_535
    /// The most plausible pixels of a decoded picture. Phones make 200 megapixels; ffmpeg decodes no more than this.
    static let maxPixels = 1 << 28

    static func isPlausible(width: Int, height: Int) -> Bool {
        let sides = 1...sideMaxPixels
        return sides.contains(width) && sides.contains(height) && width * height <= maxPixels
    }
}
