import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// An account's configurations and recordings on this device, and their way to the server.
///
/// Edits are on disk when a call returns, and no call for them waits for the network. Before anybody has logged in, edits
/// belong to nobody; the first account that logs in gets them. Each account has a store of its own, which stays on disk.
public actor NeuroViews {
    /// Everything that only the actor uses.
    let core: Core
    nonisolated let feeds: Feeds
    nonisolated let eventBuffer: EventBuffer
    nonisolated let commandFeed = CommandFeed()
    let realtime = Realtime()
    /// Keeps in touch with the server while the client is started.
    var link: Task<Void, Never>?
    /// The sync under way, which all callers share.
    var running: Task<SyncOutcome, Never>?
    var schedule = SyncSchedule()
    /// Waits until the next sync is due.
    var timer: Task<Void, Never>?
    /// The reason for which the last sync stopped.
    var lastFailure: ClientError?
    var seenVersion: Int64?

    /// Opens the store of the account that is logged in, without the network.
    ///
    /// - Throws: `.secrets(.locked)` while the device is locked: nobody knows yet who is logged in. `.store` if the store
    ///   can't be used.
    public init(server: URL, _ options: Options = Options()) throws(ClientError) {
        try self.init(server: server, options, ClientSetup())
    }

    /// The same, for tests.
    package init(server: URL, _ options: Options, _ setup: ClientSetup) throws(ClientError) {
        let (feeds, buffer) = (Feeds(), EventBuffer())
        core = try Core(server: server, options, setup, feeds, buffer)
        (self.feeds, eventBuffer) = (feeds, buffer)
    }

    /// Ends all waits. A sync under way keeps the client until its end. So does an upload, also one that waits offline.
    deinit {
        timer?.cancel()
        link?.cancel()
    }

    var session: Session { core.session }
    var transfers: Transfers { core.transfers }
    nonisolated var presenceFeed: PresenceFeed { feeds.presence }
    var store: Store? { core.account?.store }
    var analytics: Analytics? { core.account?.analytics }

    /// The store to work with. Throws `.needsLogIn` if there is none: somebody has logged out.
    func openedStore() throws(ClientError) -> Store {
        let before = core.account
        let store = try core.openedStore()
        // Another process may have logged in.
        if core.account !== before { loggedIn() }
        return store
    }

    /// Returns a stream of the configurations that change from now on, also by syncs. Changes of other processes are noticed
    /// by the next sync. An element has all ids since the one before; without ids, the status or the uploads changed.
    public nonisolated func changes() -> AsyncStream<ChangeSet> { feeds.changes() }

    /// Returns a stream of what the app may tell its user. Whatever is lost, refused or held is in the store, too.
    public nonisolated func events() -> AsyncStream<ClientEvent> { feeds.events() }
}
