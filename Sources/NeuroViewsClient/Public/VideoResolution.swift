/// The size of a video's picture. Like ``CameraPreset`` it may have values that this version of the library does not
/// know.
public struct VideoResolution: RawRepresentable, Hashable, Sendable {
    /// The text in the document.
    public let rawValue: String

    /// Takes the text in the document, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// 854 × 480 pixels.
    public static let sd480p = VideoResolution(rawValue: "SD 480p")
    /// 1280 × 720 pixels.
    public static let hd720p = VideoResolution(rawValue: "HD 720p")
    /// 1920 × 1080 pixels.
    public static let fullHD1080p = VideoResolution(rawValue: "Full HD 1080p")
    /// 3840 × 2160 pixels.
    public static let ultraHD4K = VideoResolution(rawValue: "4K UHD")
    /// 4096 × 2160 pixels.
    public static let cinema4K = VideoResolution(rawValue: "4K Cinema")
    /// 7680 × 4320 pixels.
    public static let uhd8K = VideoResolution(rawValue: "8K UHD")

    /// The resolutions that this version of the library knows, in the order of a menu.
    public static let known = [sd480p, hd720p, fullHD1080p, ultraHD4K, cinema4K, uhd8K]
}
