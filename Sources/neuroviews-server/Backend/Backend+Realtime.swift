import API
import CloudSync
import Machine
import Observability
import Settings

extension Backend {
    /// Makes what the routes of realtime share; nil where realtime is off.
    func realtimeServices(_ settings: Settings, _ counts: RealtimeCounts, _ log: LogWriter) -> RealtimeServices? {
        guard let hub = realtime else { return nil }
        return RealtimeServices(
            hub: hub,
            commands: CommandService(database: database, hub: hub, counts: counts),
            counts: counts,
            loops: loops,
            connectionsMax: settings.server.connectionsMax,
            drainTimeoutMs: UInt64(settings.drainTimeoutMs),
            now: Clock.now,
            report: { log.write($0) }
        )
    }
}
