import Foundation
import TestSupport
import Testing

@Suite("Variables of libpq in the environment", .inFull, .blocking)
struct LibpqEnvironmentTests {
    /// An operator may have them for another database.
    private static let strange = [
        "PGHOST": "/nowhere", "PGHOSTADDR": "192.0.2.1", "PGPORT": "1", "PGUSER": "other", "PGDATABASE": "other",
        "PGPASSWORD": "hunter2", "PGPASSFILE": "/nowhere/passwords", "PGSERVICE": "staging",
        "PGSERVICEFILE": "/nowhere/services", "PGSYSCONFDIR": "/nowhere",
        "PGOPTIONS": "-c default_transaction_read_only=on -c statement_timeout=1", "PGREQUIREPEER": "nobody",
        "PGREQUIREAUTH": "scram-sha-256", "PGCHANNELBINDING": "require", "PGGSSENCMODE": "require",
        "PGSSLMODE": "verify-full", "PGTARGETSESSIONATTRS": "standby", "PGCONNECT_TIMEOUT": "1",
        "PGAPPNAME": "other", "PGCLIENTENCODING": "SJIS", "PGTZ": "Asia/Kathmandu", "PGDATESTYLE": "German",
        "PGDATA": "/nowhere",
    ]

    private func expectCommands(_ server: ServerProcess, at location: SourceLocation = #_sourceLocation) throws {
        for words in [
            ["migrate"], ["migrate", "status"], ["user", "list"], ["usage"], ["storage", "check"],
            ["backup", server.folder + "/backup.tar"],
        ] {
            let program = try Operator.run(words + ["--data", server.data], environment: Self.strange)
            #expect(program.status == 0, "\(words): \(program.complaint)", sourceLocation: location)
        }
    }

    @Test("A server with the private PostgreSQL and its commands ignore variables of libpq")
    func privateCluster() throws {
        let server = try ServerProcess(
            ["--registration", "open", "--signatures", "optional"],
            environment: Self.strange
        )
        try server.awaitReady()
        #expect(try Device.new(server.client).post(Preset().json).status == 201)
        try expectCommands(server)
        let doctor = try Operator.run(["doctor", "--data", server.data], environment: Self.strange)
        #expect(doctor.output.contains("ok       database: PostgreSQL"), "\(doctor.output)")
        #expect(try server.stop() == 0)
        try expectCommands(server)
    }

    @Test("The first start makes the private PostgreSQL beside variables of libpq")
    func firstStart() throws {
        let words = ["migrate", "--data", Sandbox.makeFolder() + "/data"]
        let program = try Operator.run(words, environment: Self.strange)
        #expect(program.status == 0, "\(program.complaint)")
    }

    @Test("Variables of libpq complete a database URL, and an error has their names and no value")
    func configured() throws {
        let cluster = try TestCluster.shared.get()
        let name = try cluster.makeDatabase().split(separator: "=").last ?? ""
        let words = ["migrate", "--data", Sandbox.makeFolder() + "/data", "--database-url", "dbname=\(name)"]
        let address = ["PGHOST": cluster.directory, "PGPORT": "5432", "PGUSER": TestCluster.user]
        let right = try Operator.run(words, environment: address)
        #expect(right.status == 0, "\(right.complaint)")
        let wrong = try Operator.run(words, environment: ["PGHOST": "/nowhere", "PGPASSWORD": "hunter2"])
        let setting = "check NEUROVIEWS_DATABASE_URL (completed by PGHOST, PGPASSWORD of the environment)"
        #expect(wrong.status == 69 && wrong.complaint.contains(setting), "\(wrong.complaint)")
        #expect(!wrong.complaint.contains("hunter2"))
    }
}
