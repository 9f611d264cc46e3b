import Postgres

/// What a person can agree to.
public enum ConsentCategory: String, CaseIterable, Sendable, ColumnValue {
    /// Events of the app, which `POST /analytics/events` takes.
    case analytics
    /// Reports of crashes, which clients send elsewhere.
    case crashReports = "crash_reports"
    /// Figures of use, which clients send elsewhere.
    case usageMetrics = "usage_metrics"
}

/// What was agreed to or refused.
public struct Consent: Sendable, Equatable {
    /// What it is about.
    public let category: ConsentCategory
    /// Whether it was agreed to.
    public let isGranted: Bool
    /// Of the text that the person was shown, as the client names it; nil when nobody was asked.
    public let version: String?
    /// When it was said, RFC 3339; nil when nobody was asked.
    public let changedAt: String?

    /// Of whom nobody has asked.
    static func unasked(_ category: ConsentCategory) -> Consent {
        Consent(category: category, isGranted: false, version: nil, changedAt: nil)
    }
}

/// What a person says now.
public struct ConsentChange: Sendable {
    /// What it is about.
    public let category: ConsentCategory
    /// Whether they agree.
    public let isGranted: Bool
    /// Of the text that they were shown.
    public let version: String

    /// Takes the values.
    public init(_ category: ConsentCategory, isGranted: Bool, version: String) {
        self.category = category
        self.isGranted = isGranted
        self.version = version
    }
}
