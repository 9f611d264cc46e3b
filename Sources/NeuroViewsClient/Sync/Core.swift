import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The objects of a client that are confined to its actor: the session, and what belongs to its account.
final class Core {
    let session: Session
    let options: Options
    /// Nil if the client follows no notices.
    let channels: (any ChannelTransport)?
    /// Nil after a log out that kept the store, until somebody logs in.
    private(set) var account: OpenAccount?
    /// True between `start` and `stop` of the app.
    var isStarted = false
    private let folders: AccountFolders
    private let key: StoreKey
    private let systemID: String?
    private let setup: ClientSetup
    private let feeds: Feeds
    private let buffer: EventBuffer

    init(server: URL, _ options: Options, _ setup: ClientSetup, _ feeds: Feeds, _ buffer: EventBuffer)
        throws(ClientError)
    {
        let address = try ServerAddress(server)
        let base = if let folder = options.folder { folder.path } else { try SystemDefaults.folder() }
        let secrets = options.secrets ?? SystemDefaults.secrets(in: base)
        let folder = try ServerFolder(base, address)
        folders = AccountFolders(folder)
        key = StoreKey(secrets, name: "store_\(address.folderName)", lock: folder.path + "/key.lock")
        systemID = setup.systemID ?? SystemIdentity.current()
        let trust = try Self.trust(address, options)
        let transport = if let own = setup.transport { own } else { try Self.transport(trust) }
        channels = Self.channels(trust, options, setup)
        session = Session(
            address,
            transport,
            secrets,
            folder,
            deviceName: options.deviceName,
            systemID: systemID,
            credentials: options.credentials
        )
        (self.options, self.setup, self.feeds, self.buffer) = (options, setup, feeds, buffer)
        account = try opened(session.state.account?.id)
        session.accountChanged = { [weak self] account throws(ClientError) in try self?.enter(account) }
    }

    /// Closes the store of the former account, and opens that of the session's.
    private func enter(_ account: Account?) throws(ClientError) {
        if let account, account.id == self.account?.id { return }
        self.account?.close()
        self.account = nil
        self.account = try opened(account?.id)
        feeds.changed([])
    }

    /// The account's store. Throws `.needsLogIn` if there is none: somebody has logged out.
    func openedStore() throws(ClientError) -> Store {
        if account == nil { account = try opened(session.state.account?.id) }
        guard let account else { throw .needsLogIn(nil) }
        return account.store
    }

    private func opened(_ user: UUID?) throws(ClientError) -> OpenAccount? {
        guard let path = try folders.path(of: user) else { return nil }
        let store = try Store.open(folder: path, key: try key.read(), systemID: systemID, place: setup.place)
        if case .replaced = store.opening { feeds.emit(.storeReplaced, waits: true) }
        store.onReplaced = { [feeds] _ in feeds.emit(.storeReplaced) }
        store.onMended = { [feeds] mended in feeds.tell(mended) }
        let loop = user.map { SyncLoop(store, session, feeds, account: $0, setup, options) }
        let analytics = Analytics(store: store, session: session, user: user, buffer: buffer, feeds: feeds)
        return OpenAccount(id: user, store: store, loop: loop, analytics: analytics)
    }

    private static func trust(_ address: ServerAddress, _ options: Options) throws(ClientError) -> Trust {
        do throws(TransportError) { return try Trust(server: address.base, options) } catch { throw ClientError(error) }
    }

    private static func transport(_ trust: Trust) throws(ClientError) -> any Transport {
        do throws(TransportError) { return try SystemDefaults.transport(trust) } catch { throw ClientError(error) }
    }

    private static func channels(_ trust: Trust, _ options: Options, _ setup: ClientSetup) -> (any ChannelTransport)? {
        guard options.followsNotices else { return nil }
        if let own = setup.channels { return own }
        return setup.transport == nil ? SystemDefaults.channels(trust) : nil
    }
}

/// An account with its store, and what works on it.
final class OpenAccount {
    /// Nil before the first log in.
    let id: UUID?
    let store: Store
    /// Nil before the first log in.
    let loop: SyncLoop?
    let analytics: Analytics

    init(id: UUID?, store: Store, loop: SyncLoop?, analytics: Analytics) {
        (self.id, self.store, self.loop, self.analytics) = (id, store, loop, analytics)
    }

    /// Ends the use of the store.
    func close() {
        analytics.close()
        store.close()
    }
}
