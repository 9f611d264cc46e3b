import CloudSync
import Machine
import Net
import NeuroViewsCrypto
import Observability
import Operations
import Postgres
import PrivateCluster
import Settings
import Storage

/// The loops, the database and the services on it: all parts of a server except the listeners.
final class Backend: Sendable {
    let loops: [EventLoop]
    let database: Database
    let keys: KeyRing
    /// Follows rotations of the master key.
    let keyWatch: KeyWatch
    let accounts: AccountService
    /// The store of recording files.
    let storage: ObjectStorage
    /// Counts of the store's errors.
    let storageErrors = StorageErrorCounts()
    /// Checks that the store belongs to this database.
    let store: StoreIdentity
    /// Doubts a clock of the database that has jumped ahead.
    let clock: ClockWatch
    /// The rejected passwords.
    let commonPasswords: CommonPasswords
    /// The OpenID providers with accepted ID tokens.
    let openID: ProviderFetching
    /// Signalled when mails may be due.
    let mailsWaiting: Wakeup
    /// Signalled when recording files may have due jobs.
    let jobsWaiting: Wakeup
    /// The accounts that other servers have to hear of; nil where realtime is off.
    let hints: AccountHints?
    /// The sockets of devices; nil where realtime is off, and in processes without sockets.
    let realtime: RealtimeHub?
    /// The ledger of erased accounts.
    let ledger: ErasureLedger
    /// The number of erased accounts that a restore had brought back. They are being erased again.
    let erasedAgain: Int
    private let hashing: BlockingPool
    let largeWork: LargeWork
    let storagePool: BlockingPool

    /// The most logins that wait for the hashing thread. Each takes it about 0.3 s. Beyond that, logins of the client
    /// with the most waiting ones are rejected.
    private static let loginsWaitingMax = 32

    /// The process that the parts are for.
    enum Purpose {
        case server
        /// `media` works beside a server and leaves the folder and the tables unchanged.
        case media
        /// A command may be the first to use the folder, or run beside a server.
        case command

        /// True if this process migrates, makes the secret and settles restores and erasures.
        var prepares: Bool { self != .media }
    }

    /// Migrates, connects and compares the secret with the database's keys. No connection as the owner stays open.
    /// Blocks, and waits for the database as `waiting` does.
    init(
        _ settings: Settings,
        _ logins: DatabaseLogins,
        loops loopCount: Int,
        for purpose: Purpose,
        waiting: DatabaseWaiting = .not,
        report: @escaping @Sendable (DatabaseEvent) -> Void
    ) throws {
        // Before any change, because these files may be invalid.
        let openID = try ProviderFetching(purpose.prepares ? settings : Settings())
        self.openID = openID
        let (file, ledger, erasedAgain) = try waiting.run { try Self.prepare(settings, logins, purpose) }
        (self.ledger, self.erasedAgain) = (ledger, erasedAgain)
        loops = try (0..<loopCount).map { index throws(SystemError) in try EventLoop(index: index) }
        database = try Database(Database.Configuration(settings, logins, loops: loopCount, report), loops: loops)
        let mailsWaiting = Wakeup(loops[0])
        self.mailsWaiting = mailsWaiting
        commonPasswords = CommonPasswords.load(settings.constants.commonPasswords)
        storagePool = try Settings.storagePool()
        (keys, keyWatch) = try Self.openKeys(file, settings, database, loops[0], storagePool, waiting)
        jobsWaiting = Wakeup(loops[0])
        hints = settings.realtime == .on && purpose != .command ? AccountHints() : nil
        realtime = Self.hub(purpose == .server ? hints : nil, database, keyWatch.serverID, loops)
        storage = try settings.openStorage(storagePool) { [storageErrors] in storageErrors.add($0) }
        if purpose == .server, case .disk(let disk) = storage {
            try settings.withRightsOfStorage { try disk.removeLeftovers() }
        }
        store = StoreIdentity(database: database, storage: storage)
        clock = ClockWatch(database: database, now: Clock.now)
        hashing = try BlockingPool(threads: 1, queueMax: Self.loginsWaitingMax, nice: 5)
        largeWork = try LargeWork(threads: loopCount)
        accounts = AccountService(
            database: database,
            keys: keys,
            hashing: hashing,
            limits: AttemptLimits(database: database, keys: keys, maxima: settings.attempts),
            settings: Self.accountSettings(settings, commonPasswords, openID, mailsWaiting)
        )
    }

