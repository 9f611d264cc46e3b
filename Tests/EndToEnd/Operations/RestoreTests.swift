import Foundation
import TestSupport
import Testing

/// A restored backup: changes that clients saw after the backup are lost.
@Suite(.blocking)
struct RestoreTests {
    private static let open = ["--registration", "open", "--signatures", "optional"]

    /// Copies the server's database into a new one by dump and restore. Returns the new database's address.
    private static func restoredCopy(of server: ServerProcess) throws -> String {
        let place = "-h \(server.data)/socket -U postgres"
        let script = """
            set -e
            createdb \(place) -O neuroviews restored
            pg_dump \(place) -d neuroviews -f \(server.folder)/dump.sql
            psql \(place) -q -X -v ON_ERROR_STOP=1 -d restored -f \(server.folder)/dump.sql
            """
        let program = try Program.run(["sh", "-c", script])
        guard program.status == 0 else { throw Program.Failure(program.complaint) }
        return server.connectionString.replacing("dbname=neuroviews", with: "dbname=restored")
    }

    private static func items(_ answer: HTTPAnswer) -> [String] {
        answer.rawElements("configurations").sorted() + (answer.json["deleted"] as? [String] ?? []).sorted()
    }

    @Test("After a dump and restore, a client that is ahead of the dump gets a full set instead of missing changes")
    func restored() async throws {
        try await onThread {
            let server = try ServerProcess(Self.open)
            var device = try Device.new(server.client)
            let kept = [Preset("kept"), Preset("deleted"), Preset("changed")]
            for preset in kept { #expect(try device.post(preset.json).status == 201) }
            #expect(try device.delete(kept[1].id).status == 200)
            let copy = try Self.restoredCopy(of: server)
            #expect(try device.put(kept[2].id, kept[2].edited("after the dump", minute: 1).json).status == 200)
            #expect(try device.post(Preset("lost").json).status == 201)
            let before = try device.pull()
            let token = before.string("sync_token")

            let other = try ServerProcess(
                Self.open + ["--database-url", copy, "--secret-file", server.data + "/secret.key"]
            )
            device.client = other.client
            let again = [Preset("again 1"), Preset("again 2")]
            for preset in again { #expect(try device.post(preset.json).status == 201) }
            let etag = try #require(before.field("etag"))
            let full = try device.pull("", [("If-None-Match", etag)])
            #expect(full.status == 200, "the head's number is the same: \(full.text.prefix(300))")
            let pulled = try device.pull("sync_token=\(token)")
            #expect(pulled.json["reset"] as? Bool == true)
            let expected = [kept[0], kept[2]] + again
            #expect(Self.items(pulled) == expected.map(\.json).sorted() + [kept[1].id])
            let next = try device.pull("sync_token=\(pulled.string("sync_token"))")
            #expect(next.json["reset"] as? Bool == false && Self.items(next) == [])
            #expect(try other.stop() == 0)
            #expect(try server.stop() == 0)
        }
    }
}
