/// A purpose that a person agrees to, or not.
///
/// Tell the person before they agree to ``crashReports``: a report is kept without their account, so nobody can export it or
/// take it back.
public struct ConsentCategory: RawRepresentable, Hashable, Sendable {
    /// The name in the interface.
    public let rawValue: String
    /// Takes a name. The server refuses those that it does not know.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Events that tell how the app is used.
    public static let analytics = ConsentCategory(rawValue: "analytics")
    /// Reports of crashes and faults.
    public static let crashReports = ConsentCategory(rawValue: "crash_reports")
    /// Measurements, such as used storage.
    public static let usageMetrics = ConsentCategory(rawValue: "usage_metrics")
}

extension ConsentCategory: CustomStringConvertible {
    /// The name in the interface.
    public var description: String { rawValue }
}
