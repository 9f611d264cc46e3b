import CloudSync
import HTTP
import NeuroViewsJSON

/// Accounts by their address, and what operators did. Each look at one is in the trail.
extension OperatorWork {
    private static let pageMax = 50

    func accounts(_ query: QueryParameters) async throws -> Response {
        let (prefix, after) = (query.values("prefix").first ?? "", query.values("after").first ?? "")
        let found = try await withAccounts { accounts in
            try accounts.note("list")
            return try accounts.list(after: after, prefix: prefix, limit: Self.pageMax + 1)
        }
        let page = Array(found.prefix(Self.pageMax))
        return .object { writer in
            writer.list("accounts", page) { account, writer in Self.write(account, to: &writer) }
            writer.member("next", optional: found.count > page.count ? page.last?.email : nil)
        }
    }

    func account(_ email: String) async throws -> Response {
        let found = try await withAccounts { accounts in
            try accounts.show(email).map { found in
                (
                    account: found.account, actions: found.actions,
                    identities: try accounts.identities(of: found.account.id),
                    sessions: try accounts.sessions(ofID: found.account.id)
                )
            }
        }
        guard let found else { throw OperatorProblem.unknownAccount(email) }
        let names = try await onThread { [settings] in UserCommand.logNames(of: found.account.email, settings) }
        return .object { writer in
            writer.member("account")
            writer.beginObject()
            Self.write(found.account, to: &writer)
            writer.endObject()
            writer.member("tried_as")
            writer.beginArray()
            for name in names { writer.string(name) }
            writer.endArray()
            writer.list("identities", found.identities) { identity, writer in
                writer.member("issuer", string: identity.issuer)
                writer.member("subject", string: identity.subject)
                writer.member("created_at", string: identity.createdAt)
            }
            writer.list("sessions", found.sessions) { session, writer in Self.write(session, to: &writer) }
            writer.list("actions", found.actions) { action, writer in
                writer.member("at", string: action.at)
                writer.member("operator", string: action.operatorName)
                writer.member("action", string: action.action)
            }
        }
    }

    /// Ends sessions, disables, enables, or removes the authenticator app. Answers with the number of ended sessions.
    func change(_ email: String, _ name: String) async throws -> Response {
        guard let action = AccountAction(rawValue: name) else { throw OperatorProblem.notFound }
        guard let ended = try await withAccounts({ try action.run(on: email, $0) }) else {
            throw OperatorProblem.unknownAccount(email)
        }
        return .object { $0.member("ended", integer: Int64(ended)) }
    }

    func trail() async throws -> Response {
        let actions = try await withAccounts { accounts in
            try accounts.note("trail")
            return try accounts.trail()
        }
        return .object { writer in
            writer.list("actions", actions) { action, writer in
                writer.member("at", string: action.at)
                writer.member("operator", string: action.operatorName)
                writer.member("action", string: action.action)
                writer.member("account", optional: action.accountID)
                writer.member("email", optional: action.email)
            }
        }
    }

    private static func write(_ account: AccountSummary, to writer: inout JSONWriter) {
        writer.member("id", string: account.id)
        writer.member("email", string: account.email)
        writer.member("created_at", string: account.createdAt)
        writer.member("disabled_at", optional: account.disabledAt)
        writer.member("locked_until", optional: account.lockedUntil)
        writer.member("last_used_at", optional: account.lastUsedAt)
        writer.member("sessions", integer: Int64(account.sessions))
        writer.member("configurations", integer: Int64(account.configurations))
        writer.member("recordings", integer: Int64(account.recordings))
        writer.member("recording_bytes", integer: Int64(account.recordingBytes))
        writer.member("has_app", bool: account.hasApp)
    }

    private static func write(_ session: SessionSummary, to writer: inout JSONWriter) {
        writer.member("id", string: session.id)
        writer.member("device_id", optional: session.deviceID)
        writer.member("address", optional: session.address)
        writer.member("created_at", string: session.createdAt)
        writer.member("last_used_at", string: session.lastUsedAt)
    }
}

/// The changes that the page offers. Passwords and erasure stay with the command.
private enum AccountAction: String {
    case endSessions = "end-sessions"
    case disable, enable
    case removeApp = "remove-app"

    /// Returns the number of ended sessions; nil if there is no account.
    func run(on email: String, _ accounts: AccountAdministration) throws -> Int? {
        switch self {
        case .endSessions: try accounts.endSessions(of: email)
        case .disable: try accounts.disable(email)
        case .enable: try accounts.enable(email) ? 0 : nil
        case .removeApp: try accounts.removeApp(of: email).map { _ in 0 }
        }
    }
}
