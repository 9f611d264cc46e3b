import CloudSync
import FoundationEssentials
import Glibc
import HTTP
import Storage

/// The settings of the server. Initial values are the defaults; `SettingDefinition.all` defines the notation of each.
struct Settings: Equatable, Sendable {
    enum Signatures: String, CaseIterable, Sendable {
        case required, optional
        case requiredV2 = "required-v2"
        case requiredV3 = "required-v3"
    }
    enum UploadAnnouncement: String, CaseIterable, Sendable { case on, off }
    enum Previews: String, CaseIterable, Sendable { case on, off }
    enum LogLevel: String, CaseIterable, Sendable { case error, warning, info, debug }
    enum LogFormat: String, CaseIterable, Sendable { case auto, json, text }

    var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The PEM files of certificate and key; both or neither.
    var tlsCertificate: String?
    var tlsKey: String?
    var adminListen = ListenAddress(host: "127.0.0.1", port: 8081)
    /// The configured URLs without a slash at the end, the published one first. If empty, `publicURL(listeningOn:)`
    /// follows the listener.
    var publicURLs: [String] = []
    /// A libpq URI or conninfo; nil: a private cluster under the data folder.
    var databaseURL: String?
    /// For the background role; nil: `databaseURL` is used.
    var backgroundDatabaseURL: String?
    /// For migrations and operators' commands. If nil, it is `databaseURL`, or none if `backgroundDatabaseURL` is set.
    var ownerDatabaseURL: String?
    var data = "./data"
    var storageReserveBytes = 1 << 30
    /// The S3 service for recording files; nil: they are in `objectsFolder`.
    var s3Endpoint: S3Endpoint?
    /// The service's address for clients; nil: the same as for this server.
    var s3PublicEndpoint: S3Endpoint?
    var s3Region = "us-east-1"
    var s3Bucket: String?
    var s3AccessKey: String?
    var s3SecretFile: String?
    /// A PEM file; nil: the system's certificate authorities.
    var s3CAFile: String?
    /// The configured file; nil: `secretFilePath` chooses a default.
    var explicitSecretFile: String?
    /// The folder of a service's credentials in systemd (LoadCredential=); nil without it.
    var credentialsFolder: String?
    var registration = RegistrationPolicy.closed
    /// A list of common passwords, which are rejected. The default is from the Debian package python3-zxcvbn.
    var commonPasswords = "/usr/lib/python3/dist-packages/zxcvbn/frequency_lists.py"
    /// The mail program, always set together with `mailFrom`. Nil: no mail is sent.
    var sendmail: String?
    var mailFrom: MailAddress?
    /// The target of links in mails.
    var accountURL: String?
    /// The domain of passkeys; nil: that of `explicitPublicURL`.
    var passkeyRPID: String?
    /// In the form that clients send.
    var passkeyOrigins: [String] = []
    var appleAppIDs: [String] = []
    /// The file of OpenID providers with accepted ID tokens; nil: none is accepted.
    var openIDProvidersFile: String?
    var signatures = Signatures.required
    var uploadAnnounce = UploadAnnouncement.on
    /// In the form that browsers send, without a slash at the end.
    var corsOrigins: [String] = []

    var eventLoops = ProcessInfo.processInfo.activeProcessorCount
    var databaseConnections = 8
    /// 0: what `databaseConnections` of each loop makes.
    var databaseConnectionsMax = 0
    var databaseQueueMax = 1024
    var databaseWaitMs = 5000

    var batchBodyMaxBytes = 4 << 20
    var headerMaxBytes = 16384
    var headerFieldsMax = 100
    var headerTimeoutMs = 10000
    var bodyTimeoutMs = 240_000
    var requestTimeoutMs = 300_000
    var idleTimeoutMs = 75000
    var bodyMinBytesPerSecond = 1024
    var answerTimeoutMs = 30000
    var tlsHandshakeTimeoutMs = 10000
    var connectionsMax = 10000
    var connectionsPerAddressMax = 1000
    var pipelineMaxBytes = 16384
    var buffersMaxBytes = 64 << 20
    var trustedProxies = TrustedProxies()
    var forwardedFields = TrustedProxies.Fields.xForwarded
    var drainTimeoutMs = 10000

    // Quotas of each account. Where 0 is allowed, it means unlimited.
    var itemsMax = 10_000
    var tombstonesMax = 100_000
    var documentMaxBytes = 1 << 20
    var historyMaxBytes = 1 << 30
    var recordingMaxBytes = 128 << 30
    var recordingsMaxBytes = 1 << 40
    var openUploadsMax = 100
    var eventsMax = 1_000_000

    // Limits of failed logins in 15 minutes, and of registrations and writes in an hour; 0: unlimited.
    var loginFailuresMax = 10
    var loginFailuresPerDeviceMax = 20
    var loginFailuresPerKnownAddressMax = 20
    var loginFailuresPerAddressMax = 100
    var registrationsPerAddressMax = 100
    var writesPerHourMax = 10_000

    /// 0: this server runs no such jobs.
    var mediaJobs = 2
    var mediaAdminListen = ListenAddress.off
    var previews = Previews.off
    var previewMaxSeconds = 600
    var previewCpuMaxS = 1800
    var previewMaxBytes = 512 << 20

    var tokenLifetimeS = 3600
    var syncOverlapS = 86400
    var clockSkewS = 300
    var idempotencyKeyLifetimeS = 86400
    var hstsMaxAgeS = 31_536_000

    /// 0: unlimited.
    var versionsMax = 100
    var versionsKeptDays = 365
    var conflictsMax = 100
    var conflictsKeptDays = 365
    var analyticsRetentionDays = 400

    var logLevel = LogLevel.info
    var logFormat = LogFormat.auto
    /// 0: no request is slow.
    var slowRequestMs = 1000

    /// The published URL, if configured.
    var explicitPublicURL: String? { publicURLs.first }

    /// The absolute path of the folder of recording files. It may be a volume of its own.
    var objectsFolder: String { dataFolder + "/objects" }

    /// The file of the master keys.
    var secretFilePath: String { explicitSecretFile ?? secretCredential ?? data + "/secret.key" }

    /// The kind of place of the secret file.
    var secretPlace: SecretFile.Place {
        explicitSecretFile != nil ? .named : secretCredential != nil ? .credential : .dataFolder
    }

    private var secretCredential: String? {
        guard let path = credentialsFolder.map({ $0 + "/secret.key" }) else { return nil }
        return access(path, F_OK) == 0 ? path : nil
    }

    /// The data folder's absolute path, for programs that start in another folder.
    var dataFolder: String { URL(fileURLWithPath: data).resolvingSymlinksInPath().path }

    /// The TLS files of the public listener; nil: it uses plain HTTP.
    var tlsFiles: TLSFiles? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return TLSFiles(certificatePath: tlsCertificate, keyPath: tlsKey)
    }

    /// The base of every absolute URL, by default with the listener's actual address. Nil if it is not configured and
    /// the listener is a Unix socket, which has no URL.
    func publicURL(listeningOn bound: ListenAddress) -> String? {
        explicitPublicURL ?? bound.authority.map { "\(tlsFiles == nil ? "http" : "https")://\($0)/v2" }
    }
}
