import TestSupport
import Testing

@Suite("The user commands for operators", .blocking)
struct OperatorAccountTests {
    private func user(_ words: String...) throws -> Program {
        try Program.run([Program.server, "user"] + words + ["--data", Shared.server.get().data])
    }

    private func logIn(_ device: Device) throws -> String {
        let body = #"{"email":"\#(device.email)","password":"\#(Device.password)"}"#
        return try device.client.send("POST", "/v2/auth/login", body: body).verdict
    }

    @Test("A disabled account has no sessions, uploads nothing, and keeps its data; only its owner sees the reason")
    func disable() throws {
        let phone = try Shared.newDevice()
        let preset = Preset()
        #expect(try phone.post(preset.json).status == 201)
        let file = try FileOnItsWay(phone, FileOnItsWay.random(1000))
        #expect(try file.append(0..<500, isLast: false).status == 204)
        #expect(try user("disable", phone.email.uppercased()).output.hasSuffix("sessions ended: 1\n"))
        #expect(try phone.pull().verdict == "401 account-disabled")
        #expect(try phone.send("POST", "/v2/auth/refresh").verdict == "401 account-disabled")
        #expect(try logIn(phone) == "401 account-disabled")
        let wrong = #"{"email":"\#(phone.email)","password":"not the password"}"#
        #expect(try phone.client.send("POST", "/v2/auth/login", body: wrong).verdict == "401 credentials-invalid")
        #expect(try file.append(500..<1000, isLast: true).status == 410)
        #expect(try user("disable", phone.email).output.hasSuffix("sessions ended: 0\n"))
        #expect(try user("enable", phone.email).status == 0)
        #expect(try phone.pull().verdict == "401 session-ended")
        #expect(try phone.other().get(preset.id).status == 200)
        #expect(try file.offset() == 500)
    }

    @Test("user show prints figures and operators' actions, and user sessions lists and ends sessions")
    func show() throws {
        let phone = try Shared.newDevice()
        #expect(try phone.post(Preset().json).status == 201)
        #expect(try user("sessions", phone.email).output.hasPrefix("\(phone.sessionID)\tphone\t-\t"))
        #expect(try user("sessions", phone.email, "--end").output == "ended 1 sessions of \(phone.email)\n")
        #expect(try phone.pull().verdict == "401 session-ended")
        let shown = try user("show", phone.email)
        for line in ["id: \(phone.userID)", "disabled_at: -", "sessions: 0", "configurations: 1", "recordings: 0"] {
            #expect(shown.output.contains("\(line)\n"))
        }
        let actions = shown.output.split(separator: "\n").filter { $0.contains("\t") }.map {
            $0.split(separator: "\t")[2]
        }
        #expect(actions == ["show", "end sessions", "sessions"])
    }

    @Test("user events prints the security events of all accounts since a time, over all pages")
    func events() throws {
        let server = try ServerProcess(["--registration", "open"])
        defer { _ = try? server.stop() }
        let devices = [try Device.new(server.client), try Device.new(server.client)]
        try server.sql(
            """
            ALTER TABLE account_events DISABLE TRIGGER trimmed;
            INSERT INTO account_events (user_id, kind, at)
            SELECT '\(devices[0].userID)', 'login', timestamptz '2026-01-01 00:00:00Z' + n / 2 * interval '1 s'
            FROM generate_series(0, 2999) n
            """
        )
        func lines(_ words: String...) throws -> [[Substring]] {
            try Operator.succeed(["user", "events", "--data", server.data] + words)
                .split(separator: "\n").map { $0.split(separator: "\t") }
        }
        let all = try lines()
        let own = devices.map { device in all.filter { $0[1] == device.userID } }
        #expect(own[0].count > 3000 && !own[1].isEmpty && all.count == own[0].count + own[1].count)
        #expect(all.map { $0[0] } == all.map { $0[0] }.sorted())
        #expect(own[1].allSatisfy { $0.count == 7 } && own[1].contains { $0[2] == "login" && $0[6] == "127.0.0.1" })
        #expect(try lines("--since", "2026-01-01T00:25:00+00:00").count == all.count - 3000)
        #expect(try lines("--since", "2026-01-01T01:24:59+01:00").count == all.count - 2998)
        let refused = try Program.run([Program.server, "user", "events", "--since", "yesterday", "--data", server.data])
        #expect(refused.status == 64 && refused.complaint.contains("RFC 3339"))
    }