    private static func hub(
        _ hints: AccountHints?,
        _ database: Database,
        _ serverID: String,
        _ loops: [EventLoop]
    ) -> RealtimeHub? {
        hints.map { RealtimeHub(database: database, serverID: serverID, loops: loops, hints: $0) }
    }

    private static func accountSettings(
        _ settings: Settings,
        _ commonPasswords: CommonPasswords,
        _ openID: ProviderFetching,
        _ mailsWaiting: Wakeup
    ) -> AccountService.Settings {
        var own = AccountService.Settings(
            registration: settings.registration,
            passwords: commonPasswords.rules,
            now: Clock.now,
            wakeMails: wakeMails(mailsWaiting, settings),
            relyingParty: settings.relyingParty
        )
        own.providers = openID.providers
        #if DEBUG
            own.passwordCost = .forTests(logN: settings.constants.passwordCost)
        #endif
        return own
    }

    /// The preparations that need the database before the pools. They can be repeated.
    private static func prepare(
        _ settings: Settings,
        _ logins: DatabaseLogins,
        _ purpose: Purpose
    ) throws -> (file: [MasterKey], ledger: ErasureLedger, erasedAgain: Int) {
        if settings.databaseURL != nil {
            for login in Set([logins.application, logins.background]) { _ = try BlockingSession(login) }
        }
        if purpose.prepares {
            _ = try DataDirectory.prepare(settings.data)
            try RestoreJournal.settle(settings, logins.owner ?? logins.background)
        }
        let file = try secret(settings, makesIt: purpose.prepares)
        let role = DatabaseRole.background.rawValue
        let ledger = ErasureLedger(dataFolder: settings.dataFolder, logins.background, as: role)
        guard purpose.prepares else { return (file, ledger, 0) }
        try migrate(logins)
        return (file, ledger, try ledger.settle())
    }

    /// Without the owner's login another process must have migrated.
    private static func migrate(_ logins: DatabaseLogins) throws(MigrationError) {
        if let owner = logins.owner {
            try Migrator.current.run(owner)
        } else {
            try Migrator.current.check(logins.background)
        }
    }

    /// Returns nil if no mail is sent.
    static func wakeMails(_ waiting: Wakeup, _ settings: Settings) -> (@Sendable () -> Void)? {
        guard settings.messageSettings != nil else { return nil }
        return { waiting.signal() }
    }

    /// The sources of the metrics.
    var measured: Metrics.Sources {
        Metrics.Sources(
            loops: loops,
            database: database,
            storage: storage,
            storageErrors: storageErrors,
            clock: clock,
            largeWork: largeWork,
            hashesWaiting: { [hashing] in hashing.waitingCount },
            realtime: realtime
        )
    }

    /// To be called after each commit of an item, with its account.
    var announceItems: @Sendable (String) -> Void {
        guard let hints else { return { _ in } }
        return { [realtime] userID in
            guard let account = AccountID(userID) else { return }
            if let realtime { realtime.announce(.heads, of: account) } else { hints.add(account, .heads) }
        }
    }

    /// Cancels transfers to and from S3, which may take long.
    func stopTransfers() {
        if case .s3(let s3) = storage { s3.stop() }
    }

    /// Closes connections and ends the threads.
    func stop() {
        // Throws nothing: an error is reported.
        try? wait { backend in
            await backend.keyWatch.leave()
            await backend.database.close()
        }
        hashing.stop()
        largeWork.stop()
        openID.stop()
        storagePool.stop()
        for loop in loops { loop.stop() }
    }

    /// Runs `body` on the first loop and blocks until it ends. Must not be called from a loop.
    func wait<T: Sendable>(_ body: @escaping @Sendable (Backend) async throws -> T) throws -> T {
        try BlockingWait.run(on: loops[0]) { try await body(self) }
    }
}
