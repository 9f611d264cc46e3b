import Glibc
import HTTP

/// How many descriptors the process may have (RLIMIT_NOFILE), and what that means for its connections.
struct DescriptorLimit {
    /// Descriptors that are no client connections: log, listeners, epoll, files, connections of operators, and on each loop
    /// those to the database and those that are being refused.
    private static func othersMax(_ settings: Settings) -> Int {
        256 + settings.eventLoops * (settings.databaseConnections + 4 + ServerLimits.refusingMax)
    }

    /// Fewer connections than that are not worth starting for.
    private static let connectionsMin = 16

    let descriptorsMax: Int

    /// As many as all connections and everything else may take.
    static func needed(_ settings: Settings) -> Int {
        settings.connectionsMax + othersMax(settings)
    }

    /// Raises the limit as far as this process may.
    static func raised() -> DescriptorLimit {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return DescriptorLimit(descriptorsMax: .max)
        }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return DescriptorLimit(descriptorsMax: Int(clamping: limit.rlim_cur))
    }

    /// Lowers `connections_max` to what fits, and says so: a clear 503 is better than clients that wait for descriptors.
    func fitted(_ settings: Settings, _ log: LogWriter) -> Settings {
        let others = Self.othersMax(settings)
        let fittingMax = max(Self.connectionsMin, descriptorsMax - min(others, descriptorsMax))
        guard settings.connectionsMax > fittingMax else { return settings }
        log.write(
            .error,
            "connections_max=\(settings.connectionsMax) does not fit into \(descriptorsMax) descriptors: at most \(fittingMax) are taken; "
                + "raise LimitNOFILE (systemd) or ulimit -n"
        )
        var settings = settings
        settings.connectionsMax = fittingMax
        return settings
    }
}
