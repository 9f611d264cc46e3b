import CPostgres

/// The way to a database: its hosts, one after the other, each for a limited time. The last good one comes first.
struct HostRoute: Sendable {
    private let connectionString: String
    private let hosts: [DatabaseHost]
    /// For each host.
    let limitMs: UInt64
    /// The kind of host that is wanted; nil if the environment or a service says it.
    let sessionAttributes: String?

    /// libpq's `connect_timeout`, in seconds, is the limit for each host.
    private static let secondsAllowed = 1...60
    private static let oneHostMs: UInt64 = 5000
    private static let severalHostsMs: UInt64 = 2000
    /// A host that was silent has so much less time.
    private static let silentShare: UInt64 = 4

    init(_ connectionString: String, _ variable: (String) -> String? = LibpqEnvironment.value) {
        self.connectionString = connectionString
        hosts = DatabaseHost.all(in: connectionString, variable)
        let options = ConnectionOptions(connectionString)
        let isSaid = options.map { $0.namesService(variable) || $0.completed("target_session_attrs", variable) != nil }
        sessionAttributes = isSaid == true ? nil : hosts.count > 1 ? "read-write" : "any"
        let set = options?.completed("connect_timeout", variable)
        if let seconds = set.flatMap({ Int($0) }), seconds > 0 {
            let bounded = min(max(seconds, Self.secondsAllowed.lowerBound), Self.secondsAllowed.upperBound)
            limitMs = UInt64(bounded) * 1000
        } else {
            limitMs = hosts.count > 1 ? Self.severalHostsMs : Self.oneHostMs
        }
    }

    /// Connects to the first host that lets it in. Blocks; throws `.unusable` or `.unavailable`.
    func connect() throws(DatabaseError) -> OpaquePointer {
        let all = hosts.flatMap { $0.resolved() }
        guard !all.isEmpty else { return try attempt([], limitMs: limitMs).get() }
        var failures: [DatabaseError] = []
        for (host, isSilent) in HostMemory.shared.ordered(all) {
            let hostMs = isSilent && all.count > 1 ? limitMs / Self.silentShare : limitMs
            switch attempt(host.options, limitMs: hostMs) {
            case .connected(let handle):
                HostMemory.shared.noteGood(host, among: all)
                return handle
            case .silent(let error):
                HostMemory.shared.noteSilent(host)
                failures.append(error)
            case .failed(let error): failures.append(error)
            }
        }
        throw Self.together(failures)
    }

    private func attempt(_ host: [(String, String)], limitMs: UInt64) -> ConnectionAttempt {
        ConnectionAttempt.run(options + host, limitMs: limitMs)
    }

    /// Earlier options are defaults, which the connection string may override; those of the host override it.
    var options: [(String, String)] {
        [
            ("tcp_user_timeout", "30000"), ("target_session_attrs", sessionAttributes ?? ""),
            // Otherwise an answer of a host that has gone without a word is awaited for two hours.
            ("keepalives_idle", "10"), ("keepalives_interval", "5"), ("keepalives_count", "3"),
            ("dbname", connectionString),
            // The name is no default: a restore finds running servers by it.
            ("application_name", "neuroviews-server"), ("client_encoding", "UTF8"),
        ]
    }

    /// A host that refuses the login for good says more than one that is away.
    private static func together(_ failures: [DatabaseError]) -> DatabaseError {
        for failure in failures { if case .unusable = failure { return failure } }
        var reasons: [String] = []
        for case .unavailable(let reason) in failures where !reasons.contains(reason) { reasons.append(reason) }
        return .unavailable(reasons.joined(separator: "; "))
    }
}
