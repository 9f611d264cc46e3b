import Foundation
import Postgres
import TestSupport
import Testing

@Suite("An unavailable database", .blocking)
struct DatabaseAbsenceTests {
    private static let open = ["--registration", "open", "--signatures", "optional"]

    private static func seconds(_ duration: Duration) -> Double {
        Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
    }

    @Test("A server without its database answers 503, and migrates and becomes ready when it arrives")
    func comes() throws {
        let cluster = try TestCluster()
        let url = try cluster.makeDatabase()
        try cluster.kill()
        let server = try ServerProcess(["--database-url", url] + Self.open, awaitsDatabase: true)
        #expect(try server.client.send("GET", "/healthz").status == 200)
        #expect(try server.client.send("GET", "/v2/healthz").status == 200)
        #expect(try server.adminClient.send("GET", "/healthz").status == 200)
        #expect(try server.adminClient.send("GET", "/readyz").status == 503)
        for (method, path) in [
            ("GET", "/v2/configurations"), ("GET", "/v2/readyz"), ("POST", "/v2/sessions"), ("DELETE", "/nowhere"),
        ] {
            let answer = try server.client.send(method, path)
            #expect(answer.status == 503 && answer.field("retry-after") != nil, "\(method) \(path)")
            #expect(answer.field("content-type") == "application/problem+json")
            #expect(answer.text.contains("/problems/database-unavailable"), "\(answer.text)")
        }
        #expect(server.log.components(separatedBy: "awaited").count == 2, "one line for one reason: \(server.log)")

        try cluster.start()
        let begin = ContinuousClock.now
        try server.awaitReady()
        let seconds = Self.seconds(ContinuousClock.now - begin)
        let device = try Device.new(server.client)
        #expect(try device.post(Preset().json).status == 201)

        // The second start needs no migration, so it is faster.
        #expect(try server.stop() == 0)
        try cluster.kill()
        try server.start()
        try cluster.start()
        let second = ContinuousClock.now
        try server.awaitReady()
        let again = Self.seconds(ContinuousClock.now - second)
        #expect(again < 10 * Patience.factor, "\(again) s")
        #expect(try Device.new(server.client).pull().status == 200)
        print("from accepting connections to ready: \(seconds) s with migrations, \(again) s without")
        #expect(try server.stop() == 0)
    }

    @Test("A private PostgreSQL that is killed during a start is waited for with 503, and the start succeeds", .inFull)
    func goes() throws {
        let server = try ServerProcess(Self.open)
        let device = try Device.new(server.client)
        let preset = Preset()
        #expect(try device.post(preset.json).status == 201)
        try server.kill()
        // The start waits for this lock, so that the kill is always in the middle of it.
        let isHeld = DispatchSemaphore(value: 0)
        let killer = Thread {
            let holder = try? Blocker(server, "SELECT pg_advisory_lock(\(Migrator.lock))")
            isHeld.signal()
            try? Deadline.wait("a start that waits", seconds: 60) { try holder?.isWaitedFor() == true }
            try? server.killPostgres()
        }
        killer.start()
        isHeld.wait()
        let again = try ServerProcess(Self.open, folder: server.folder, awaitsDatabase: true)
        try again.awaitReady()
        #expect(again.log.contains("awaited") && again.log.contains("ended"), "\(again.log)")
        var other = device
        other.client = again.client
        #expect(try other.get(preset.id).text == preset.json)
        #expect(try again.stop() == 0)
        withExtendedLifetime(server) {}
    }

    @Test("The public readiness check gets 503 while the database is away", .inFull)
    func readiness() throws {
        let cluster = try TestCluster()
        let server = try ServerProcess(["--database-url", cluster.makeDatabase()] + Self.open)
        func answer() throws -> HTTPAnswer { try server.client.send("GET", "/v2/readyz") }
        let ready = try answer()
        #expect(ready.status == 200 && ready.string("status") == "ready", "\(ready.text)")
        try cluster.kill()
        try Deadline.wait("503", seconds: 20) { try answer().status == 503 }
        Problems.check(try answer(), "503 database-unavailable")
        try cluster.start()
        try Deadline.wait("200", seconds: 20) { try answer().status == 200 }
        #expect(try server.stop() == 0)
    }

    @Test("A write that is lost with PostgreSQL gets 503 with Retry-After, and its repetition succeeds")
    func lostWrite() throws {
        let server = try ServerProcess(Self.open + ["--event-loops", "1", "--database-connections-max", "8"])
        let (device, preset) = (try Device.new(server.client), Preset())
        let body = Array(#"{"configuration":\#(preset.json)}"#.utf8)
        let fields = [("Authorization", "Bearer \(device.token)")]
        let holder = try Blocker(server, "SELECT FROM neuroviews.sync_heads FOR UPDATE")
        let connection = try HTTPConnection(port: server.client.port)
        try connection.send(APIClient.request("POST", "/v2/configurations", host: "a", fields, body: body))
        try Deadline.wait("a write that waits", seconds: 20) { try holder.isWaitedFor() }
        try server.killPostgres()
        let answer = try #require(try connection.receive())
        Problems.check(answer, "503 database-unavailable")
        #expect(answer.field("retry-after") != nil)
        try server.awaitReady()
        try Deadline.wait("the repeated write", seconds: 20) { try device.post(preset.json).status == 201 }
        #expect(try server.stop() == 0)
    }

    @Test("A server that waits for its database stops at once with status 0")
    func stopped() throws {
        let server = try ServerProcess(["--database-url", "host=/nowhere user=x dbname=y"], awaitsDatabase: true)
        #expect(try server.stop() == 0)
        #expect(server.log.contains("stopped"))
    }

    @Test(
        "A wrong database password ends the start, also beside a host that is away",
        .inFull,
        arguments: ["", "/nowhere,"]
    )
    func password(others: String) throws {
        let cluster = try TestCluster()
        let path = cluster.directory
        try cluster.execute(
            """
            CREATE ROLE locked LOGIN PASSWORD 'right';
            COPY (SELECT 'local all locked scram-sha-256'  UNION ALL SELECT 'local all all trust') TO '\(path)/data/pg_hba.conf';
            """
        )
        try cluster.execute("SELECT pg_reload_conf()")
        let url = "host=\(others)\(path) user=locked dbname=postgres password="
        func start(_ password: String) throws -> Program {
            try Operator.run(
                ["serve", "--data", Sandbox.makeFolder() + "/data"],
                environment: ["NEUROVIEWS_DATABASE_URL": url + password]
            )
        }
        let wrong = try start("wrong-word")
        #expect(wrong.status == 69 && wrong.complaint.contains("28P01"), "\(wrong.complaint)")
        #expect(wrong.complaint.contains("check NEUROVIEWS_DATABASE_URL"))
        #expect(!wrong.complaint.contains("wrong-word"))
        let right = try start("right")
        #expect(right.complaint.contains("may not create them"), "\(right.complaint)")
    }
}
