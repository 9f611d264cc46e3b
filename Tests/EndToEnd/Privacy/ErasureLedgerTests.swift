import Foundation
import Postgres
import TestSupport
import Testing

@Suite("The ledger of erased accounts", .blocking)
struct ErasureLedgerTests {
    private static let arguments = ["--registration", "open", "--signatures", "optional", "--media-jobs", "0"]

    private func ledger(_ server: ServerProcess) throws -> String {
        try String(contentsOfFile: server.data + "/erasures.ledger", encoding: .utf8)
    }

    /// All traces of an account in the database and on disk, including the states that a restore put aside.
    private func traces(of mark: String, _ server: ServerProcess) throws -> [String] {
        let dump = try Program.run(["pg_dump", "-h", server.data + "/socket", "-U", "postgres", "-d", "neuroviews"])
        guard dump.status == 0 else { throw Program.Failure(dump.complaint) }
        let files = Operator.tree(server.data).filter { !$0.hasPrefix("postgres/") && !$0.hasPrefix("socket/") }
        return (dump.output.contains(mark) ? ["the database"] : [])
            + files.filter {
                FileManager.default.contents(atPath: "\(server.data)/\($0)")?.range(of: Data(mark.utf8)) != nil
            }
    }

    /// Creates a configuration and a recording with the mark.
    private func fill(_ device: Device, _ mark: String) throws {
        #expect(try device.post(Preset(mark).json).status == 201)
        let file = try FileOnItsWay(device, Array(mark.utf8))
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(
            try device.complete(file.id, #"{"filename":"\#(mark)","created_at":"2026-03-01T12:00:00Z"}"#).status == 200
        )
    }

    @Test("A restore brings no erased account back, and its set-aside data has none either")
    func restored() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        let marks = (0..<3).map { _ in "mark-\(UUID().uuidString)" }
        var devices = try marks.map { _ in try Device.new(server.client) }
        for (device, mark) in zip(devices, marks) { try fill(device, mark) }
        let backup = server.folder + "/backup.tar"
        try Operator.succeed(["backup", backup, "--data", server.data])
        #expect(try devices[0].erase().status == 200)
        #expect(try ledger(server).split(separator: "\n").map { $0.prefix { $0 != " " } } == ["key", "erased"])
        #expect(try !ledger(server).contains(devices[0].userID))
        var status = stat()
        #expect(stat(server.data + "/erasures.ledger", &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(try server.stop() == 0)
        // The state after a crash directly behind the commit: only the database knows of the erasure.
        let key = try #require(ledger(server).split(separator: "\n").first)
        try "\(key)\n".write(toFile: server.data + "/erasures.ledger", atomically: true, encoding: .utf8)

        let told = try Operator.succeed(["restore", backup, "--unauthenticated", "--replace", "--data", server.data])
        #expect(told.contains("accounts erased again: 1\n"))
        try server.start()
        for index in devices.indices { devices[index].client = server.client }
        #expect(try devices[0].pull().verdict == "401 session-ended")
        #expect(try Self.verdict(server.client, devices[0].email) == "401 credentials-invalid")
        try Deadline.wait("the files gone", seconds: 30) {
            try server.sql("SELECT count(*) FROM erased_objects") == ["0"]
        }
        #expect(try traces(of: marks[0], server) == [])
        // The restore also put the old tables aside in a schema, and the old files in a folder.
        #expect(try traces(of: marks[1], server).count == 3)
        #expect(try devices[1].erase().status == 200)
        #expect(try traces(of: marks[1], server) == [])
        #expect(try traces(of: marks[2], server).count == 3)
        #expect(try devices[2].pull().rawElements("configurations").count == 1)
    }

    private static func verdict(_ client: APIClient, _ email: String) throws -> String {
        let body = #"{"email":"\#(email)","password":"\#(Device.password)"}"#
        return try client.send("POST", "/v2/auth/login", body: body).verdict
    }

    /// The damage to the ledger.
    enum Loss: CaseIterable {
        case digestsOfTheDatabase, allOfTheDatabase, keyOfTheFile, lineEnds
    }

    @Test(
        "A database that was reset by other means is detected at the start, before requests are served",
        .inFull,
        arguments: Loss.allCases
    )
    func setBack(_ loss: Loss) throws {
        let database = try TestCluster.shared.get().makeDatabase()
        let server = try ServerProcess(Self.arguments + ["--database-url", database])
        defer { _ = try? server.stop() }
        let (erased, kept) = (try Device.new(server.client), try Device.new(server.client))
        #expect(try erased.erase().status == 200)
        #expect(try server.stop() == 0)
        let session = try BlockingSession(database)
        try session.execute("SET ROLE neuroviews_owner; SET search_path TO neuroviews")
        func one(_ sql: String) throws -> String { try session.execute("SELECT (\(sql))::text").first?.text(0) ?? "" }
        // The state that a backup from before the erasure would restore.
        try session.execute(
            """
            INSERT INTO users (id, email, password_hash)
            SELECT '\(erased.userID)', '\(erased.email)', password_hash FROM users WHERE id = '\(kept.userID)';
            DELETE FROM erasure_ledger; DELETE FROM erasure_ledger_keys WHERE \(loss == .allOfTheDatabase)
            """
        )
        let lines = try ledger(server).split(separator: "\n")
        let left = loss == .keyOfTheFile ? lines.filter { !$0.hasPrefix("key") } : lines
        let text = left.map { $0 + (loss == .lineEnds ? "\r\n" : "\n") }.joined()
        try text.write(toFile: server.data + "/erasures.ledger", atomically: true, encoding: .utf8)
        try server.start()
        #expect(try Self.verdict(server.client, erased.email) == "401 credentials-invalid")
        #expect(try Device.logIn(server.client, kept.email).pull().status == 200)
        try server.awaitLog("erased accounts restored=1")
        try Deadline.wait("the end of the erasure", seconds: 30) { try one("SELECT count(*) FROM users") == "1" }
        #expect(
            try one("SELECT count(*) FROM erasure_ledger") == "1"
                && one("SELECT count(*) FROM erasure_ledger_keys") == "1"
        )
    }

    @Test("A line of the ledger lost in a crash is written by the next start", .inFull)
    func lostLine() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        for _ in 0..<2 { #expect(try Device.new(server.client).erase().status == 200) }
        let whole = try ledger(server)
        try server.kill()
        // The cut is in the middle of the last line.
        try String(whole.dropLast(20)).write(
            toFile: server.data + "/erasures.ledger",
            atomically: true,
            encoding: .utf8
        )
        try server.start()
        #expect(try Set(ledger(server).split(separator: "\n")) == Set(whole.split(separator: "\n")))
    }

    @Test("A damaged line and a ledger without its key are refused by name", .inFull)
    func damaged() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        #expect(try Device.new(server.client).erase().status == 200)
        #expect(try server.stop() == 0)
        let (path, whole) = (server.data + "/erasures.ledger", try ledger(server))
        try ("kez" + whole.dropFirst(3)).write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: Program.Failure.self) { try server.start() }
        #expect(server.log.contains("Line 1 of the ledger of erased accounts"))
        try whole.write(toFile: path, atomically: true, encoding: .utf8)
        try server.start()
    }
}
