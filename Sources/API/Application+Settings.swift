import CloudSync
import Storage

extension Application {
    /// The services that the handlers use.
    public struct Services: Sendable {
        /// Accounts and sessions.
        public var accounts: AccountService
        /// Identifies the sender of a request.
        public var authenticator: Authenticator
        /// Threads for large bodies and documents.
        public var work: LargeWork
        /// Camera configurations.
        public var configurations: ConfigurationService
        /// Recordings.
        public var recordings: RecordingService
        /// The uploads of recordings' files.
        public var uploads: UploadService
        /// Usage and limits of accounts.
        public var quotas: QuotaService
        /// Links to recordings' files.
        public var downloads: DownloadService
        /// Recordings' files.
        public var storage: ObjectStorage
        /// Checks that the storage belongs to the database.
        public var store: StoreIdentity
        /// Uploads straight to S3; nil where the files are on disk.
        public var directUploads: DirectUploads?
        /// The devices of accounts.
        public var devices: DeviceService
        /// Usage figures of accounts.
        public var usage: UsageService
        /// The consents of people.
        public var consents: ConsentService
        /// Events that clients report.
        public var events: EventService
        /// Exports of accounts' data.
        public var exports: ExportService
        /// The erasure of accounts.
        public var erasure: AccountErasure
        /// The readiness to serve requests.
        public var readiness: ServiceReadiness

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
            erasure: AccountErasure,
            readiness: ServiceReadiness
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
            self.readiness = readiness
        }
    }

    /// The settings of an operator.
    public struct Settings: Sendable {
        /// Settings of uploads.
        public struct Uploads: Sendable {
            /// True if clients that can resume get a 104 before their bytes are read.
            public var announces = true
            /// The slowest accepted upload.
            public var minBytesPerSecond = 1024
            /// The id of this boot of the machine, a UUID in lower case.
            public var bootID: String

            /// Creates the defaults for a boot.
            public init(bootID: String) { self.bootID = bootID }
        }

        /// Settings of uploads.
        public var uploads: Uploads
        /// The URL that clients use, ending in `/v2`.
        public var publicURL: String
        /// The public URLs that clients may use, `publicURL` first; nil: any host is accepted.
        public var exclusiveURLs: [String]?
        /// The signatures that requests of sessions need.
        public var signatures: SignaturePolicy
        /// The largest configuration.
        public var documentMaxBytes: Int
        /// Bytes that a body may have around a document.
        public static let envelopeBytes = 4 << 10
        /// The largest body of a batch.
        public var batchBodyMaxBytes: Int
        /// Requests of an account per hour that change something; 0: unlimited.
        public var writesPerHourMax = 0
        /// How long clients must use TLS only, in seconds (RFC 6797); nil without TLS.
        public var strictTransportMaxAgeS: Int?
        /// The server's version.
        public var version: String
        /// The origins of the pages that may use the API, as browsers write them.
        public var corsOrigins: [String]
        /// The iOS apps that may use passkeys.
        public var appleAppIDs: [String]
        /// Receives the outcome of each request, on its loop, after the response was sent.
        public var report: @Sendable (RequestEvent) -> Void

        /// Sets the values.
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
