import API
import CloudSync
import Machine
import Observability
import Postgres
import PrivateCluster
import Settings

extension Backend {
    /// Makes the application of the public listener.
    func application(
        _ settings: Settings,
        publicURL: String,
        realtime: RealtimeServices?,
        events: EventCounts,
        log: LogWriter,
        report: @escaping @Sendable (RequestEvent) -> Void
    ) throws -> Application {
        var services = try services(settings, events: events, log)
        services.realtime = realtime
        var own = Application.Settings(settings, publicURL: publicURL, report)
        own.features.providers = openID.providers.names
        return try Application(services, own)
    }

    private func services(
        _ settings: Settings,
        events: EventCounts,
        _ log: LogWriter
    ) throws -> Application.Services {
        let devices = DeviceService(database: database, now: Clock.now)
        return Application.Services(
            accounts: accounts,
            authenticator: Authenticator(keys: keys, now: Clock.now),
            work: largeWork,
            configurations: configurations(settings, devices),
            recordings: recordings(settings, devices),
            uploads: UploadService(database: database, keys: keys) { events.addResumedUpload() },
            quotas: QuotaService(
                database: database,
                items: AccountQuotas(settings),
                files: RecordingService.Limits(settings),
                eventsMax: EventService.eventsMax
            ),
            downloads: DownloadService(
                database: database,
                keys: keys,
                makesPreviews: settings.previews == .on,
                now: Clock.now,
                reportSent: { events.addDownloaded($0) }
            ),
            storage: storage,
            store: store,
            directUploads: directUploads,
            devices: devices,
            usage: UsageService(database: database, work: largeWork),
            consents: ConsentService(database: database),
            events: EventService(database: database, settings: settings.events { events.add($0) }),
            exports: ExportService(database: database),
            erasure: try accountErasure(settings, log),
            readiness: ServiceReadiness { [self] in await missing() }
        )
    }

    private func configurations(_ settings: Settings, _ devices: DeviceService) -> ConfigurationService {
        ConfigurationService(
            database: database,
            devices: devices,
            work: largeWork,
            overlapSeconds: settings.constants.syncOverlapSeconds,
            quotas: AccountQuotas(settings),
            announce: announceItems
        )
    }

    private func recordings(_ settings: Settings, _ devices: DeviceService) -> RecordingService {
        RecordingService(
            database: database,
            keys: keys,
            devices: devices,
            overlapSeconds: settings.constants.syncOverlapSeconds,
            quotas: AccountQuotas(settings),
            limits: RecordingService.Limits(settings),
            wakeJobs: { [jobsWaiting] in jobsWaiting.signal() },
            announce: announceItems
        )
    }

    private var directUploads: DirectUploads? {
        guard case .s3(let s3) = storage else { return nil }
        return DirectUploads(database: database, s3: s3)
    }

    /// Returns the reason why the server cannot serve; nil if it can.
    func missing() async -> String? {
        do {
            return try await Migrator.current.misfit(in: database) ?? keyWatch.problem
        } catch {
            return "the database does not answer: \(error)"
        }
    }
}