    @Test("user list prints every account once over all pages, and no client text starts a line")
    func list() throws {
        let server = try ServerProcess(["--registration", "open"])
        defer { _ = try? server.stop() }
        try server.sql(
            """
            INSERT INTO users (email, password_hash)
            SELECT CASE WHEN n % 2 = 0 THEN 'USER' ELSE 'user' END || n || '@example.org', '-' FROM generate_series(1, 1201) n
            """
        )
        let listed = try Program.run([Program.server, "user", "list", "--data", server.data])
        let lines = listed.output.split(separator: "\n")
        #expect(lines.first?.hasPrefix("email\tid\t") == true)
        #expect(Set(lines.dropFirst().map { $0.split(separator: "\t")[0] }).count == 1201)
        #expect(lines.count == 1202)
        try server.sql(
            "INSERT INTO sessions (user_id, key_id, device_id) SELECT id, (SELECT key_id FROM master_keys), E'a\\n\\tb\\x1b[2J' FROM users WHERE email = 'user1@example.org'"
        )
        let sessions = try Program.run([Program.server, "user", "sessions", "user1@example.org", "--data", server.data])
        #expect(sessions.output.split(separator: "\n").count == 1)
        #expect(!sessions.output.contains("\u{1b}"))
    }

    @Test("The trail also has commands that concern no single account")
    func trailOfAll() throws {
        let server = try ServerProcess(["--registration", "open", "--media-jobs", "0"])
        defer { _ = try? server.stop() }
        let email = Device.newEmail()
        #expect(try Device.register(server.client, email).status == 201)
        for words in [
            ["user", "list"], ["user", "trail"], ["backup", server.folder + "/backup.tar"],
            ["admin", "reset-clients", "--all"],
            ["admin", "reset-clients", "--account", email], ["storage", "check"], ["storage", "check", "--repair"],
            ["admin", "accept-clock"],
        ] { try Operator.succeed(words + ["--data", server.data]) }
        #expect(
            try server.sql("SELECT action, account IS NULL FROM operator_actions ORDER BY at") == [
                "list|t", "trail|t", "backup|t", "reset all clients|t", "reset clients|f", "storage repair|t",
            ]
        )
    }

    @Test("user remove-app lets the owner log in with the password alone, and mails it")
    func removeApp() throws {
        let app = try AuthenticatorApp.new()
        let (phone, challenge) = (app.device, try app.challenge())
        #expect(try user("remove-app", phone.email).output.hasPrefix("removed the authenticator app"))
        let late = try app.finish(challenge, code: app.freshCode())
        #expect(late.verdict == "401 code-invalid")
        #expect(try app.logIn().status == 200)
        let kinds: [String] = try app.device.send("GET", "/v2/account/events").members("kind", of: "events")
        #expect(kinds.contains("totp-removed"))
        #expect(try user("remove-app", phone.email).output == "\(phone.email) has no authenticator app\n")
        let actions = try user("show", phone.email).output.split(separator: "\n").filter { $0.contains("\t") }
        #expect(actions.map { $0.split(separator: "\t")[2] } == ["show", "remove app", "remove app"])
    }

    @Test("The trail records who did what; unknown addresses and words are refused")
    func trail() throws {
        let device = try Shared.addUser(to: Shared.server.get())
        #expect(try user("enable", device.email).status == 0)
        let trail = try user("trail").output.split(separator: "\n").filter { $0.contains(device.userID) }
        #expect(trail.map { $0.split(separator: "\t")[2] } == ["enable", "add"])
        #expect(trail.allSatisfy { $0.split(separator: "\t")[4] == device.email })
        for action in ["show", "sessions", "disable", "enable", "remove-app"] {
            #expect(try user(action, "unknown@example.org").status == 67)
        }
        for words in [["list", "x@example.org"], ["show"], ["disable", "x@example.org", "--end"], ["frobnicate"]] {
            #expect(try Program.run([Program.server, "user"] + words).status == 64, "\(words)")
        }
    }
}
