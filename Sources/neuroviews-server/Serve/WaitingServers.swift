import API
import HTTP
import Machine
import Net
import Observability
import Settings

/// Answer on the listeners while the server waits for its database: alive, not ready, and 503 for the rest. They leave the listeners to the
/// servers that follow.
final class WaitingServers: Sendable {
    private enum State {
        case new
        case started(Task<Void, Never>)
        case stopped
    }

    private let loop: EventLoop
    private let servers: [Server]
    private let addresses: String
    private let log: LogWriter
    private let manager: ServiceManager
    private let state = Locked(State.new)
    private let watchdog: Watchdog?

    private static let drainMaxMs: UInt64 = 1000

    /// They answer from `begin` on. Connections that come to a start which does not wait are left to the server.
    init(
        _ settings: Settings,
        _ listeners: Listeners,
        _ tls: ServedCertificate?,
        publicURL: String,
        _ manager: ServiceManager,
        _ log: LogWriter
    ) throws {
        let loop = try EventLoop(index: 0)
        self.loop = loop
        servers = try [
            Self.main(settings, listeners.main, tls, publicURL, loop),
            listeners.admin.map { try Self.admin(settings, $0, loop) },
        ].compactMap { $0 }
        addresses = servers.map(\.address.description).joined(separator: " admin=")
        (self.manager, self.log) = (manager, log)
        watchdog = Watchdog.started(for: manager, loops: [loop], log)
    }

    /// Begins to answer, and tells the service manager and the log. Does nothing when it was done, or is over.
    func begin() {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .started(loop.spawn { [servers] in for server in servers { try? await server.start() } })
            return true
        }
        guard isFirst else { return }
        log.write(.warning, "answering 503 on \(addresses)")
        manager.ready("waiting for the database")
    }

    /// Returns when the last answer was sent.
    func stop() {
        let before = state.withLock { state in
            defer { state = .stopped }
            return state
        }
        switch before {
        case .stopped: return
        case .new: break
        case .started(let beginning):
            try? BlockingWait.run(on: loop) { [servers] in
                await beginning.value
                for server in servers { await server.drain(timeoutMs: Self.drainMaxMs, keepsListening: true) }
            }
        }
        watchdog?.stop()
        loop.stop()
    }

    private static func main(
        _ settings: Settings,
        _ listener: Listener,
        _ tls: ServedCertificate?,
        _ publicURL: String,
        _ loop: EventLoop
    ) -> Server {
        let application = WaitingApplication(publicURL: publicURL, corsOrigins: settings.corsOrigins)
        return Server(
            listener,
            loops: [loop],
            limits: settings.server,
            tls: tls?.endpoint,
            fixedFields: application.fixedFields,
            refusal: application.refuse,
            handler: application.respond
        )
    }

    private static func admin(_ settings: Settings, _ listener: Listener, _ loop: EventLoop) throws -> Server {
        struct NotYet: Error {}
        let admin = try AdminApplication(
            hosts: AdminHosts(settings.adminHosts),
            isReady: { "waiting for the database" },
            metrics: { throw NotYet() }
        )
        return Server(admin: listener, loop, settings, admin)
    }
}
