import NeuroViewsClient

/// `status`: the account, and what is not in sync.
enum StatusCommand {
    static func show(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let (state, status, lost) = try await asking { () async throws(ClientError) in
            (try await device.account, try await device.status, try await device.lost().count)
        }
        call.output.result(json(call, state, status, lost), text(call, state, status, lost))
        return status.refused + status.held + lost > 0 ? .undone : .done
    }

    private static func json(_ call: CommandCall, _ state: AccountState, _ status: SyncStatus, _ lost: Int) -> JSONValue
    {
        [
            "profile": .string(call.profile.name),
            "user": state.account.map { ["id": .string($0.id.text), "email": $0.email.map { .string($0) } ?? .null] }
                ?? .null,
            "logged_in": .bool(isLoggedIn(state)),
            "unsent": number(status.unsent), "refused": number(status.refused), "held": number(status.held),
            "lost": number(lost),
            "last_complete": status.lastComplete.map { .string($0.text) } ?? .null,
        ]
    }

    private static func number(_ count: Int) -> JSONValue { .number(.init(Int64(count))) }

    private static func text(_ call: CommandCall, _ state: AccountState, _ status: SyncStatus, _ lost: Int) -> String {
        let account = state.account.map { $0.email ?? $0.id.text } ?? "nobody"
        return Table(
            ["", ""],
            [
                ["profile", call.profile.name],
                ["account", isLoggedIn(state) ? account : "\(account) (not logged in)"],
                ["unsent", "\(status.unsent)"], ["refused", "\(status.refused)"], ["held", "\(status.held)"],
                ["lost", "\(lost)"],
                ["last sync", status.lastComplete?.text ?? "never"],
            ]
        ).text(isForTerminal: false)
    }

    private static func isLoggedIn(_ state: AccountState) -> Bool {
        if case .signedIn = state { true } else { false }
    }
}
