/// The scene that a configuration is made for.
///
/// Later versions of the server may know more presets. Such a value is read, shown and sent like any other, so a
/// `switch` over it needs a `default`.
public struct CameraPreset: RawRepresentable, Hashable, Sendable {
    /// The text in the document.
    public let rawValue: String

    /// Takes the text in the document, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The camera chooses.
    public static let auto = CameraPreset(rawValue: "auto")
    /// People.
    public static let portrait = CameraPreset(rawValue: "portrait")
    /// Wide views.
    public static let landscape = CameraPreset(rawValue: "landscape")
    /// Small things from near.
    public static let macro = CameraPreset(rawValue: "macro")
    /// Fast motion.
    public static let sport = CameraPreset(rawValue: "sport")
    /// Little light.
    public static let night = CameraPreset(rawValue: "night")
    /// The user chooses.
    public static let professional = CameraPreset(rawValue: "professional")

    /// The presets that this version of the library knows, in the order of a menu.
    public static let known = [auto, portrait, landscape, macro, sport, night, professional]
}
