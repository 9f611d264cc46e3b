import JSONSchema

/// A rejected event.
package struct EventRefusal: Sendable, Equatable {
    /// The event's index in the batch, from 0.
    package let index: Int
    /// A JSON Pointer into the request's body.
    package let pointer: String
    /// The keyword of the schema, or the name of a rule that no keyword expresses.
    let keyword: String
    /// The requirement, as the end of a sentence.
    package let detail: String
}

extension EventRefusal {
    private static let consentKeyword = "consent"

    init(_ fault: EventFault, at index: Int) {
        self.init(
            index: index,
            pointer: "/events/\(index)\(fault.pointer)",
            keyword: fault.keyword,
            detail: fault.detail
        )
    }

    /// Rejects an event of a category without consent.
    static func withoutConsent(_ event: AnalyticsEvent) -> EventRefusal {
        let detail = "must be of a category with consent, \(event.category.rawValue) has none"
        return EventRefusal(
            EventFault(pointer: "/category", keyword: consentKeyword, detail: detail),
            at: event.index
        )
    }

    /// Rejects a crash report of an account that has sent enough of them.
    static func beyondDay(_ event: AnalyticsEvent) -> EventRefusal {
        let detail = "must be one of the account's first \(CrashShares.dailyMax) crash reports of a day"
        return EventRefusal(EventFault(pointer: "", keyword: "maxItems", detail: detail), at: event.index)
    }

    /// True if nothing but the consent is missing.
    var isForConsent: Bool { keyword == Self.consentKeyword }

    /// The entry in a problem's `errors`.
    var violation: Violation { Violation(pointer: pointer, keyword: keyword, detail: detail) }
}
