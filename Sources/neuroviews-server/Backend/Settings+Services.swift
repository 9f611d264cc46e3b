import API
import CloudSync
import CommandWords
import HTTP
import Machine
import Media
import Operations
import Postgres
import PrivateCluster
import Settings

// Each service has settings of its own. This file makes them from the server's settings.

extension Database.Configuration {
    init(
        _ settings: Settings,
        _ logins: DatabaseLogins,
        loops: Int,
        _ report: @escaping @Sendable (DatabaseEvent) -> Void
    ) {
        self.init(connectionString: logins.application)
        backgroundConnectionString = logins.background
        let share = DatabaseShare(settings, loops: loops)
        writersPerLoop = share.writers
        readersPerLoop = share.readers
        largeReadersPerLoop = share.largeReaders
        backgroundsPerLoop = share.background
        self.report = report
    }
}

extension Application.Settings {
    init(_ settings: Settings, publicURL: String, _ report: @escaping @Sendable (RequestEvent) -> Void) {
        self.init(
            publicURL: publicURL,
            signatures: settings.signatures.policy,
            batchBodyMaxBytes: settings.constants.batchBodyMaxBytes,
            strictTransportMaxAgeS: settings.tlsFiles == nil ? nil : settings.hstsMaxAgeS,
            version: ServerVersion.current,
            corsOrigins: settings.corsOrigins,
            appleAppIDs: settings.passkeyUsers.appleApps,
            uploads: Application.Settings.Uploads(settings),
            report: report
        )
        hasConsole = settings.console == .on
        storeOrigin = settings.s3Endpoint.map { "\(settings.s3PublicEndpoint ?? $0)" }
        features = Features(settings)
        exclusiveURLs = settings.publicURLs.isEmpty ? nil : settings.publicURLs
        writesPerHourMax = settings.writesPerHourMax
    }
}

extension Application.Settings.Features {
    fileprivate init(_ settings: Settings) {
        self.init()
        registration = settings.registration
        mail = settings.messageSettings != nil
        passkeys = settings.relyingParty != nil
        previews = settings.previews == .on
        requiresSignatures = settings.signatures != .optional
    }
}

extension AccountQuotas {
    init(_ settings: Settings) {
        self.init(
            itemsMax: settings.itemsMax,
            tombstonesMax: Self.tombstonesMax,
            documentMaxBytes: Self.documentMaxBytes,
            historyMaxBytes: settings.historyMaxBytes
        )
    }
}

extension Settings.Signatures {
    fileprivate var policy: SignaturePolicy {
        switch self {
        case .optional: .optional
        case .required: .required()
        case .requiredV3: .required(lowestVersion: 3)
        }
    }
}

extension Application.Settings.Uploads {
    fileprivate init(_ settings: Settings) {
        self.init(bootID: BootID.current)
        announces = settings.uploadAnnounce == .on
        minBytesPerSecond = settings.server.bodyMinBytesPerSecond
    }
}

extension RecordingService.Limits {
    init(_ settings: Settings) {
        self.init()
        fileMaxBytes = settings.recordingMaxBytes
        accountMaxBytes = settings.recordingsMaxBytes
        openUploadsMax = settings.constants.openUploadsMax
    }
}

extension RecordingJobs.Settings {
    init(_ settings: Settings) {
        self.init()
        mediaJobs = settings.mediaJobs
        previews = settings.previews == .on ? PreviewLimits() : nil
    }
}

extension Settings {
    /// The settings of analytics events.
    func events(report: @escaping @Sendable (EventReceipt) -> Void = { _ in }) -> EventService.Settings {
        EventService.Settings(
            keptDays: analyticsRetentionDays,
            eventsMax: EventService.eventsMax,
            now: Clock.now,
            report: report
        )
    }

    /// The limits of old versions and conflicts.
    var retentionLimits: HistorySweep.Limits {
        HistorySweep.Limits(
            versionsMax: versionsMax,
            versionsDays: versionsKeptDays,
            conflictsMax: versionsMax,
            conflictsDays: versionsKeptDays
        )
    }
}
