import API
import HTTP
import Net
import Observability
import Settings
import Synchronization

extension Server {
    /// For operators and their tools.
    private static let adminConnectionsMax = 64
    /// Operators' requests take no longer than this.
    static let adminDrainMaxMs = 1000

    /// Serves health, readiness and metrics of the process with that backend.
    convenience init(
        admin listener: Listener,
        _ backend: Backend,
        _ settings: Settings,
        _ metrics: Metrics,
        _ stopping: StopFlag
    ) throws {
        let admin = try AdminApplication(
            hosts: AdminHosts(settings.adminHosts),
            isReady: { stopping.isSet ? "the server is stopping" : await backend.missing() },
            metrics: { try await metrics.text() }
        )
        self.init(admin: listener, backend.loops[0], settings, admin)
    }

    /// That application on the admin listener.
    convenience init(admin listener: Listener, _ loop: EventLoop, _ settings: Settings, _ admin: AdminApplication) {
        var limits = settings.server
        limits.connectionsMax = Self.adminConnectionsMax
        self.init(
            listener,
            loops: [loop],
            limits: limits,
            fixedFields: admin.fixedFields,
            refusal: admin.refuse,
            handler: admin.respond
        )
    }
}

extension Settings {
    /// The names that the admin listener answers to, besides IP addresses.
    var adminHosts: [String] {
        HostName.all + publicURLs.compactMap { url in url.split(separator: "/").dropFirst().first.map { String($0) } }
    }
}

/// True once the process was asked to stop.
final class StopFlag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { value.load(ordering: .relaxed) }
    func set() { value.store(true, ordering: .relaxed) }
}
