import Foundation
import Testing

@testable import Machine
@testable import Settings
@testable import neuroviews_server

@Suite("Sockets and credentials from a service manager", .blocking)
struct ServiceManagerTests {
    private func sockets(_ count: String, _ names: String? = nil, process: String = "7") throws -> InheritedSockets {
        var environment = ["LISTEN_FDS": count, "LISTEN_PID": process]
        environment["LISTEN_FDNAMES"] = names
        return try InheritedSockets(environment: environment, process: 7)
    }

    @Test(
        "Inherited sockets are assigned by their names, or else by their order",
        arguments: [
            ("0", nil, nil, nil), ("1", nil, 3, nil), ("2", nil, 3, 4), ("1", "public", 3, nil),
            ("1", "admin", nil, 3), ("2", "admin:public", 4, 3), ("2", "a.socket:a.socket", 3, 4),
        ] as [(String, String?, Int32?, Int32?)]
    )
    func order(count: String, names: String?, main: Int32?, admin: Int32?) throws {
        let sockets = try sockets(count, names)
        #expect(sockets.main == main && sockets.admin == admin)
    }

    @Test("Inherited sockets of another process are ignored")
    func otherProcess() throws {
        #expect(try sockets("2", process: "8") == InheritedSockets(environment: [:], process: 7))
    }

    @Test(
        "Unusable inherited sockets are refused with a sentence",
        arguments: [
            ("x", nil, "LISTEN_FDS"), ("-1", nil, "LISTEN_FDS"), ("3", nil, "3 sockets"),
            ("2", "public:metrics", "metrics"), ("2", "public:public", "public"),
        ] as [(String, String?, String)]
    )
    func refused(count: String, names: String?, word: String) throws {
        let failure = #expect(throws: CommandFailure.self) { _ = try sockets(count, names) }
        #expect(failure?.description.contains(word) == true)
    }

    @Test(
        "The watchdog's interval is read from the environment",
        arguments: [
            (["WATCHDOG_USEC": "30000000"], 30_000), (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"], 30_000),
            (["WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"], nil), (["WATCHDOG_USEC": "0"], nil), ([:], nil),
        ] as [([String: String], Int?)]
    )
    func watchdog(environment: [String: String], watchdogMs: Int?) {
        #expect(ServiceManager(environment: environment, process: 7).watchdogMs == watchdogMs)
    }

    @Test("systemd's credentials are the settings file and the master key, unless others are named")
    func credentials() throws {
        let folder = try TemporaryFolder()
        let environment = ["CREDENTIALS_DIRECTORY": folder.path]
        #expect(try serve([], environment).get().secretFilePath == "./data/secret.key")
        try "x".write(toFile: folder.path + "/secret.key", atomically: true, encoding: .utf8)
        let settings = try serve([], environment, files: [folder.path + "/settings": "DATA=/elsewhere"]).get()
        #expect(settings.data == "/elsewhere")
        #expect(settings.secretFilePath == folder.path + "/secret.key" && settings.secretPlace == .credential)
        let other = try serve(["--secret-file", "/key"], environment).get()
        #expect(other.secretFilePath == "/key" && other.secretPlace == .named)
    }
}
