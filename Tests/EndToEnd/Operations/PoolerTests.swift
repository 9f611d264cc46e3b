import Foundation
import TestSupport
import Testing

@Suite("A connection pooler before PostgreSQL", .inFull, .blocking)
struct PoolerTests {
    /// A migrated database with separate logins for the owner, requests and background work.
    private struct Place {
        let cluster: TestCluster
        let data = Sandbox.makeFolder()

        init() throws {
            cluster = try TestCluster()
            let roles = try Operator.succeed(["roles"])
            let psql = try Program.run(
                ["psql", "-X", "-v", "ON_ERROR_STOP=1", cluster.connectionString()],
                input: roles
            )
            #expect(psql.status == 0, "\(psql.complaint)")
            try Operator.succeed(
                ["migrate", "--data", data + "/data"] + Self.urls { cluster.connectionString(user: $0) }
            )
        }

        static func urls(_ url: (String) -> String) -> [String] {
            [
                "--database-url", url("neuroviews_app"), "--background-database-url", url("neuroviews_background"),
                "--owner-database-url", url("neuroviews_owner"),
            ]
        }
    }

    private static func through(_ pooler: Pooler) -> [String] {
        Place.urls { pooler.connectionString("postgres", user: $0) }
    }

    @Test(
        "A pooler in transaction or statement mode stops the start with status 78 and a sentence",
        .needs(.pgbouncer),
        arguments: [Pooler.Mode.transaction, .statement]
    )
    func refused(mode: Pooler.Mode) throws {
        let place = try Place()
        let words = Self.through(try Pooler(place.cluster, mode)) + ["--data", place.data + "/data"]
        for command in ["serve", "migrate"] {
            let program = try Operator.run([command] + words)
            #expect(program.status == 78, "\(command): \(program.complaint)")
            let sentences = program.complaint.split(separator: "\n").filter { $0.hasPrefix("neuroviews-server: ") }
            #expect(
                sentences.count == 1 && sentences[0].contains("pooler in transaction or statement mode"),
                "\(sentences)"
            )
        }
        let doctor = try Operator.run(["doctor"] + words)
        #expect(doctor.status == 1 && doctor.output.contains("wrong    database: A pooler"), "\(doctor.output)")
    }

    @Test("A server works behind a pooler in session mode", .needs(.pgbouncer))
    func session() throws {
        let place = try Place()
        let pooler = try Pooler(place.cluster, .session)
        let open = ["--registration", "open", "--signatures", "optional"]
        let server = try ServerProcess(Self.through(pooler) + open, folder: place.data)
        try server.awaitReady()
        let device = try Device.new(server.client)
        #expect(try device.post(Preset().json).status == 201)
        #expect(try device.pull().rawElements("configurations").count == 1)
        #expect(try server.stop() == 0)
    }

    @Test(
        "A pooler that changes to transaction mode makes the server answer 503 until it changes back",
        .needs(.pgbouncer)
    )
    func later() throws {
        let place = try Place()
        let pooler = try Pooler(place.cluster, .session)
        let open = ["--registration", "open", "--signatures", "optional"]
        let server = try ServerProcess(Self.through(pooler) + open, folder: place.data)
        let device = try Device.new(server.client)
        try pooler.restart(.transaction)
        try server.awaitLog("pooler in transaction")
        for _ in 0..<20 {
            let answer = try device.post(Preset().json)
            #expect(answer.status == 503 && answer.field("retry-after") != nil)
        }
        #expect(try server.adminClient.send("GET", "/readyz").status == 503)
        #expect(try place.cluster.execute("SELECT count(*) FROM neuroviews.configurations").first?.int(0) == 0)
        try pooler.restart(.session)
        try server.awaitReady()
        #expect(try device.post(Preset().json).status == 201)
        #expect(try server.stop() == 0)
    }
}
