import Observation

/// The state of the sync and of the session, for a view. `await status.follow()` in the view's task keeps it up to date.
@MainActor
@Observable
public final class StatusView {
    /// The state of the sync; nil until the first look, and while the store can't be read.
    public private(set) var status: SyncStatus?
    /// The account; nil until the first look, and while the secrets can't be read.
    public private(set) var account: AccountState?

    @ObservationIgnored private let client: NeuroViews

    /// Knows nothing, until it follows.
    public init(_ client: NeuroViews) { self.client = client }

    /// Looks at once, and again at each change, until the task is cancelled.
    public func follow() async {
        let changes = client.changes()
        await look()
        for await _ in changes { await look() }
    }

    private func look() async {
        account = try? await client.account
        status = try? await client.status
    }
}
