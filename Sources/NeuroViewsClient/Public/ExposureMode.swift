/// The part of the exposure that the user chooses. Like ``CameraPreset`` it may have values that this version of the
/// library does not know.
public struct ExposureMode: RawRepresentable, Hashable, Sendable {
    /// The text in the document.
    public let rawValue: String

    /// Takes the text in the document, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera chooses everything.
    public static let auto = ExposureMode(rawValue: "auto")
    /// The user chooses ISO and shutter speed.
    public static let manual = ExposureMode(rawValue: "manual")
    /// The user chooses the shutter speed.
    public static let shutterPriority = ExposureMode(rawValue: "shutter_priority")
    /// The user chooses the ISO.
    public static let isoPriority = ExposureMode(rawValue: "iso_priority")

    /// The modes that this version of the library knows, in the order of a menu.
    public static let known = [auto, manual, shutterPriority, isoPriority]
}
