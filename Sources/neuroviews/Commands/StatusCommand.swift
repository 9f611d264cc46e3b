import NeuroViewsClient

/// `status`: the account, and what is not in sync.
enum StatusCommand {
    static func show(_ call: CommandCall) async throws(Failure) -> Ending {
        let device = try call.device()
        let (state, status) = try await asking { () async throws(ClientError) in
            (try await device.account, try await device.status)
        }
        let (lost, uploads) = try await asking { () async throws(ClientError) in
            (try await device.lost().count, try await device.uploads())
        }
        let notUploaded = uploads.filter(\.hasFailed).count
        let counts = [
            ("unsent", status.unsent), ("refused", status.refused), ("held", status.held), ("lost", lost),
            ("uploading", uploads.filter { !$0.state.isOver }.count), ("not_uploaded", notUploaded),
        ]
        call.output.result(json(call, state, status, counts), text(call, state, status, counts))
        return status.refused + status.held + lost + notUploaded > 0 ? .undone : .done
    }

    private static func json(
        _ call: CommandCall,
        _ state: AccountState,
        _ status: SyncStatus,
        _ counts: [(name: String, count: Int)]
    ) -> JSONValue {
        var members: JSONValue.Object = [
            "profile": .string(call.profile.name),
            "user": state.account.map { ["id": .string($0.id.text), "email": $0.email.map { .string($0) } ?? .null] }
                ?? .null,
            "logged_in": .bool(isLoggedIn(state)),
            "last_complete": status.lastComplete.map { .string($0.text) } ?? .null,
        ]
        for (name, count) in counts { members[name] = .number(.init(Int64(count))) }
        return .object(members)
    }

    private static func text(
        _ call: CommandCall,
        _ state: AccountState,
        _ status: SyncStatus,
        _ counts: [(name: String, count: Int)]
    ) -> String {
        let account = state.account.map { $0.email ?? $0.id.text } ?? "nobody"
        return Table(
            ["", ""],
            [
                ["profile", call.profile.name],
                ["account", isLoggedIn(state) ? account : "\(account) (not logged in)"],
            ] + counts.map { [$0.name.replacing("_", with: " "), "\($0.count)"] } + [
                ["last sync", status.lastComplete?.text ?? "never"]
            ]
        ).text(isForTerminal: false)
    }

    private static func isLoggedIn(_ state: AccountState) -> Bool {
        if case .signedIn = state { true } else { false }
    }
}
