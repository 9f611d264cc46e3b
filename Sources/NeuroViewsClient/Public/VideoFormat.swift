/// The codec of a video. Like ``CameraPreset`` it may have values that this version of the library does not know.
public struct VideoFormat: RawRepresentable, Hashable, Sendable {
    /// The text in the document.
    public let rawValue: String

    /// Takes the text in the document, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// H.264, also called AVC.
    public static let h264 = VideoFormat(rawValue: "H.264")
    /// H.265, also called HEVC.
    public static let h265 = VideoFormat(rawValue: "H.265")
    /// Apple ProRes 422.
    public static let prores422 = VideoFormat(rawValue: "ProRes 422")
    /// Apple ProRes 4444.
    public static let prores4444 = VideoFormat(rawValue: "ProRes 4444")
    /// AV1.
    public static let av1 = VideoFormat(rawValue: "AV1")

    /// The formats that this version of the library knows, in the order of a menu.
    public static let known = [h264, h265, prores422, prores4444, av1]
}
