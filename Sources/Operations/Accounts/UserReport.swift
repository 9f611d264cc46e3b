import CloudSync

/// Formats the output of `user`: tables with tabs between the columns.
enum UserReport {
    static let header = table([
        "email", "id", "created_at", "last_used_at", "sessions", "configurations", "recordings", "recording_bytes",
        "state",
    ])

    static func line(_ account: AccountSummary) -> String {
        table([
            account.email, account.id, account.createdAt, account.lastUsedAt ?? "-", String(account.sessions),
            String(account.configurations), String(account.recordings), String(account.recordingBytes),
            account.disabledAt == nil ? "enabled" : "disabled",
        ])
    }

    static func line(_ session: SessionSummary) -> String {
        table([session.id, session.deviceID ?? "-", session.address ?? "-", session.createdAt, session.lastUsedAt])
    }

    static func line(_ action: OperatorAction) -> String {
        table([action.at, action.operatorName, action.action, action.accountID ?? "-", action.email ?? "-"])
    }

    static func line(_ event: AccountEventSummary) -> String {
        table([
            event.at, event.accountID, event.kind, event.count, event.sessionID ?? "-", event.deviceID ?? "-",
            event.address ?? "-",
        ])
    }

    static func line(_ identity: IdentitySummary) -> String {
        table(["identity", identity.issuer, identity.subject, identity.createdAt])
    }

    static func details(_ account: AccountSummary, triedAs logNames: [String]) -> String {
        """
        email: \(account.email)
        id: \(account.id)
        created_at: \(account.createdAt)
        disabled_at: \(account.disabledAt ?? "-")
        locked_until: \(account.lockedUntil ?? "-")
        last_used_at: \(account.lastUsedAt ?? "-")
        sessions: \(account.sessions)
        configurations: \(account.configurations)
        recordings: \(account.recordings)
        recording_bytes: \(account.recordingBytes)
        has_app: \(account.hasApp)
        tried_as: \(logNames.isEmpty ? "-" : logNames.joined(separator: " "))

        """
    }

    private static func table(_ cells: [String]) -> String { cells.map(printable).joined(separator: "\t") + "\n" }

    /// A device's id is text of the client. Control characters are replaced, so that no cell can begin a new line or
    /// column.
    private static func printable(_ cell: String) -> String {
        String(
            String.UnicodeScalarView(
                cell.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{FFFD}" : $0 }
            )
        )
    }
}
