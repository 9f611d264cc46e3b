import CloudSync
import HTTP
import Storage

extension Application {
    /// The services that the handlers use.
    package struct Services: Sendable {
        /// Accounts and sessions.
        package var accounts: AccountService
        /// Identifies the sender of a request.
        package var authenticator: Authenticator
        /// Threads for large bodies and documents.
        package var work: LargeWork
        /// Camera configurations.
        package var configurations: ConfigurationService
        /// Recordings.
        package var recordings: RecordingService
        /// The uploads of recordings' files.
        package var uploads: UploadService
        /// Usage and limits of accounts.
        package var quotas: QuotaService
        /// Links to recordings' files.
        package var downloads: DownloadService
        /// Recordings' files.
        package var storage: ObjectStorage
        /// Checks that the storage belongs to the database.
        package var store: StoreIdentity
        /// Uploads straight to S3; nil where the files are on disk.
        package var directUploads: DirectUploads?
        /// The devices of accounts.
        package var devices: DeviceService
        /// Usage figures of accounts.
        package var usage: UsageService
        /// The consents of people.
        package var consents: ConsentService
        /// Events that clients report.
        package var events: EventService
        /// Exports of accounts' data.
        package var exports: ExportService
        /// Sockets, notices and commands; nil: their paths are 404.
        package var realtime: RealtimeServices? = nil
        /// The erasure of accounts.
        package var erasure: AccountErasure
        /// The readiness to serve requests.
        package var readiness: ServiceReadiness

        /// Collects the services.
        package init(
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
    package struct Settings: Sendable {
        /// Settings of uploads.
        package struct Uploads: Sendable {
            /// True if clients that can resume get a 104 before their bytes are read.
            package var announces = true
            /// The slowest accepted upload.
            package var minBytesPerSecond = ServerLimits().bodyMinBytesPerSecond
            /// The id of this boot of the machine, a UUID in lower case.
            package var bootID: String

            /// Creates the defaults for a boot.
            package init(bootID: String) { self.bootID = bootID }
        }

        /// Settings of uploads.
        package var uploads: Uploads
        /// The URL that clients use, ending in `/v2`.
        package var publicURL: String
        /// The public URLs that clients may use, `publicURL` first; nil: any host is accepted.
        package var exclusiveURLs: [String]?
        /// The signatures that requests of sessions need.
        package var signatures: SignaturePolicy
        /// The largest configuration.
        package var documentMaxBytes: Int
        /// The largest body of a batch.
        package var batchBodyMaxBytes: Int
        /// Requests of an account per hour that change something; 0: unlimited.
        package var writesPerHourMax = 0
        /// How long clients must use TLS only, in seconds (RFC 6797); nil without TLS.
        package var strictTransportMaxAgeS: Int?
        /// The server's version.
        package var version: String
        /// The origins of the pages that may use the API, as browsers write them.
        package var corsOrigins: [String]
        /// The iOS apps that may use passkeys.
        package var appleAppIDs: [String]
        /// True if `/console` has the page for people.
        package var hasConsole = false
        /// The origin of recordings' files that are not on this server, for pages; nil if they are.
        package var storeOrigin: String?
        /// The features that clients read before a login.
        package var features = Features()
        /// Receives the outcome of each request, on its loop, after the response was sent.
        package var report: @Sendable (RequestEvent) -> Void

        /// Sets the values.
        package init(
            publicURL: String,
            signatures: SignaturePolicy,
            documentMaxBytes: Int = AccountQuotas.documentMaxBytes,
            batchBodyMaxBytes: Int,
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
