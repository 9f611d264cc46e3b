import CloudSync
import Storage

extension Application {
    /// What the handlers work with.
    public struct Services: Sendable {
        /// Accounts and sessions.
        public var accounts: AccountService
        /// Who sends a request.
        public var authenticator: Authenticator
        /// Threads for large bodies and documents.
        public var work: LargeWork
        /// Camera configurations.
        public var configurations: ConfigurationService
        /// Recordings.
        public var recordings: RecordingService
        /// The uploads of recordings' files.
        public var uploads: UploadService
        /// What accounts have.
        public var quotas: QuotaService
        /// Links to recordings' files.
        public var downloads: DownloadService
        /// Recordings' files.
        public var storage: ObjectStorage
        /// Whether that is the database's store.
        public var store: StoreIdentity
        /// Uploads straight to S3; nil where the files are on disk.
        public var directUploads: DirectUploads?
        /// The devices of accounts.
        public var devices: DeviceService
        /// Figures of what accounts do.
        public var usage: UsageService
        /// What people have agreed to.
        public var consents: ConsentService
        /// What clients report.
        public var events: EventService
        /// What accounts take along.
        public var exports: ExportService
        /// The end of accounts.
        public var erasure: AccountErasure

        /// Collects the services.
        public init(
            accounts: AccountService,
            authenticator: Authenticator,
            work: LargeWork,
            configurations: ConfigurationService,
            recordings: RecordingService,
            uploads: UploadService,
            quotas: QuotaService,
            downloads: DownloadService,
            storage: ObjectStorage,
            store: StoreIdentity,
            directUploads: DirectUploads?,
            devices: DeviceService,
            usage: UsageService,
            consents: ConsentService,
            events: EventService,
            exports: ExportService,
            erasure: AccountErasure
        ) {
            self.accounts = accounts
            self.authenticator = authenticator
            self.work = work
            self.configurations = configurations
            self.recordings = recordings
            self.uploads = uploads
            self.quotas = quotas
            self.downloads = downloads
            self.storage = storage
            self.store = store
            self.directUploads = directUploads
            self.devices = devices
            self.usage = usage
            self.consents = consents
            self.events = events
            self.exports = exports
            self.erasure = erasure
        }
    }

    /// What an operator may set.
    public struct Settings: Sendable {
        /// What concerns uploads.
        public struct Uploads: Sendable {
            /// Whether clients that can resume are told so by a 104 before their bytes are read.
            public var announces = true
            /// The slowest upload.
            public var minBytesPerSecond = 1024
            /// Names this boot of the machine, a UUID in small letters.
            public var bootID: String

            /// The defaults, in that boot.
            public init(bootID: String) { self.bootID = bootID }
        }

        /// What concerns uploads.
        public var uploads: Uploads
        /// The URL that clients use, ending in `/v2`.
        public var publicURL: String
        /// The public URLs that clients may use, `publicURL` first; nil: the host of a request is no matter.
        public var exclusiveURLs: [String]?
        /// Which signatures requests of sessions need.
        public var signatures: SignaturePolicy
        /// The largest configuration.
        public var documentMaxBytes: Int
        /// What a body may have around a document.
        public static let envelopeBytes = 4 << 10
        /// The largest body of a batch.
        public var batchBodyMaxBytes: Int
        /// Requests of an account in an hour that change something; 0: any number.
        public var writesPerHourMax = 0
        /// How long clients are to come over TLS only, in seconds (RFC 6797); nil without TLS.
        public var strictTransportMaxAgeS: Int?
        /// The server's version.
        public var version: String
        /// The origins whose pages may use the interface, as browsers write them.
        public var corsOrigins: [String]
        /// The iOS apps that may use passkeys.
        public var appleAppIDs: [String]
        /// Told what became of each request, on its loop, when the answer was sent.
        public var report: @Sendable (RequestEvent) -> Void

        /// Takes the values.
        public init(
            publicURL: String,
            signatures: SignaturePolicy,
            documentMaxBytes: Int,
            batchBodyMaxBytes: Int = 4 << 20,
            strictTransportMaxAgeS: Int? = nil,
            version: String,
            corsOrigins: [String] = [],
            appleAppIDs: [String] = [],
            uploads: Uploads,
            report: @escaping @Sendable (RequestEvent) -> Void
        ) {
            self.publicURL = publicURL
            self.signatures = signatures
            self.documentMaxBytes = documentMaxBytes
            self.batchBodyMaxBytes = batchBodyMaxBytes
            self.strictTransportMaxAgeS = strictTransportMaxAgeS
            self.version = version
            self.corsOrigins = corsOrigins
            self.appleAppIDs = appleAppIDs
            self.uploads = uploads
            self.report = report
        }
    }
}
