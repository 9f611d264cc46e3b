import Foundation
import TestSupport
import Testing

/// A PostgreSQL cluster of an administrator, and a server with a login for each role.
@Suite("Database logins for each role", .blocking)
struct RolesTests {
    private struct Place {
        let cluster: TestCluster
        let data = Sandbox.makeFolder()

        func url(_ user: String) -> String { cluster.connectionString(user: user) }

        /// The options of a server.
        var serving: [String] {
            ["--database-url", url("neuroviews_app"), "--background-database-url", url("neuroviews_background")]
        }
        /// The options of a command.
        var owning: [String] { serving + ["--owner-database-url", url("neuroviews_owner")] }
        var command: [String] { owning + ["--data", data + "/data"] }

        func doctor(_ words: [String]) throws -> Program {
            try Operator.run(["doctor", "--data", data + "/other"] + words)
        }
    }

    /// The superuser runs the statements that the command prints.
    private func administered() throws -> Place {
        let place = Place(cluster: try TestCluster())
        let statements = try Operator.succeed(["roles"])
        for _ in 0..<2 {
            let psql = try Program.run(
                ["psql", "-X", "-v", "ON_ERROR_STOP=1", place.url(TestCluster.user)],
                input: statements
            )
            #expect(psql.status == 0, "\(psql.complaint)")
        }
        return place
    }

    @Test("A server serves without the owner's login, and migrations and commands need it", .inFull)
    func withoutOwner() throws {
        let place = try administered()
        let early = try Operator.run(["serve", "--data", place.data + "/data"] + place.serving)
        #expect(early.status != 0)
        #expect(early.complaint.contains("run neuroviews-server migrate with NEUROVIEWS_OWNER_DATABASE_URL first"))
        try Operator.succeed(["migrate"] + place.command)

        let server = try ServerProcess(
            place.serving + ["--registration", "open", "--signatures", "optional"],
            folder: place.data
        )
        let device = try Device.new(server.client)
        #expect(try device.post(Preset().json).status == 201)
        #expect(try device.pull().rawElements("configurations").count == 1)
        #expect(try sessions(place) == ["neuroviews_app", "neuroviews_background"])
        #expect(!server.log.contains("not_separated"))

        // The background role writes the ledger of erased accounts.
        #expect(try device.erase().status == 200)
        let erased = "SELECT count(*) FROM neuroviews.erasure_ledger"
        #expect(try place.cluster.execute(erased).first?.int(0) == 1)

        let refused = try Operator.run(["user", "list", "--data", place.data + "/data"] + place.serving)
        #expect(refused.status != 0 && refused.complaint.contains("set NEUROVIEWS_OWNER_DATABASE_URL"))
        try Operator.succeed(["user", "list"] + place.command)
        #expect(try server.stop() == 0)
        try server.start()
        #expect(try server.stop() == 0)
    }

    /// The logins of the server's sessions.
    private func sessions(_ place: Place) throws -> [String] {
        let rows = try place.cluster.execute(
            """
            SELECT DISTINCT usename FROM pg_stat_activity
            WHERE application_name = 'neuroviews-server' AND pid <> pg_backend_pid() ORDER BY 1
            """
        )
        return (0..<rows.count).compactMap { rows[$0].text(0) }
    }

    @Test("A private cluster's server logs in as the application and the background only")
    func privateCluster() throws {
        let server = try ServerProcess(["--registration", "open", "--signatures", "optional"])
        let device = try Device.new(server.client)
        #expect(try device.post(Preset().json).status == 201)
        let sessions =
            "SELECT DISTINCT usename FROM pg_stat_activity WHERE application_name = 'neuroviews-server' ORDER BY 1"
        #expect(try server.sql(sessions) == ["neuroviews_app", "neuroviews_background"])
        #expect(try server.stop() == 0)
    }

    @Test("The doctor names logins with too many rights, and the remedy", .inFull)
    func doctor() throws {
        let place = try administered()
        try Operator.succeed(["migrate"] + place.command)
        let good = try place.doctor(place.serving)
        #expect(good.output.contains("ok       roles: each login has its role"), "\(good.output)")
        #expect(good.output.contains("ok       migrations: all"), "\(good.output)")
        let single = try place.doctor(["--database-url", place.url(TestCluster.user)])
        #expect(single.output.contains("warning  roles: one login has all of them"), "\(single.output)")
        #expect(single.output.contains("NEUROVIEWS_BACKGROUND_DATABASE_URL"))
        let swapped = try place.doctor([
            "--database-url", place.url("neuroviews_background"), "--background-database-url",
            place.url("neuroviews_app"),
        ])
        #expect(swapped.status == 1)
        #expect(swapped.output.contains("wrong    roles: the login neuroviews_background is not neuroviews_app"))
        for (statement, finding) in [
            ("GRANT neuroviews_owner TO neuroviews_app", "the login neuroviews_app leads to neuroviews_owner"),
            ("ALTER ROLE neuroviews_background CREATEDB", "the login neuroviews_background may do more than"),
            ("ALTER ROLE neuroviews_owner CREATEROLE", "the owner's login neuroviews_owner may change roles"),
            ("GRANT EXECUTE ON FUNCTION set_config TO PUBLIC", "everybody may execute set_config"),
        ] {
            try place.cluster.execute(statement)
            let found = try place.doctor(place.owning)
            #expect(found.output.contains("warning  roles: \(finding)"), "\(statement): \(found.output)")
        }
    }

    @Test("One login for all roles works, and each start logs a warning")
    func together() throws {
        let cluster = try TestCluster()
        try cluster.execute("CREATE ROLE single LOGIN CREATEROLE; GRANT CREATE ON DATABASE postgres TO single")
        let url = ["--database-url", cluster.connectionString(user: "single")]
        let server = try ServerProcess(url + ["--registration", "open", "--signatures", "optional"])
        #expect(try Device.new(server.client).post(Preset().json).status == 201)
        try server.awaitLog("not_separated")
        #expect(try server.stop() == 0)
    }
}
