import NeuroViewsCrypto
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The objects of a client that are confined to its actor: the session, and what belongs to its account.
final class Core {
    /// Of a folder's digest in the name of a session.
    private static let folderDigits = 16

    let session: Session
    let options: Options
    /// Nil if the client follows no notices.
    let channels: (any ChannelTransport)?
    let transfers = Transfers()
    /// Nil after a log out that kept the store, until somebody logs in.
    private(set) var account: OpenAccount?
    /// True between `start` and `stop` of the app.
    var isStarted = false
    private let folders: AccountFolders
    private let key: StoreKey
    private let secrets: any SecretStore
    private let place: (name: String, folder: String)
    private let systemID: String?
    private let trust: Trust
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
        self.secrets = secrets
        place = (name: address.folderName, folder: folder.path)
        key = StoreKey(secrets, name: "store_\(address.folderName)", lock: folder.path + "/key.lock")
        systemID = setup.systemID ?? SystemIdentity.current()
        trust = try Self.trust(address, options)
        let transport = if let own = setup.transport { own } else { try Self.transport(trust, options) }
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
        closeAccount()
        self.account = try opened(account?.id)
        feeds.changed([])
    }

    /// Opens the account's store, empty, if it was removed: the user has logged in again.
    func reopen() throws(ClientError) {
        guard account?.store.isRemoved == true else { return }
        closeAccount()
        account = try opened(session.state.account?.id)
        feeds.changed([])
    }

    /// Ends all that shows something of the account. What was made before the first log in goes over to the next one.
    private func closeAccount() {
        if account?.id != nil {
            transfers.forgetAll()
            feeds.presence.forget()
        }
        account?.close()
        account = nil
    }

    /// The account's store. Throws `.needsLogIn` if there is none: somebody has logged out.
    func openedStore() throws(ClientError) -> Store {
        if account?.store.isRemoved ?? true { try follow() }
        guard let account else { throw .needsLogIn(nil) }
        return account.store
    }

    /// Follows the stored session to its store: a log in or out of another process has renamed or removed the one here.
    /// Throws `.store(.removed)` if the session goes on without its store, which only a log in makes again.
    private func follow() throws(ClientError) {
        let stored = try session.vault.read()
        if let account, let user = account.id, user == stored?.account?.id, !account.store.isThere {
            throw .store(.removed)
        }
        closeAccount()
        // This opens the store if the session is another account's.
        try session.adopt(stored)
        guard account == nil else { return }
        account = try opened(stored?.account?.id)
        if account != nil { feeds.changed([]) }
    }

    /// The account's keys for sealed recordings. Throws `.needsLogIn` before anybody has logged in.
    func keyring() throws(ClientError) -> RecordingKeyring {
        guard let user = account?.id else { throw .needsLogIn(nil) }
        return keyring(of: user)
    }

    /// The keys of an account, which may have left.
    func keyring(of user: UUID) -> RecordingKeyring {
        RecordingKeyring(secrets, name: "recordings_\(place.name)_\(user.lower)", lock: place.folder + "/key.lock")
    }

    private func opened(_ user: UUID?) throws(ClientError) -> OpenAccount? {
        guard let path = try folders.path(of: user) else { return nil }
        let store = try Store.open(folder: path, key: try key.read(), systemID: systemID, place: setup.place)
        if case .replaced = store.opening { feeds.emit(.storeReplaced, waits: true) }
        store.onReplaced = { [feeds] _ in feeds.emit(.storeReplaced) }
        store.onMended = { [feeds] mended in feeds.tell(mended) }
        let loop = user.map { SyncLoop(store, session, feeds, account: $0, setup, options) }
        let analytics = Analytics(store: store, session: session, user: user, buffer: buffer, feeds: feeds)
        let background = user.flatMap { backgroundUploads(of: $0, in: path) }
        return OpenAccount(id: user, store: store, loop: loop, analytics: analytics, background: background)
    }

    /// The name of the system's session. An account has a store in each folder, which the server's is in, and two stores would end
    /// each other's tasks.
    private func sessionName(of user: UUID) -> String {
        let digest = Hex.encode(SHA256.hash(Array(SystemDefaults.lastingName(of: place.folder).utf8)))
        return "neuroviews/\(digest.prefix(Self.folderDigits))/\(place.name)/\(user.lower)"
    }

    /// The uploads that the system carries on, by a session with a name of the store's own.
    private func backgroundUploads(of user: UUID, in folder: String) -> BackgroundUploads? {
        let pieces = PieceFolder(folder + "/pieces")
        guard options.uploadsWhileAsleep else {
            // A version of the app with this option may have left some.
            pieces.keep([])
            return nil
        }
        let (ends, identifier) = (TaskEnds(), sessionName(of: user))
        let session =
            setup.backgroundSession?(identifier, ends)
            ?? SystemDefaults.backgroundSession(
                identifier,
                ends,
                trust,
                allowsCellular: options.allowsCellularUploads
            )
        guard let session else { return nil }
        return BackgroundUploads(identifier, session, ends, pieces, pieceMaxBytes: setup.pieceMaxBytes)
    }

    private static func trust(_ address: ServerAddress, _ options: Options) throws(ClientError) -> Trust {
        do throws(TransportError) { return try Trust(server: address.base, options) } catch { throw ClientError(error) }
    }

    private static func transport(_ trust: Trust, _ options: Options) throws(ClientError) -> any Transport {
        do throws(TransportError) {
            return try SystemDefaults.transport(trust, options)
        } catch {
            throw ClientError(error)
        }
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
    /// Nil if bytes are sent only while the app runs.
    let background: BackgroundUploads?

    init(id: UUID?, store: Store, loop: SyncLoop?, analytics: Analytics, background: BackgroundUploads?) {
        (self.id, self.store, self.loop, self.analytics) = (id, store, loop, analytics)
        self.background = background
    }

    /// Ends the use of the store.
    func close() {
        background?.close()
        analytics.close()
        store.close()
    }
}
