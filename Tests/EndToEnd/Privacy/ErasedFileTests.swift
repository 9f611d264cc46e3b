import Foundation
import Net
import NeuroViewsCrypto
import TestSupport
import Testing

@Suite("Files of erased accounts", .inFull, .blocking)
struct ErasedFileTests {
    private static let arguments = ["--registration", "open", "--signatures", "optional", "--media-jobs", "0"]

    private func upload(_ device: Device, _ bytes: [UInt8]) throws -> FileOnItsWay {
        let file = try FileOnItsWay(device, bytes)
        #expect(try file.answer("PUT", [], file.bytes).status == 201)
        #expect(try device.complete(file.id, Device.movie).status == 200)
        return file
    }

    @Test("A file that can't be deleted delays no other file, and is deleted later")
    func undeletable() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let files = try (0..<3).map { _ in try upload(device, FileOnItsWay.random(1000)) }.map(\.objectKey).sorted()
        let folder = Hex.encode([SHA256.hash(Array(files[0].utf8))[0]])
        let path = "\(server.data)/objects/objects/\(folder)/\(files[0])"
        // A folder replaces the file, so the server can't delete it.
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.createDirectory(atPath: path + "/x", withIntermediateDirectories: true)
        let answer = try device.erase()
        #expect(answer.status == 202, "\(answer.text)")
        #expect(try server.sql("SELECT object_key FROM erased_objects") == [files[0]])
        let stored = Operator.tree(server.data + "/objects").filter { path in files[1...].contains { path.contains($0) }
        }
        #expect(stored.isEmpty)
        try server.awaitLog("\(files[0]) can't be deleted")
        try FileManager.default.removeItem(atPath: path)
        #expect(try server.stop() == 0)
        try server.start()
        try Deadline.wait("the end", seconds: 30) { try server.sql("SELECT count(*) FROM erased_objects") == ["0"] }
    }

    @Test("A thumbnail that arrives after the erasure of its files is deleted too")
    func lateThumbnail() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        let device = try Device.new(server.client)
        let file = try upload(device, FileOnItsWay.random(1000))
        // The statement after the write to the store waits.
        try server.sql(
            """
            CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
            'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN NULL; END';
            CREATE TRIGGER pause BEFORE UPDATE OF has_thumbnail ON recording_files
            FOR EACH STATEMENT EXECUTE FUNCTION pause()
            """
        )
        let blocker = try Blocker(server, "SELECT pg_advisory_xact_lock(77)")
        let verdict = Locked<String?>(nil)
        let asking = Thread {
            let answer = try? Self.putThumbnail(of: file, device)
            verdict.withLock { $0 = answer ?? "none" }
        }
        asking.start()
        try Deadline.wait("a thumbnail in the store", seconds: 30) { try blocker.isWaitedFor() }
        func thumbnails() -> [String] {
            Operator.tree(server.data + "/objects").filter { $0.hasSuffix("\(file.objectKey).thumb") }
        }
        #expect(thumbnails().count == 1)
        try blocker.commit("DELETE FROM neuroviews.recording_files WHERE user_id = '\(device.userID)'")
        try Deadline.wait("an answer", seconds: 30) { verdict.withLock { $0 } != nil }
        #expect(verdict.withLock { $0 } == "404 not-found")
        #expect(thumbnails().isEmpty)
    }

    private static func putThumbnail(of file: FileOnItsWay, _ device: Device) throws -> String {
        let connection = try RawHTTP(port: device.client.port)
        let fields = [
            ("Content-Type", "image/jpeg"), ("Authorization", "Bearer \(device.token)"), ("Content-Length", "4"),
        ]
        try connection.send("PUT", "/v2/recordings/\(file.id)/thumbnail", fields: fields)
        try connection.send([0xFF, 0xD8, 0xFF, 0xE0])
        return try connection.readResponse().verdict
    }

    @Test("Files that a restore sets aside are deleted, and addresses without an account are not kept")
    func aside() throws {
        let server = try ServerProcess(Self.arguments)
        defer { _ = try? server.stop() }
        let backup = server.folder + "/backup.tar"
        try Operator.succeed(["backup", backup, "--data", server.data])
        let device = try Device.new(server.client)
        let file = try upload(device, FileOnItsWay.random(1000))
        let mark = "mark-\(UUID().uuidString.lowercased())"
        try server.sql(
            """
            INSERT INTO registrations (email, password_hash, expires_at) VALUES ('\(mark)@example.org', 'x', now() + interval '1 day');
            INSERT INTO mails (kind, email, run_at) VALUES ('reset', '\(mark)@example.org', now() + interval '1 day');
            INSERT INTO mailed_tokens VALUES ('\\x01', 'verify', '\(mark)@example.org', NULL, now() + interval '1 day')
            """
        )
        #expect(try server.stop() == 0)
        // No server runs that could delete the file.
        try Operator.succeed(["user", "delete", device.email, "--data", server.data])
        try Operator.succeed(["restore", backup, "--unauthenticated", "--replace", "--data", server.data])
        func isStored() -> Bool { Operator.tree(server.data).contains { $0.hasSuffix(file.objectKey) } }
        #expect(isStored())
        try server.start()
        try Deadline.wait("no file", seconds: 30) { !isStored() }
        let dump = try Program.run(["pg_dump", "-h", server.data + "/socket", "-U", "postgres", "-d", "neuroviews"])
        #expect(dump.status == 0 && dump.output.contains("neuroviews_before_"))
        #expect(!dump.output.contains(mark))
        #expect(try server.sql("SELECT action FROM operator_actions ORDER BY at") == ["backup", "restore"])
    }
}
