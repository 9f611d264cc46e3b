import Foundation
import Postgres
import TestSupport
import Testing

@Suite("A backup of the baseline", .blocking)
struct BaselineBackupTests {
    @Test("The first form of backups, with the tables of migration 1: restored, migrated, and the device goes on")
    func baseline() throws {
        let open = ["--registration", "open", "--signatures", "optional"]
        let server = try ServerProcess(open)
        var device = try Device.new(server.client)
        let preset = Preset("of the baseline")
        #expect(try device.post(preset.json).status == 201)
        let token = try device.pull().string("sync_token")
        #expect(try server.stop() == 0)
        let backup = try UnpackedBackup(["--data", server.data])

        // The same rows in the tables of the old schema, with all definitions in the dump, as at that time.
        let old = try TestCluster.shared.get().makeDatabase()
        let places = ["--database-url", old]
        try Operator.succeed(
            ["restore", backup.whole, "--unauthenticated", "--data", Sandbox.makeFolder() + "/data"] + places
        )
        try BlockingSession(old).execute(
            """
            ALTER TABLE neuroviews.sessions DROP COLUMN signature_version;
            ALTER TABLE neuroviews.nonces DROP COLUMN user_id CASCADE;
            DELETE FROM neuroviews.schema_migrations WHERE number > 1
            """
        )
        try backup.shell("pg_dump -Fc --schema=neuroviews --no-unlogged-table-data -f database.dump -d '\(old)'")
        try backup.shell("sed -i 's/\"migration\" : [0-9]*/\"migration\" : 1/' manifest.json")
        try backup.seal("format", 1)

        let folder = Sandbox.makeFolder()
        try Operator.succeed(["restore", try backup.pack(), "--unauthenticated", "--data", folder + "/data"])
        let restored = try ServerProcess(open, folder: folder)
        defer { _ = try? restored.stop() }
        device.client = restored.client
        #expect(try device.pull("sync_token=\(token)").json["reset"] as? Bool == false, "nothing was lost")
        #expect(try device.pull().rawElements("configurations") == [preset.json])
        #expect(try device.post(Preset("after it").json).status == 201)
    }
}
