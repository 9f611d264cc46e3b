import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Erasure of an account", .blocking)
struct ErasureTests {
    private static let arguments = ["--registration", "open", "--signatures", "optional"]

    private static func verdict(_ client: APIClient, _ email: String) throws -> String {
        let body = #"{"email":"\#(email)","password":"\#(Device.password)"}"#
        return try client.send("POST", "/v2/auth/login", body: body).verdict
    }

    @Test("An erasure needs the password, deletes and counts everything, and leaves other accounts alone")
    func gone() throws {
        let server = try Shared.server.get()
        let (account, other) = (try FilledAccount(), try FilledAccount())
        let device = account.device
        let kept = try Catalogue.rows(of: other.device.userID, server)
        #expect(try device.erase(password: "not it").verdict == "401 credentials-invalid")
        #expect(try device.pull().status == 200)
        let answer = try device.erase()
        #expect(answer.status == 200 && answer.json["complete"] as? Bool == true, "\(answer.text)")
        let counts = try #require(answer.json["erased"] as? [String: Int])
        let expected = [
            "configurations": 1, "conflicts": 1, "recordings": 1, "files": 2, "devices": 1, "consents": 1, "events": 1,
            "bytes": account.mark.utf8.count,
        ]
        for (name, count) in expected { #expect(counts[name] == count, "\(name): \(counts[name] ?? -1)") }
        #expect(counts["versions"] ?? 0 >= 3 && counts["security_events"] ?? 0 >= 1)
        // A client that lost the answer asks again.
        for verdict in [
            try device.erase().verdict, try device.pull().verdict, try device.send("POST", "/v2/auth/refresh").verdict,
        ] {
            #expect(verdict == "401 session-ended")
        }
        #expect(try Self.verdict(device.client, device.email) == "401 credentials-invalid")
        #expect(try Catalogue.rows(of: device.userID, server).isEmpty)
        #expect(
            try server.sql(
                """
                SELECT (SELECT count(*) FROM erased_objects WHERE account = '\(device.userID)'),
                    (SELECT count(*) FROM account_erasures WHERE account = '\(device.userID)')
                """
            ) == ["0|0"]
        )
        #expect(try Catalogue.rows(of: other.device.userID, server) == kept)
        #expect(try Device.register(device.client, device.email).status == 201)
        #expect(try Device.logIn(device.client, device.email).pull().rawElements("configurations").isEmpty)
    }

    @Test("An erasure deletes files, cuts transfers, and invalidates upload URLs and links")
    func files() throws {
        let server = try ServerProcess(Self.arguments + ["--media-jobs", "0"])
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let done = try FileOnItsWay(device, FileOnItsWay.random(200_000))
        #expect(try done.answer("PUT", [], done.bytes).status == 201)
        #expect(try done.isStored(server))
        let link = try #require(try device.send("GET", "/v2/recordings/\(done.id)/content").field("location"))
        let open = try FileOnItsWay(device, FileOnItsWay.random(300_000))
        let running = try open.begin(from: 0, sending: 100_000)
        #expect(try running.readResponse().status == 104)
        try Deadline.wait("bytes of the upload", seconds: 10) { open.uploadBytes(server) > 0 }

        let begin = ContinuousClock.now
        let answer = try device.erase()
        #expect(answer.status == 200, "\(answer.text)")
        #expect(throws: (any Error).self) { try running.readResponse() }
        #expect(ContinuousClock.now - begin < .milliseconds(Patience.ms(5000)), "the request was cut")
        try? running.send(Array(repeating: 0, count: 1000))
        #expect(try open.answer("HEAD").status == 404)
        #expect(try done.answer("PUT", [], done.bytes).status == 404)
        let path = try #require(URL(string: link)?.path)
        #expect(try device.client.send("GET", path).verdict == "404 not-found")
        try Deadline.wait("an empty store", seconds: 10) { Self.stored(server).isEmpty }
    }

