import API
import CloudSync
import HTTP
import Machine
import Media
import Postgres
import PrivateCluster
import Settings

// Each service has settings of its own. This file makes them from the server's settings.

extension Settings {
    /// The limits of a listener.
    var serverLimits: ServerLimits {
        var limits = ServerLimits()
        limits.wire = WireLimits(
            requestLineMaxBytes: headerMaxBytes,
            headMaxBytes: headerMaxBytes,
            fieldsMaxCount: headerFieldsMax
        )
        limits.headerTimeoutMs = UInt64(headerTimeoutMs)
        limits.idleTimeoutMs = UInt64(idleTimeoutMs)
        limits.bodyMinBytesPerSecond = bodyMinBytesPerSecond
        limits.transferTimeoutMs = UInt64(answerTimeoutMs)
        limits.bodyTimeoutMs = UInt64(bodyTimeoutMs)
        limits.requestTimeoutMs = UInt64(requestTimeoutMs)
        limits.connectionsMax = connectionsMax
        limits.connectionsPerAddressMax = connectionsPerAddressMax
        limits.pipelineMaxBytes = pipelineMaxBytes
        limits.buffersMaxBytes = buffersMaxBytes
        limits.trustedProxies = trustedProxies
        limits.trustedProxies.fields = forwardedFields
        return limits
    }
}

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
        backgroundsPerLoop = share.background
        waitersMax = settings.databaseQueueMax
        waitMs = UInt64(settings.databaseWaitMs)
        self.report = report
    }
}

extension Application.Settings {
    init(_ settings: Settings, publicURL: String, _ report: @escaping @Sendable (RequestEvent) -> Void) {
        self.init(
            publicURL: publicURL,
            signatures: settings.signatures.policy,
            documentMaxBytes: settings.documentMaxBytes,
            batchBodyMaxBytes: settings.batchBodyMaxBytes,
            strictTransportMaxAgeS: settings.tlsFiles == nil ? nil : settings.hstsMaxAgeS,
            version: ServerVersion.current,
            corsOrigins: settings.corsOrigins,
            appleAppIDs: settings.appleAppIDs,
            uploads: Application.Settings.Uploads(settings),
            report: report
        )
        exclusiveURLs = settings.publicURLs.isEmpty ? nil : settings.publicURLs
        writesPerHourMax = settings.writesPerHourMax
    }
}

extension AccountQuotas {
    init(_ settings: Settings) {
        self.init(
            itemsMax: settings.itemsMax,
            tombstonesMax: settings.tombstonesMax,
            documentMaxBytes: settings.documentMaxBytes,
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
        minBytesPerSecond = settings.bodyMinBytesPerSecond
    }
}

extension RecordingService.Limits {
    init(_ settings: Settings) {
        self.init()
        fileMaxBytes = settings.recordingMaxBytes
        accountMaxBytes = settings.recordingsMaxBytes
        openUploadsMax = settings.openUploadsMax
    }
}

extension AttemptLimits.Maxima {
    init(_ settings: Settings) {
        self.init()
        login = settings.loginFailuresMax
        device = settings.loginFailuresPerDeviceMax
        knownAddress = settings.loginFailuresPerKnownAddressMax
        address = settings.loginFailuresPerAddressMax
        registrations = settings.registrationsPerAddressMax
    }
}

extension RecordingJobs.Settings {
    init(_ settings: Settings) {
        self.init()
        guard settings.previews == .on else { return }
        var limits = PreviewLimits()
        limits.maxSeconds = settings.previewMaxS
        limits.cpuMaxSeconds = settings.previewCpuMaxS
        limits.maxBytes = settings.previewMaxBytes
        previews = limits
    }
}

extension Settings {
    /// The settings of analytics events.
    func events(report: @escaping @Sendable (EventReceipt) -> Void = { _ in }) -> EventService.Settings {
        EventService.Settings(
            clockSkewSeconds: clockSkewS,
            keptDays: analyticsRetentionDays,
            eventsMax: eventsMax,
            now: Clock.now,
            report: report
        )
    }

    /// The limits of old versions and conflicts.
    var retentionLimits: HistorySweep.Limits {
        HistorySweep.Limits(
            versionsMax: versionsMax,
            versionsDays: versionsKeptDays,
            conflictsMax: conflictsMax,
            conflictsDays: conflictsKeptDays
        )
    }
}
