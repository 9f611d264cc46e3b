import Glibc
import HTTP

/// The limit of open descriptors (RLIMIT_NOFILE) and the connections that fit into it.
package struct DescriptorLimit {
    /// The descriptors that are not accepted client connections: log, listeners, epoll, files and operators'
    /// connections. On each loop there are also the database connections and the client connections that are being
    /// rejected or wait for a place.
    private static func othersMax(_ settings: Settings) -> Int {
        256 + settings.connectionsNeeded + settings.eventLoops * (ServerLimits.refusingMax + ServerLimits.waitingMax)
    }

    /// The server starts with at least this limit of connections.
    private static let connectionsMin = 16

    let descriptorsMax: Int

    /// The descriptors for all connections and everything else.
    package static func needed(_ settings: Settings) -> Int {
        settings.server.connectionsMax + othersMax(settings)
    }

    /// Raises the limit to the hard limit.
    package static func raised() -> DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(descriptorsMax: .max)
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return DescriptorLimit(descriptorsMax: Int(clamping: limit.rlim_cur))
    }

    /// Lowers `connections_max` to the number that fits, and reports it: a clear 503 is better than clients that wait
    /// for descriptors.
    package func fitted(_ settings: Settings, report: (String) -> Void) -> Settings {
        let others = Self.othersMax(settings)
        let fittingMax = max(Self.connectionsMin, descriptorsMax - min(others, descriptorsMax))
        guard settings.server.connectionsMax > fittingMax else { return settings }
        report(
            "connections_max=\(settings.server.connectionsMax) does not fit into \(descriptorsMax) descriptors: at most \(fittingMax) are taken; "
                + "raise LimitNOFILE (systemd) or ulimit -n"
        )
        var settings = settings
        settings.server.connectionsMax = fittingMax
        return settings
    }
}
