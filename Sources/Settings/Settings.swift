import CloudSync
import FoundationEssentials
import Glibc
import HTTP
import Storage

/// The settings of the server. Initial values are the defaults; `SettingDefinition.all` defines the notation of each.
package struct Settings: Equatable, Sendable {
    package enum Signatures: String, CaseIterable, Sendable {
        case required, optional
        case requiredV3 = "required-v3"
    }
    package enum UploadAnnouncement: String, CaseIterable, Sendable { case on, off }
    package enum Previews: String, CaseIterable, Sendable { case on, off }
    package enum Realtime: String, CaseIterable, Sendable { case on, off }
    package enum Console: String, CaseIterable, Sendable { case on, off }
    /// What happens to files where ffmpeg's sandbox can't be made.
    package enum UnsandboxedMedia: String, CaseIterable, Sendable {
        /// They are stored, and not decoded.
        case refuse
        /// They are decoded with the rights of the server's account.
        case acceptRisk = "accept-risk"
    }
    /// How mails are sent.
    package enum MailProgram: Equatable, Sendable {
        /// By a program with the interface of sendmail.
        case program(path: String)
        /// Not at all: their links are written into the log, for development.
        case log
    }
    package enum LogLevel: String, CaseIterable, Sendable { case error, warning, info, debug }
    package enum LogFormat: String, CaseIterable, Sendable { case auto, json, text }

    package var listen = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The PEM files of certificate and key; both or neither.
    package var tlsCertificate: String?
    package var tlsKey: String?
    package var adminListen = ListenAddress(host: "127.0.0.1", port: 8081)
    /// The configured URLs without a slash at the end, the published one first. If empty, `publicURL(listeningOn:)`
    /// follows the listener.
    package var publicURLs: [String] = []
    /// A libpq URI or conninfo; nil: a private cluster under the data folder.
    package var databaseURL: String?
    /// For the background role; nil: `databaseURL` is used.
    package var backgroundDatabaseURL: String?
    /// For migrations and operators' commands. If nil, it is `databaseURL`, or none if `backgroundDatabaseURL` is set.
    package var ownerDatabaseURL: String?
    package var data = "./data"
    /// The S3 service for recording files; nil: they are in `objectsFolder`.
    package var s3Endpoint: S3Endpoint?
    /// The service's address for clients; nil: the same as for this server.
    package var s3PublicEndpoint: S3Endpoint?
    package var s3Region = "us-east-1"
    package var s3Bucket: String?
    package var s3AccessKey: String?
    package var s3SecretFile: String?
    /// A PEM file; nil: the system's certificate authorities.
    package var s3CAFile: String?
    /// The configured file; nil: `secretFilePath` chooses a default.
    package var explicitSecretFile: String?
    /// The folder of a service's credentials in systemd (LoadCredential=); nil without it.
    package var credentialsFolder: String?
    package var registration = RegistrationPolicy.closed
    /// Every mail system for Linux has its program there.
    package var sendmail = MailProgram.program(path: "/usr/sbin/sendmail")
    /// The sender of mails; nil: no mail is sent, but those in the log.
    package var mailFrom: MailAddress?
    /// The configured target of links in mails.
    package var explicitAccountURL: String?
    /// The domain of passkeys; nil: that of `explicitPublicURL`.
    package var passkeyRPID: String?
    /// The sites and apps that use passkeys.
    package var passkeyUsers = PasskeyUsers()
    /// The file of OpenID providers with accepted ID tokens; nil: none is accepted.
    package var openIDProvidersFile: String?
    package var signatures = Signatures.required
    package var uploadAnnounce = UploadAnnouncement.on
    package var realtime = Realtime.on
    package var console = Console.on
    /// In the form that browsers send, without a slash at the end.
    package var corsOrigins: [String] = []

    package var eventLoops = ProcessInfo.processInfo.activeProcessorCount
    /// 0: 12 for each loop.
    package var databaseConnectionsMax = 0

    /// The limits of the public listener.
    package var server = ServerLimits()
    package var drainTimeoutMs = 10000

    // Quotas of each account. Where 0 is allowed, it means unlimited.
    package var itemsMax = 10_000
    package var historyMaxBytes = 1 << 30
    package var recordingMaxBytes = 128 << 30
    package var recordingsMaxBytes = 1 << 40

    /// Limits of failed logins in 15 minutes, and of registrations in an hour.
    package var attempts = AttemptLimits.Maxima()
    package var writesPerHourMax = 10_000

    /// 0: this server runs no such jobs.
    package var mediaJobs = 2
    package var previews = Previews.off
    package var unsandboxedMedia = UnsandboxedMedia.refuse

    package var hstsMaxAgeS = 31_536_000

    /// For old versions and for documents that lost a conflict alike; 0: unlimited.
    package var versionsMax = 100
    package var versionsKeptDays = 365
    package var analyticsRetentionDays = 400

    package var logLevel = LogLevel.info
    package var logFormat = LogFormat.auto

    /// Only a build for tests has settings for these.
    package var constants = Constants()

    package init() {}

    /// The published URL, if configured.
    package var explicitPublicURL: String? { publicURLs.first }

    /// The absolute path of the folder of recording files. It may be a volume of its own.
    package var objectsFolder: String { dataFolder + "/objects" }

    /// The free space that uploads leave on the volume of recording files: 1 GiB, or a tenth of a small volume.
    package static func storageReserveBytes(of volume: statvfs) -> Int {
        min(1 << 30, Int(clamping: UInt64(volume.f_blocks) * UInt64(volume.f_frsize) / 10))
    }

    /// The file of the master keys.
    package var secretFilePath: String { explicitSecretFile ?? secretCredential ?? data + "/secret.key" }

    /// The kind of place of the secret file.
    package var secretPlace: SecretFile.Place {
        explicitSecretFile != nil ? .named : secretCredential != nil ? .credential : .dataFolder
    }

    private var secretCredential: String? {
        guard let path = credentialsFolder.map({ $0 + "/secret.key" }) else { return nil }
        return access(path, F_OK) == 0 ? path : nil
    }

    /// The data folder's absolute path, for programs that start in another folder.
    package var dataFolder: String { URL(fileURLWithPath: data).resolvingSymlinksInPath().path }

    /// The TLS files of the public listener; nil: it uses plain HTTP.
    package var tlsFiles: TLSFiles? {
        guard let tlsCertificate, let tlsKey else { return nil }
        return TLSFiles(certificatePath: tlsCertificate, keyPath: tlsKey)
    }

    /// True if the URL means this machine alone.
    package static func isLocal(url: String) -> Bool {
        let authority = url.split(separator: "/").dropFirst().first ?? ""
        let host = authority.hasPrefix("[") ? authority.prefix { $0 != "]" } : authority.prefix { $0 != ":" }
        return host == "localhost" || host == "[::1" || host.hasPrefix("127.") && !host.contains { $0.isLetter }
    }

    /// The base of every absolute URL, by default with the listener's actual address. Nil if it is not configured and
    /// the listener is a Unix socket, which has no URL.
    package func publicURL(listeningOn bound: ListenAddress) -> String? {
        explicitPublicURL ?? bound.authority.map { "\(tlsFiles == nil ? "http" : "https")://\($0)/v2" }
    }
}

// MARK: The console

extension Settings {
    /// The target of links in mails; nil: mails have a code to copy. The console is one wherever its address is known.
    package var accountURL: String? { explicitAccountURL ?? explicitPublicURL.flatMap(consoleURL) }

    /// The origins that browsers send for the console's page, one for each public URL; none if it is off.
    package var consoleOrigins: [String] {
        let urls = publicURLs.isEmpty ? [publicURL(listeningOn: listen)].compactMap { $0 } : publicURLs
        return urls.compactMap(consoleURL).flatMap { url -> [String] in
            // Scheme and authority, which the first three slashes surround.
            let parts = url.split(separator: "/", maxSplits: 2).prefix(2)
            return Origin.list(parts.joined(separator: "//")) ?? []
        }
    }

    /// The console of a server with this public URL; nil if it is off.
    private func consoleURL(_ publicURL: String) -> String? {
        console == .on ? "\(publicURL.dropLast("/v2".count))/console" : nil
    }
}
