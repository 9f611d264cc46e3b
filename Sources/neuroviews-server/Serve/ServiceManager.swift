import Glibc
import Net

/// The service manager of this process: systemd, by the protocol of sd_notify(3). Without one, nothing is sent.
struct ServiceManager: Sendable {
    /// The interval in which the manager expects a sign of life; nil if it expects none.
    let watchdogMs: Int?
    private let socket: NotifySocket?

    init(environment: [String: String], process: Int32) {
        socket = environment["NOTIFY_SOCKET"].flatMap { NotifySocket($0) }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = isMeant ? environment["WATCHDOG_USEC"].flatMap { Int($0) } : nil
        watchdogMs = microseconds.flatMap { $0 > 0 ? max(1, $0 / 1000) : nil }
    }

    /// Reports that requests are served.
    func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

    /// Reports a reload; `ready` follows. Newer versions of systemd require the time.
    func reloading() { tell("RELOADING=1\nMONOTONIC_USEC=\(Monotonic.nowNs() / 1000)\nSTATUS=reloading") }

    /// Reports that running requests are being finished.
    func stopping() { tell("STOPPING=1\nSTATUS=finishing the requests under way") }

    /// Sends a status text for people.
    func status(_ text: String) { tell("STATUS=\(text)") }

    /// Reports that the process is alive.
    func alive() { tell("WATCHDOG=1") }

    /// Errors are ignored: the manager notices by its own means.
    private func tell(_ message: String) { try? socket?.send(message) }

    /// The environment variables of a service manager. They are for this process, so its children must not get them.
    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Removes these variables from the environment and returns them. Must be called before the first thread.
    static func takeVariables() -> [String: String] {
        var taken: [String: String] = [:]
        for name in variables {
            taken[name] = getenv(name).map { String(cString: $0) }
            unsetenv(name)
        }
        return taken
    }
}
