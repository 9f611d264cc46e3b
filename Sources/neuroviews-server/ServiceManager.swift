import Glibc
import Net

/// What started this process and wants to know how it is: systemd, by the protocol of sd_notify(3). Without one nothing
/// is told.
struct ServiceManager: Sendable {
    /// How often it wants to hear that the process is alive; nil when it doesn't.
    let watchdogMs: Int?
    private let socket: NotifySocket?

    init(environment: [String: String], process: Int32) {
        socket = environment["NOTIFY_SOCKET"].flatMap { NotifySocket($0) }
        let isMeant = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
        let microseconds = isMeant ? environment["WATCHDOG_USEC"].flatMap { Int($0) } : nil
        watchdogMs = microseconds.flatMap { $0 > 0 ? max(1, $0 / 1000) : nil }
    }

    /// Everything works and requests are answered.
    func ready(_ status: String) { tell("READY=1\nSTATUS=\(status)") }

    /// The settings are being read again; `ready` follows. The time is what newer versions of systemd want with it.
    func reloading() { tell("RELOADING=1\nMONOTONIC_USEC=\(Monotonic.nowNs() / 1000)\nSTATUS=reloading") }

    /// Requests under way are being finished.
    func stopping() { tell("STOPPING=1\nSTATUS=finishing the requests under way") }

    /// What the process does, for people.
    func status(_ text: String) { tell("STATUS=\(text)") }

    /// The process is alive.
    func alive() { tell("WATCHDOG=1") }

    /// A manager that can't be told has a way of its own to notice.
    private func tell(_ message: String) { try? socket?.send(message) }

    /// What a service manager says in the environment. It is about this process, so its children must not see it.
    private static let variables = [
        "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID", "LISTEN_FDS", "LISTEN_PID", "LISTEN_FDNAMES",
    ]

    /// Takes those variables out of the environment. Before the first thread.
    static func takeVariables() -> [String: String] {
        var taken: [String: String] = [:]
        for name in variables {
            taken[name] = getenv(name).map { String(cString: $0) }
            unsetenv(name)
        }
        return taken
    }
}
