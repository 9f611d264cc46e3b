import CloudSync
import Glibc
import Net
import TestSupport
import Testing

@testable import Operations
@testable import PrivateCluster
@testable import Settings

@Suite("The doctor beside a running server", .blocking)
struct RunningServerCheckTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private var settings: Settings {
        var settings = Settings()
        settings.data = folder.path
        return settings
    }

    @Test("The doctor judges the addresses that the running server has noted, not those of its own settings")
    func flags() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        let address = ListenAddress(listener.address)
        let lock = try DataDirectoryLock(folder: folder.path)
        try lock.note(ServedAddresses(main: address, admin: .off))
        let place = DataPlace(settings)
        #expect(place.server == getpid())
        let findings = NetworkCheck(settings.served(at: place), place).findings()
        #expect(findings.first == .ok("listener", "\(address) is served by process \(getpid())"))
        #expect(findings.dropFirst().first == .ok("admin listener", "is off"))
        withExtendedLifetime((listener, lock)) {}
    }

    @Test("A lock file gives back its addresses, and none if they are incomplete", arguments: ["", "x\ny\n", "off\n"])
    func notes(lines: String) throws {
        let noted = ServedAddresses(
            main: ListenAddress(host: "::1", port: 9000, isIPv6: true),
            admin: .unix(path: "/run/admin.sock")
        )
        let lock = try DataDirectoryLock(folder: folder.path)
        try lock.note(noted)
        #expect(ServedAddresses(folder: folder.path) == noted)
        withExtendedLifetime(lock) {}
        let other = try TemporaryFolder()
        _ = try other.file("lock", "4711\n\(lines)")
        #expect(ServedAddresses(folder: other.path) == nil)
    }

    @Test("A port of this program is taken if nobody uses the data folder, unless the database is elsewhere")
    func withoutLock() throws {
        let listener = try Listener(try #require(SocketAddress("127.0.0.1:0")))
        var own = settings
        own.listen = ListenAddress(listener.address)
        func finding() -> Finding? { NetworkCheck(own, DataPlace(own)).findings().first }
        let taken = finding()
        #expect(taken?.verdict == .wrong && taken?.detail.hasSuffix("is taken by another program") == true)
        own.databaseURL = "host=/nowhere"
        #expect(finding() == .ok("listener", "\(own.listen) is served by process \(getpid())"))
        withExtendedLifetime(listener) {}
    }

    @Test("A stopped private database is a fault beside a running server, and none without one")
    func stoppedDatabase() throws {
        _ = try folder.file("postgres/PG_VERSION", "15\n")
        func finding() -> Finding? { DatabaseCheck(settings, DataPlace(settings)).findings().first }
        #expect(finding()?.verdict == .ok)
        let lock = try DataDirectoryLock(folder: folder.path)
        let fault = finding()
        #expect(fault?.verdict == .wrong && fault?.subject == "database")
        #expect(fault?.detail.contains("process \(getpid())") == true)
        #expect(fault?.remedy?.contains("\(settings.dataFolder)/postgres.log") == true)
        withExtendedLifetime(lock) {}
    }

    private static let attendances: [(JobAttendance, Int, String?)] = [
        (JobAttendance(workers: 3, oldestSeconds: 600), 0, "ok"),
        (JobAttendance(workers: 0, oldestSeconds: 600), 2, "warning"),
        (JobAttendance(workers: 0, oldestSeconds: nil), 0, "warning"),
        (JobAttendance(workers: 0, oldestSeconds: 60), 2, nil),
    ]

    @Test("The doctor warns if no process checks files of recordings", arguments: attendances)
    func files(attendance: JobAttendance, mediaJobs: Int, verdict: String?) {
        #expect(JobCheck.finding(attendance, mediaJobs: mediaJobs)?.verdict.rawValue == verdict)
    }
}
