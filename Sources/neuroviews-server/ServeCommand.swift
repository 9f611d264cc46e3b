import API
import CloudSync
import Foundation
import HTTP
import Net
import Postgres

/// `serve`: everything that runs until SIGTERM or SIGINT.
struct ServeCommand {
    private let settings: Settings
    private let log: LogWriter
    /// How long requests under way may take to finish when the server is stopped.
    private static let drainTimeoutMs: UInt64 = 10_000

    init(_ settings: Settings) {
        self.settings = settings
        log = LogWriter(level: settings.logLevel)
    }

    func run() throws {
        // Before the first thread, so that every thread inherits it: only `StopSignal.wait` takes these signals.
        let stop = StopSignal()
        let log = log
        defer { log.flush() }
        let tls = try settings.tlsFiles.map { try ServedCertificate($0, settings, log) }
        let address = try DatabaseAddress.start(settings, log)
        defer { address.cluster?.stop() }
        let backend = try Backend(settings, address.connectionString, loops: settings.eventLoops) { log.write($0) }
        defer { backend.stop() }
        address.cluster?.supervise()
        let servers = try startServers(backend, tls)
        startSweeping(backend)
        tls?.watchExpiry(on: backend.loops[0])
        stop.wait { tls?.reload() }
        log.write(.info, "stopping")
        stop.endAtOnceNextTime()
        for server in servers { try backend.wait { _ in await server.drain(timeoutMs: Self.drainTimeoutMs) } }
        log.write(.info, "stopped")
    }

    private func startServers(_ backend: Backend, _ tls: ServedCertificate?) throws -> [Server] {
        let listener = try listen(settings.listen, flag: "--listen")
        let adminListener = try listen(settings.adminListen, flag: "--admin-listen")
        let bound = settings.listen.with(port: listener.address.port)
        let application = try backend.application(settings, publicURL: settings.publicURL(listeningOn: bound)) {
            [log] in
            log.write($0)
        }
        let admin = try AdminApplication { await backend.missing() }
        let servers = [
            Server(
                listener,
                loops: backend.loops,
                limits: settings.serverLimits,
                tls: tls?.endpoint,
                fixedFields: application.fixedFields,
                refusal: application.refuse,
                handler: application.respond
            ),
            Server(
                adminListener,
                loops: [backend.loops[0]],
                limits: settings.serverLimits,
                refusal: admin.refuse,
                handler: admin.respond
            ),
        ]
        for server in servers { try backend.wait { _ in try await server.start() } }
        log.write(.info, "listening on \(listener.address) admin=\(adminListener.address)")
        return servers
    }

    private func listen(_ address: ListenAddress, flag: String) throws -> Listener {
        guard let socketAddress = SocketAddress(host: address.host, port: address.port) else {
            throw CommandFailure("\(address) is not an address: write \(flag) 127.0.0.1:8080.")
        }
        do {
            return try Listener(socketAddress)
        } catch  where error.code == EADDRINUSE {
            throw CommandFailure("\(address) is taken by another program: choose another address with \(flag).")
        } catch {
            throw CommandFailure("Can't listen on \(address) (\(error)): choose another address with \(flag).")
        }
    }

    /// Nonces that are no longer accepted anyway go every few minutes.
    private func startSweeping(_ backend: Backend) {
        let sweep = NonceSweep(database: backend.database)
        let loop = backend.loops[0]
        loop.spawn { [log] in
            while true {
                do {
                    try await sweep.run()
                } catch {
                    log.write(.error) {
                        $0.append("nonce sweep failed="); $0.appendQuoted("\(error)")
                    }
                }
                await loop.sleep(forMs: 300_000)
            }
        }
    }
}

extension Settings {
    /// The bounds of a listener.
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
        limits.connectionsMax = connectionsMax
        return limits
    }
}
