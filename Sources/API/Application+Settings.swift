import CloudSync
import Storage

extension Application {
    /// What the handlers work with.
    public struct Services: Sendable {
        /// Accounts and sessions.
        public var accounts: AccountService
        /// Who sends a request.
        public var authenticator: Authenticator
        /// Camera configurations.
        public var configurations: ConfigurationService
        /// Recordings.
        public var recordings: RecordingService
        /// What accounts have.
        public var quotas: QuotaService
        /// Links to recordings' files.
        public var downloads: DownloadService
        /// Recordings' files.
        public var storage: ObjectStorage
        /// The devices of accounts.
        public var devices: DeviceService

        /// Collects the services.
        public init(
            accounts: AccountService,
            authenticator: Authenticator,
            configurations: ConfigurationService,
            recordings: RecordingService,
            quotas: QuotaService,
            downloads: DownloadService,
            storage: ObjectStorage,
            devices: DeviceService
        ) {
            self.accounts = accounts
            self.authenticator = authenticator
            self.configurations = configurations
            self.recordings = recordings
            self.quotas = quotas
            self.downloads = downloads
            self.storage = storage
            self.devices = devices
        }
    }

    /// What an operator may set.
    public struct Settings: Sendable {
        /// The URL that clients use, ending in `/v2`.
        public var publicURL: String
        /// Whether unsigned requests are refused.
        public var requiresSignatures: Bool
        /// The largest body.
        public var bodyMaxBytes: Int
        /// The largest body of a batch.
        public var batchBodyMaxBytes: Int
        /// How long clients are to come over TLS only, in seconds (RFC 6797); nil without TLS.
        public var strictTransportMaxAgeS: Int?
        /// The server's version.
        public var version: String
        /// The origins whose pages may use the interface, as browsers write them.
        public var corsOrigins: [String]
        /// Told what became of each request, on its loop, when the answer was sent.
        public var report: @Sendable (RequestEvent) -> Void

        /// Takes the values.
        public init(
            publicURL: String,
            requiresSignatures: Bool,
            bodyMaxBytes: Int,
            batchBodyMaxBytes: Int = 4 << 20,
            strictTransportMaxAgeS: Int? = nil,
            version: String,
            corsOrigins: [String] = [],
            report: @escaping @Sendable (RequestEvent) -> Void
        ) {
            self.publicURL = publicURL
            self.requiresSignatures = requiresSignatures
            self.bodyMaxBytes = bodyMaxBytes
            self.batchBodyMaxBytes = batchBodyMaxBytes
            self.strictTransportMaxAgeS = strictTransportMaxAgeS
            self.version = version
            self.corsOrigins = corsOrigins
            self.report = report
        }
    }
}