    /// The files of the store, except the store's own id.
    private static func stored(_ server: ServerProcess) -> [String] {
        Operator.tree(server.data + "/objects").filter { path in
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: "\(server.data)/objects/\(path)", isDirectory: &isFolder)
            return !isFolder.boolValue && !path.hasSuffix("store-id")
        }
    }

    @Test("Requests of other devices during an erasure are done or get 401, and leave nothing")
    func busyDevices() async throws {
        let server = try Shared.server.get()
        let phone = try Shared.newDevice()
        try phone.agree()
        let busy = Busy()
        let verdicts = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            for number in 0..<4 {
                let device = try Shared.session(of: phone, on: "device \(number)")
                group.addTask { try await onThread { try Self.work(device, while: busy) } }
            }
            try await onThread {
                let versions = "SELECT count(*) FROM configuration_versions WHERE user_id = '\(phone.userID)'"
                try Deadline.wait("some writes", seconds: 30) { Int(try server.sql(versions).first ?? "") ?? 0 > 20 }
                #expect(try phone.erase().status == 200)
                busy.isTrue.store(false, ordering: .relaxed)
            }
            return try await group.reduce(into: Set()) { $0.formUnion($1) }
        }
        #expect(verdicts.contains("401 session-ended"))
        // An account may have 100 devices and 100 open uploads. A slow machine may reach these limits.
        #expect(verdicts.isSubset(of: ["200", "201", "401 session-ended", "403 quota-exceeded"]), "\(verdicts)")
        #expect(try Catalogue.rows(of: phone.userID, server).isEmpty)
    }

    private final class Busy: Sendable {
        let isTrue = Atomic(true)
    }

    /// Writes until the session ends, and returns all verdicts.
    private static func work(_ device: Device, while busy: Busy) throws -> Set<String> {
        var verdicts: Set<String> = []
        while busy.isTrue.load(ordering: .relaxed), !verdicts.contains("401 session-ended") {
            let preset = Preset()
            let answers = [
                try device.post(preset.json), try device.put(preset.id, preset.edited("Edit", minute: 1).json),
                try device.openUpload(UUID().uuidString), try device.pull(),
                try device.send("PUT", "/v2/devices/\(preset.id)", body: #"{"name":"x"}"#),
                try device.send(
                    "POST",
                    "/v2/analytics/events",
                    body: #"{"events":[{"name":"x","timestamp":"\#(Device.eventTime())"}]}"#
                ),
                try device.delete(preset.id),
            ]
            verdicts.formUnion(answers.map(\.verdict))
        }
        return verdicts
    }

    @Test("A login that was checked before the erasure starts no session")
    func lateLogin() throws {
        let server = try Shared.server.get()
        let device = try Shared.newDevice()
        func start() throws {
            let row = "SELECT u.id, m.key_id FROM users u, master_keys m WHERE u.id = '\(device.userID)' LIMIT 1"
            try server.sql("INSERT INTO sessions (user_id, key_id) \(row)", role: "neuroviews_background")
        }
        try start()
        try server.sql("SELECT begin_account_erasure('\(device.userID)', sha256('late'))")
        let refusal = #expect(throws: Program.Failure.self) { try start() }
        #expect(refusal.map { "\($0)".contains("the account is being erased") } == true)
        #expect(try device.pull().verdict == "401 session-ended")
    }

    @Test("A file that can't be deleted is reported and delays no other erasure", .inFull)
    func stuckFile() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        #expect(try server.stop() == 0)
        let uploads = server.data + "/objects/uploads/"
        let keys = ["a", "b"].map { String(repeating: $0, count: 32) }
        // The first of the two is a folder.
        try FileManager.default.createDirectory(atPath: uploads + keys[0], withIntermediateDirectories: true)
        try Data("1".utf8).write(to: URL(fileURLWithPath: uploads + keys[1]))
        try server.start()
        try server.sql(
            "INSERT INTO erased_objects SELECT k, gen_random_uuid() FROM unnest('{\(keys.joined(separator: ","))}'::text[]) k"
        )
        #expect(try server.stop() == 0)
        try server.start()
        try Deadline.wait("a sweep", seconds: 30) {
            try server.sql("SELECT object_key FROM erased_objects") == [keys[0]]
        }
        try server.awaitLog("Is a directory")
    }

    @Test("An operator deletes an account completely, and the trail records it")
    func byOperator() throws {
        let server = try Shared.server.get()
        let account = try FilledAccount()
        func delete(_ email: String) throws -> Program {
            try Operator.run(["user", "delete", email, "--data", server.data])
        }
        let first = try delete(account.device.email.uppercased())
        #expect(first.output.hasPrefix("deleted "), "\(first.complaint)")
        #expect(try account.device.pull().verdict == "401 session-ended")
        #expect(try Catalogue.rows(of: account.device.userID, server).isEmpty)
        let files = "SELECT count(*) FROM erased_objects WHERE account = '\(account.device.userID)'"
        #expect(try server.sql(files) == ["2"], "which the server's next sweep deletes")
        #expect(try delete(account.device.email).status == 67)
        let trail = try Operator.run(["user", "trail", "--data", server.data]).output.split(separator: "\n")
        #expect(trail.contains { $0.contains("\tdelete\t\(account.device.userID)") })
    }

    @Test("Waiting erasures leave logins a database connection")
    func bystander() throws {
        let usual = ["--registration", "open", "--signatures", "optional", "--media-jobs", "0"]
        let server = try ServerProcess(usual + ["--event-loops", "1"])
        defer { _ = try? server.stop() }
        let devices = try (0..<4).map { _ in try Device.new(server.client) }
        for device in devices { #expect(try device.post(Preset().json).status == 201) }
        let other = try Device.new(server.client)
        let blocker = try Blocker(server, "SELECT FROM neuroviews.configurations FOR UPDATE")
        for device in devices { Thread { _ = try? device.erase() }.start() }
        try Deadline.wait("steps that wait", seconds: 60) {
            try server.sql("SELECT count(*) FROM account_erasures") == ["4"] && blocker.isWaitedFor()
        }
        for _ in 0..<5 {
            #expect(try blocker.waiting() <= 1, "one at a time")
            #expect(try Self.verdict(server.client, other.email) == "200")
        }
        try blocker.end()
    }

    @Test("A large erasure that was interrupted by SIGKILL is finished by the next start", .inFull)
    func killed() throws {
        let account = try LargeAccount()
        let server = account.server
        defer { _ = try? server.stop() }
        try account.fill(items: 20_000, documentBytes: 2000)
        let other = try Device.new(server.client)
        #expect(try other.post(Preset().json).status == 201)
        // The erasure's step that deletes the configurations waits for this lock.
        let blocker = try Blocker(
            server,
            "SELECT FROM neuroviews.configurations WHERE user_id = '\(account.device.userID)' FOR UPDATE"
        )
        let asking = Thread { _ = try? account.device.erase() }
        asking.start()
        try Deadline.wait("a step that waits", seconds: 60) { try blocker.isWaitedFor() }
        #expect(try server.sql("SELECT count(*) FROM configuration_versions") == ["1"], "the other account's")
        try server.kill()
        try blocker.end()
        try server.start()
        #expect(try Self.verdict(server.client, account.device.email) == "401 credentials-invalid")
        let left =
            "SELECT (SELECT count(*) FROM users), (SELECT count(*) FROM configurations), (SELECT count(*) FROM account_erasures)"
        try Deadline.wait("the end of the erasure", seconds: 60) { try server.sql(left) == ["1|1|0"] }
        // The server logs it after the last step.
        try server.awaitLog("erased accounts ended=1")
    }
}
