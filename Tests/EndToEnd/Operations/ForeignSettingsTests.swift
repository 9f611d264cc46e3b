import Foundation
import TestSupport
import Testing

/// An administrator's PostgreSQL that has other settings for the server's database or logins.
@Suite("Foreign settings of PostgreSQL", .inFull, .blocking)
struct ForeignSettingsTests {
    private static let open = ["--registration", "open", "--signatures", "optional"]
    private static let logins = ["neuroviews_app", "neuroviews_background", "neuroviews_owner"]

    private let cluster: TestCluster
    private let folder = Sandbox.makeFolder()
    private let serving: [String]
    private var owning: [String] {
        let owner = cluster.connectionString(user: "neuroviews_owner")
        return serving + ["--owner-database-url", owner, "--data", folder + "/data"]
    }

    init() throws {
        cluster = try TestCluster()
        try cluster.execute(try Operator.succeed(["roles"]))
        serving = [
            "--database-url", cluster.connectionString(user: "neuroviews_app"), "--background-database-url",
            cluster.connectionString(user: "neuroviews_background"),
        ]
    }

    /// Sets everything that a user may set to another value: each switch, each choice, and these. Settings for developers
    /// of PostgreSQL stay. PostgreSQL refuses some of the others, such as a compression that it lacks.
    private func makeForeign(_ target: String) throws {
        try cluster.execute(
            """
            DO $$
            DECLARE
                s record;
            BEGIN
                FOR s IN
                    SELECT name, CASE vartype WHEN 'enum' THEN (SELECT max(v) FROM unnest(enumvals) v WHERE v <> setting)
                        WHEN 'bool' THEN CASE setting WHEN 'on' THEN 'off' ELSE 'on' END END AS other
                    FROM pg_settings WHERE context = 'user' AND vartype IN ('bool', 'enum')
                        AND category <> 'Developer Options' AND name NOT LIKE 'transaction%'
                    UNION ALL VALUES ('synchronous_commit', 'off'), ('default_transaction_isolation', 'serializable'),
                        ('bytea_output', 'escape'), ('IntervalStyle', 'iso_8601'), ('DateStyle', 'German, DMY'),
                        ('TimeZone', 'Asia/Kathmandu'), ('timezone_abbreviations', 'India'), ('search_path', 'elsewhere'),
                        ('extra_float_digits', '-15'), ('client_encoding', 'LATIN1'), ('lc_time', 'C'),
                        ('statement_timeout', '1s'), ('lock_timeout', '1'), ('idle_in_transaction_session_timeout', '1'),
                        ('idle_session_timeout', '1s'), ('gin_fuzzy_search_limit', '1'), ('work_mem', '64kB'),
                        ('plpgsql.extra_errors', 'all')
                LOOP
                    BEGIN
                        EXECUTE format('ALTER \(target) SET %I = %L', s.name, s.other);
                    EXCEPTION WHEN OTHERS THEN
                        RAISE NOTICE '%', SQLERRM;
                    END;
                END LOOP;
            END
            $$
            """
        )
    }

    @Test("In a Turkish database an address is found with I and with i, and the doctor names a changed collation")
    func turkish() throws {
        try cluster.execute("CREATE DATABASE turkish LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' TEMPLATE template0")
        let url = cluster.connectionString("turkish")
        try cluster.execute(try Operator.succeed(["roles"]), in: url)
        let server = try ServerProcess(["--database-url", url] + Self.open, folder: folder)
        try server.awaitReady()
        #expect(try Device.register(server.client, "MIRI.I@Example.org").status == 201)
        for email in ["MIRI.I@Example.org", "miri.i@example.org"] { _ = try Device.logIn(server.client, email) }
        #expect(try Device.register(server.client, "miri.I@example.org").verdict == "409 email-taken")
        try Operator.succeed(["user", "show", "miri.i@example.org", "--database-url", url, "--data", folder + "/data"])
        #expect(try server.stop() == 0)

        func doctor() throws -> Program {
            try Operator.run(["doctor", "--database-url", url, "--data", folder + "/data"])
        }
        #expect(try !doctor().output.contains("collation"))
        try cluster.execute("UPDATE pg_database SET datcollversion = '1' WHERE datname = 'turkish'")
        let found = try doctor()
        #expect(found.output.contains("warning  collation: the indexes of texts were built with version 1, "))
        #expect(found.output.contains("REINDEX DATABASE turkish; ALTER DATABASE turkish REFRESH COLLATION VERSION;"))
        #expect(found.complaint.isEmpty, "\(found.complaint)")
    }

    /// The first requests of a client. Returns the device and its configuration.
    private func expectFirstRequests(_ server: ServerProcess) throws -> (Device, Preset) {
        try server.awaitReady()
        #expect(try server.client.send("GET", "/v2/readyz").status == 200)
        let (device, preset, other) = (try Device.new(server.client), Preset(), Preset("Dawn"))
        for document in [preset.json, other.json] { #expect(try device.post(document).status == 201) }
        #expect(try device.patch(other.id, #"{"name":"Noon"}"#).status == 200)
        #expect(try device.versions(other.id).status == 200)
        #expect(try device.delete(other.id).status == 200)
        let pulled = try device.pull()
        #expect(pulled.rawElements("configurations") == [preset.json], "\(pulled.text)")
        let token = pulled.string("sync_token")
        #expect(try device.pull("sync_token=\(token)").json["reset"] as? Bool == false)
        try device.agree()
        let event = #"{"name":"tap","timestamp":"\#(Device.eventTime())"}"#
        #expect(try device.send("POST", "/v2/analytics/events", body: #"{"events":[\#(event)]}"#).status == 200)
        let day = String(Device.eventTime().prefix(10))
        let usage = "/v2/analytics/usage?start_date=\(day)&end_date=\(day)&tz=Europe/Berlin"
        #expect(try device.send("GET", usage).status == 200)
        #expect(try device.openUpload(UUID().uuidString).status == 200)
        #expect(try device.recordings().status == 200)
        #expect(try device.export().status == 200)
        #expect(try device.other().pull().rawElements("configurations") == [preset.json])
        #expect(try Device.new(server.client).erase().status == 200)
        return (device, preset)
    }

    @Test(
        "First requests, a backup and a restore are the same with foreign settings",
        arguments: TestRun.cases(1, of: ["ROLE", "DATABASE"])
    )
    func works(level: String) throws {
        let targets = level == "DATABASE" ? ["DATABASE postgres"] : Self.logins.map { "ROLE \($0)" }
        for target in targets { try makeForeign(target) }
        try Operator.succeed(["migrate"] + owning)
        let server = try ServerProcess(serving + Self.open, folder: folder)
        let (first, preset) = try expectFirstRequests(server)
        var device = first
        let file = folder + "/backup.tar"
        for words in [["backup", file], ["user", "list"], ["usage"], ["storage", "check"], ["migrate", "status"]] {
            try Operator.succeed(words + owning)
        }
        #expect(try server.stop() == 0)
        try Operator.succeed(["restore", file, "--unauthenticated", "--replace"] + owning)
        try server.start()
        device.client = server.client
        #expect(try device.pull().rawElements("configurations") == [preset.json])
        #expect(try server.stop() == 0)
    }
}
