import Foundation
import Net
import TestSupport
import Testing

@Suite("The console command for operators", .blocking)
struct OperatorConsoleTests {
    @Test("An operator reads the server's figures and the doctor's findings")
    func figures() throws {
        let server = try Shared.server.get()
        let console = try RunningConsole(server)
        #expect(try console.send("GET", "/api/ready").string("status") == "ready")
        let metrics = try console.send("GET", "/api/metrics")
        #expect(metrics.status == 200 && metrics.text.contains("\nneuroviews_"))
        let doctor = try console.send("POST", "/api/doctor")
        #expect(doctor.objects("findings").contains { $0["subject"] as? String == "settings" })
        let usage = try console.send("GET", "/api/usage?days=7").json["usage"] as? [String: Any]
        #expect((usage?["days"] as? [Any])?.count == 7)
        #expect(try console.send("GET", "/v2/version").status == 404)
    }

    @Test("An operator finds an account by its prefix, disables and enables it, and the trail has each step once")
    func accounts() throws {
        let phone = try Shared.newDevice()
        let console = try RunningConsole(Shared.server.get())
        let found = try console.send("GET", "/api/accounts?prefix=\(phone.email.dropLast().uppercased())")
        #expect(found.members("email", of: "accounts") == [phone.email])
        #expect(found.json["next"] is NSNull)
        let after = try console.send("GET", "/api/accounts?prefix=\(phone.email.dropLast())&after=\(phone.email)")
        #expect(after.objects("accounts").isEmpty)
        let path = "/api/accounts/\(phone.email)"
        let shown = try console.send("GET", path)
        #expect(shown.members("id", of: "sessions") == [phone.sessionID])
        #expect((shown.json["account"] as? [String: Any])?["id"] as? String == phone.userID)
        #expect(try console.send("POST", "\(path)/disable").int("ended") == 1)
        #expect(try phone.pull().verdict == "401 account-disabled")
        #expect(try console.send("POST", "\(path)/enable").int("ended") == 0)
        #expect(try console.send("POST", "\(path)/remove-app").int("ended") == 0)
        let next = try phone.other()
        #expect(try console.send("POST", "\(path)/end-sessions").int("ended") == 1)
        #expect(try next.pull().verdict == "401 session-ended")
        let actions: [String] = try console.send("GET", path).members("action", of: "actions")
        #expect(actions == ["show", "end sessions", "remove app", "enable", "disable", "show"])
        let trail: [String] = try console.send("GET", "/api/trail").members("email", of: "actions")
        #expect(trail.contains(phone.email))
        #expect(try console.send("GET", "/api/accounts/nobody@example.org").status == 404)
    }

    @Test("SIGTERM ends the console with status 0, and no server has its routes")
    func end() throws {
        let server = try Shared.server.get()
        let console = try RunningConsole(server)
        #expect(console.stop() == 0)
        for port in [server.client, server.adminClient] {
            for path in ["/api/session", "/api/accounts", "/admin"] {
                #expect(try port.send("GET", path).status == 404, "\(path)")
            }
        }
    }
}

/// A process of `neuroviews-server console`, logged in.
private final class RunningConsole {
    private let process: SpawnedProgram
    private let client: APIClient
    private let token: String

    init(_ server: ServerProcess) throws {
        let path = Sandbox.makeFolder() + "/console.out"
        try Data().write(to: URL(fileURLWithPath: path))
        let output = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        var settings = SpawnedProgram.Settings()
        settings.environment = Program.environment
        settings.output = output.fileDescriptor
        // The console finds the admin listener by the server's note.
        let words = ["console", "--data", server.data]
        process = try withExtendedLifetime(output) { try SpawnedProgram(Program.server, words, settings) }
        var place: (port: UInt16, code: String)?
        try Deadline.wait("the console's address", seconds: 20) {
            let text = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            place = text.firstMatch(of: /127\.0\.0\.1:(\d+)\/[#]([\w-]{43})\n/).flatMap { match in
                UInt16(match.1).map { (port: $0, code: String(match.2)) }
            }
            return place != nil
        }
        guard let place else { throw Program.Failure("the console printed no address") }
        client = APIClient(port: place.port)
        token = try client.send("POST", "/api/session", body: #"{"code":"\#(place.code)"}"#).string("token")
    }

    deinit { _ = stop() }

    func send(_ method: String, _ target: String) throws -> HTTPAnswer {
        try client.send(method, target, [("Authorization", "Bearer \(token)")])
    }

    @discardableResult
    func stop() -> Int32? {
        if process.isRunning { _ = kill(process.number, SIGTERM) }
        return process.wait(seconds: 30)
    }
}
