import Postgres

/// The categories of consent.
package enum ConsentCategory: String, CaseIterable, Sendable, ColumnValue {
    /// Events of the app, for `POST /analytics/events`.
    case analytics
    /// Crash reports. Clients send them elsewhere.
    case crashReports = "crash_reports"
    /// Usage figures. Clients send them elsewhere.
    case usageMetrics = "usage_metrics"
}

/// A stored consent or refusal.
package struct Consent: Sendable, Equatable {
    /// The category.
    package let category: ConsentCategory
    /// True if the person has agreed.
    package let isGranted: Bool
    /// The version of the text that the person saw, as the client names it; nil if never asked.
    package let version: String?
    /// The time of the decision, RFC 3339; nil if never asked.
    package let changedAt: String?

    /// The consent of a person that was never asked.
    static func unasked(_ category: ConsentCategory) -> Consent {
        Consent(category: category, isGranted: false, version: nil, changedAt: nil)
    }
}

/// A new decision.
package struct ConsentChange: Sendable {
    /// The category.
    package let category: ConsentCategory
    /// True if the person agrees.
    package let isGranted: Bool
    /// The version of the text that the person saw.
    package let version: String

    /// Takes the values.
    package init(_ category: ConsentCategory, isGranted: Bool, version: String) {
        self.category = category
        self.isGranted = isGranted
        self.version = version
    }
}
