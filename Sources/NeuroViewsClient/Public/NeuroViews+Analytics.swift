import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Analytics: nothing is collected without the person's consent.
extension NeuroViews {
    /// What the person agreed to, by category.
    ///
    /// It is the account's: they may have agreed on another device. Ask the server once after a log in, since this device
    /// collects nothing before it knows of a consent. Without a network or a login the last known words are returned.
    public func consents() async throws(ClientError) -> [ConsentCategory: Consent] {
        try await openedAnalytics().consents()
    }

    /// Stores what the person said to a category, with the version of the text that they were shown.
    ///
    /// Without a network, or before a log in, it is sent later: see ``Consent/isUnsent``. A withdrawal drops all events of
    /// the category at once. Throws ``ClientError/refused(_:)`` for a word that the server does not take; then, and if it
    /// refuses the word later, the category has no consent.
    public func setConsent(
        _ isGranted: Bool,
        to category: ConsentCategory,
        textVersion: String
    ) async throws(ClientError) {
        let word = Store.UnsentConsent(category: category, isGranted: isGranted, version: textVersion)
        try await openedAnalytics().setConsent(word)
    }

    /// Notes an event of the app, if the person has agreed to its category. It never waits.
    ///
    /// Events are on disk after a second, and are sent in batches. At most 256 in one second are kept, and 10,000 for 30 days
    /// without a network. `parameters` have at most 2,048 bytes as JSON. Events that are not taken are in
    /// ``ClientEvent/eventsRefused(_:)``.
    public nonisolated func track(
        _ name: String,
        _ parameters: [String: JSONValue] = [:],
        category: ConsentCategory = .analytics
    ) {
        guard eventBuffer.takes(category) else { return }
        var object = JSONValue.Object()
        for (name, value) in parameters { object[name] = value }
        if let refusal = TrackedEvent.fault(name, object) { return feeds.emit(.eventsRefused([refusal])) }
        let event = TrackedEvent(
            id: UUID().uuidString.lowercased(),
            name: name,
            category: category,
            parameters: object.count == 0 ? [] : JSON.object(object.exact).serialized(),
            at: .now
        )
        guard eventBuffer.add(event) else { return }
        Task { [weak self] in
            try? await Task.sleep(for: Analytics.writeDelay)
            await self?.writeEvents()
        }
    }

    /// The figures of each day of a range, of at most 366 days. `timeZone` is a name of the IANA time zone database.
    public func usage(
        from: CalendarDay,
        to: CalendarDay,
        timeZone: String = "UTC"
    ) async throws(ClientError) -> Usage {
        let query = "start_date=\(from)&end_date=\(to)&tz=\(timeZone.percentEncoded)"
        return try await read("/analytics/usage?\(query)") { Usage($0) }
    }

    private func openedAnalytics() throws(ClientError) -> Analytics {
        _ = try openedStore()
        guard let analytics else { throw .needsLogIn(nil) }
        return analytics
    }
}
