import Postgres

/// The categories of consent, and of events.
package enum ConsentCategory: String, CaseIterable, Sendable, ColumnValue {
    /// Events that name no other category. They are stored with their account.
    case analytics
    /// Crash reports. They are stored without their account.
    case crashReports = "crash_reports"
    /// Usage figures of the app. They are stored with their account.
    case usageMetrics = "usage_metrics"

    /// The categories in the order in which a batch is stored. Crash reports are the last: if the account is full, the
    /// batch is refused before any of them is stored.
    static let inOrderOfBatch: [ConsentCategory] = [.analytics, .usageMetrics, .crashReports]
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
