import NeuroViewsRules

/// The table `consent`: the person's last word on each category, as far as this device knows it.
extension Store {
    /// A word of the person that the server does not know yet.
    struct UnsentConsent: Equatable {
        let category: ConsentCategory
        let isGranted: Bool
        let version: String
    }

    /// The categories that events may be collected of.
    func grantedCategories() throws(ClientError) -> Set<ConsentCategory> {
        Set(try rows("SELECT category FROM consent WHERE granted") { ConsentCategory(rawValue: $0.text(0) ?? "") })
    }

    /// All that was ever said or read here.
    func consents() throws(ClientError) -> [ConsentCategory: Consent] {
        let found = try rows("SELECT category, granted, version, is_unsent FROM consent") { row in
            let consent = Consent(
                isGranted: row.bool(1),
                textVersion: row.text(2),
                changedAt: nil,
                isUnsent: row.bool(3)
            )
            return (ConsentCategory(rawValue: row.text(0) ?? ""), consent)
        }
        return Dictionary(found) { _, last in last }
    }

    /// Stores the person's word. A withdrawal empties the events of the category in the same step.
    func setConsent(_ consent: UnsentConsent) throws(ClientError) {
        try step { () throws(ClientError) in
            if !consent.isGranted { try dropEvents(of: consent.category) }
            try run(
                """
                INSERT INTO consent (category, granted, version, is_unsent) VALUES (?1, ?2, ?3, 1)
                ON CONFLICT (category) DO UPDATE SET granted = ?2, version = ?3, is_unsent = 1
                """,
                .text(consent.category.rawValue),
                SQLValue(consent.isGranted),
                .text(consent.version)
            )
        }
    }

    /// One that is to be sent, nil if there is none.
    func unsentConsent() throws(ClientError) -> UnsentConsent? {
        try row("SELECT category, granted, version FROM consent WHERE is_unsent ORDER BY category LIMIT 1") { row in
            UnsentConsent(
                category: ConsentCategory(rawValue: row.text(0) ?? ""),
                isGranted: row.bool(1),
                version: row.text(2) ?? ""
            )
        }
    }

    /// Notes that the server has it, unless the person said something else meanwhile.
    func endUnsent(_ consent: UnsentConsent) throws(ClientError) {
        try run(
            "UPDATE consent SET is_unsent = 0 WHERE category = ?1 AND granted = ?2 AND version = ?3",
            .text(consent.category.rawValue),
            SQLValue(consent.isGranted),
            .text(consent.version)
        )
    }

    /// Takes what the server has, but for what it does not know yet. Categories without consent lose their events.
    func adopt(_ consents: [ConsentCategory: Consent]) throws(ClientError) {
        try step { () throws(ClientError) in
            for (category, consent) in consents {
                try run(
                    """
                    INSERT INTO consent (category, granted, version, is_unsent) VALUES (?1, ?2, ?3, 0)
                    ON CONFLICT (category) DO UPDATE SET granted = ?2, version = ?3 WHERE NOT is_unsent
                    """,
                    .text(category.rawValue),
                    SQLValue(consent.isGranted),
                    SQLValue(consent.textVersion)
                )
            }
            try dropEventsWithoutConsent()
        }
    }

    /// Collects nothing of these categories until the person agrees: the server has no consent to them.
    func stopCollecting(_ categories: Set<ConsentCategory>) throws(ClientError) {
        try step { () throws(ClientError) in
            for category in categories {
                try run(
                    "UPDATE consent SET granted = 0 WHERE category = ?1 AND NOT is_unsent",
                    .text(category.rawValue)
                )
            }
            try dropEventsWithoutConsent()
        }
    }

    /// Forgets a word that the server refuses: there is no consent, then.
    func forgetConsent(_ consent: UnsentConsent) throws(ClientError) {
        try step { () throws(ClientError) in
            try run(
                "DELETE FROM consent WHERE category = ?1 AND granted = ?2 AND version = ?3 AND is_unsent",
                .text(consent.category.rawValue),
                SQLValue(consent.isGranted),
                .text(consent.version)
            )
            try dropEventsWithoutConsent()
        }
    }

    private func dropEvents(of category: ConsentCategory) throws(ClientError) {
        try run("DELETE FROM event WHERE category = ?1", .text(category.rawValue))
    }

    private func dropEventsWithoutConsent() throws(ClientError) {
        try run("DELETE FROM event WHERE category NOT IN (SELECT category FROM consent WHERE granted)")
    }
}
