import CloudSync
import Foundation
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// The automatic deletion of expired uploads, files without a recording, and old versions of recordings.
struct RecordingSweepTests {
    private static let wish = UploadWish(size: 1000, contentType: "video/quicktime")

    @Test("The sweep ends an expired upload, deletes its bytes, and frees its room and its id")
    func expired() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let (late, early, done) = (JobFixture.newID(), JobFixture.newID(), JobFixture.newID())
            let key = try await fixture.open(late, Self.wish, caller)
            try await fixture.disk.createUpload(key).append([1, 2, 3], at: 0)
            _ = try await fixture.open(early, Self.wish, caller)
            let kept = try await fixture.record(done, [1, 2, 3], caller)
            try await fixture.world.sql(
                "UPDATE recording_files SET expires_at = now() - interval '1 s' WHERE id <> '\(early)'"
            )
            let database = fixture.world.databases[0]
            #expect(try await Sweep.expiredUploads.run(in: database) == 1)
            #expect(try await Sweep.expiredUploads.run(in: database) == 0)
            #expect(try await fixture.value("SELECT count(*) FROM recording_files") == "2")
            try await fixture.runAll()
            #expect(try await fixture.disk.uploads().isEmpty)
            #expect(try await fixture.disk.size(of: kept) == 3)
            let again = try await fixture.world.recordings[0].upload(late, Self.wish, for: caller)
            #expect(again.isNew && again.offset == 0)
        }
    }

    @Test("A complete file gets one more lifetime, which neither the sweep nor another upload shortens")
    func complete() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let (file, left) = (JobFixture.newID(), JobFixture.newID())
            let uploads = UploadService(database: fixture.world.databases[0], keys: World.keys)
            for id in [file, left] {
                let key = try await fixture.open(id, Self.wish, caller)
                try await Self.pass(days: 6, of: id, fixture)
                let change = UploadChange(phase: .complete, offset: 1000, epoch: 1)
                #expect(try await uploads.store(change, of: key.description, ifEpoch: 0))
                try await Self.pass(days: 2, of: id, fixture)
            }
            let database = fixture.world.databases[0]
            #expect(try await Sweep.expiredUploads.run(in: database) == 0)
            _ = try await fixture.open(JobFixture.newID(), Self.wish, caller)
            #expect(try await fixture.complete(file, caller).status == "pending")
            for id in [file, left] { try await Self.pass(days: 6, of: id, fixture) }
            #expect(try await Sweep.expiredUploads.run(in: database) == 1)
            #expect(try await fixture.value("SELECT count(*) FROM recording_files WHERE id = '\(file)'") == "1")
        }
    }

    @Test("An upload that is asked for again in the second half of its lifetime gets another one, as often as it takes")
    func prolonged() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let id = JobFixture.newID()
            let key = try await fixture.open(id, Self.wish, caller)
            let database = fixture.world.databases[0]
            func expiry() async throws -> String {
                try await fixture.value("SELECT expires_at::text FROM recording_files")
            }
            for _ in 1...3 {
                try await Self.pass(days: 6, of: id, fixture)
                let again = try await fixture.world.recordings[0].upload(id, Self.wish, for: caller)
                #expect(!again.isNew && again.objectKey == key.description)
                #expect(try await Sweep.expiredUploads.run(in: database) == 0)
            }
            try await Self.pass(days: 1, of: id, fixture)
            let before = try await expiry()
            _ = try await fixture.open(id, Self.wish, caller)
            #expect(try await expiry() == before, "in the first half")
            try await Self.pass(days: 7, of: id, fixture)
            #expect(try await Sweep.expiredUploads.run(in: database) == 1)
        }
    }

    private static func pass(days: Int, of id: String, _ fixture: JobFixture) async throws {
        let columns = ["asked_at", "expires_at"].map { "\($0) = \($0) - interval '\(days) days'" }
        try await fixture.world.sql("UPDATE recording_files SET \(columns.joined(separator: ", ")) WHERE id = '\(id)'")
    }

    @Test("An upload that is written during the sweep stays until the next one")
    func busyUpload() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            _ = try await fixture.open(JobFixture.newID(), Self.wish, caller)
            try await fixture.world.sql("UPDATE recording_files SET expires_at = now() - interval '1 s'")
            let database = fixture.world.databases[0]
            try await fixture.world.databases[1].transaction(as: .background, key: "busy") { transaction in
                _ = try await transaction.run([
                    RecordingSQL.lockFile(
                        .text(caller.userID),
                        .text(try await fixture.value("SELECT id FROM recording_files"))
                    ).step
                ])
                #expect(try await Sweep.expiredUploads.run(in: database) == 0)
                _ = try await transaction.commit()
            }
            #expect(try await Sweep.expiredUploads.run(in: database) == 1)
        }
    }

    @Test("Old files without a recording are deleted; referenced, young and foreign files stay")
    func orphans() async throws {
        try await JobFixture.with { fixture in
            let caller = try await fixture.world.newAccount()[0]
            let disk = fixture.disk
            let own = try await fixture.record(JobFixture.newID(), [1, 2, 3], caller)
            let open = try await fixture.open(JobFixture.newID(), Self.wish, caller)
            try await disk.createUpload(open).append([1], at: 0)
            let names = [
                "\(own).thumb", Self.name(1), "\(Self.name(1)).thumb", Self.name(2), "somebody/else", "else.thumb",
            ]
            for name in names { try await disk.put([1], as: try Self.key(name)) }
            let (orphan, young) = (try Self.key(Self.name(3)), try Self.key(Self.name(4)))
            for upload in [orphan, young] { try await disk.createUpload(upload).append([1, 2], at: 0) }
            let old = [own.description] + names.filter { $0 != Self.name(2) }
            for name in old { try Self.age(disk.path(of: try Self.key(name))) }
            for upload in [orphan, open] { try Self.age(Self.uploadPath(upload, fixture)) }

            let sweep = OrphanSweep(database: fixture.world.databases[0], storage: .disk(disk), pagesPerRun: 256)
            let removed = try await sweep.run()
            #expect(removed == OrphanSweep.Removed(objects: 2, uploads: 1, bytes: 4))
            #expect(try await sweep.run() == OrphanSweep.Removed())
            var left: Set<String> = []
            try await ObjectStorage.disk(disk).forEachPage { for object in $0 { left.insert(object.key.description) } }
            #expect(left == Set(names + [own.description]).subtracting([Self.name(1), "\(Self.name(1)).thumb"]))
            #expect(Set(try await disk.uploads().map(\.key)) == [open, young])
        }
    }

    @Test("An old file that can't be deleted is reported once in a run, and does not keep the others")
    func undeletable() async throws {
        try await JobFixture.with { fixture in
            let (disk, failures) = (fixture.disk, Counter())
            for number in 1...20 {
                let path = disk.path(of: try Self.key(Self.name(number)))
                // No object can be a folder: unlink refuses it, also for root.
                if number > 18 {
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                } else {
                    try await disk.put([1], as: try Self.key(Self.name(number)))
                }
                try Self.age(path)
            }
            let sweep = OrphanSweep(
                database: fixture.world.databases[0],
                storage: .disk(disk),
                pagesPerRun: 256,
                report: { _ in failures.add() }
            )
            #expect(try await sweep.run() == OrphanSweep.Removed(objects: 18, bytes: 18))
            #expect(try await sweep.run().isEmpty)
            #expect(failures.value == 2)
        }
    }

    @Test("Files from before a restore of the database stay for a month")
    func restored() async throws {
        try await JobFixture.with { fixture in
            let key = try Self.key(Self.name(1))
            let sweep = OrphanSweep(
                database: fixture.world.databases[0],
                storage: .disk(fixture.disk),
                pagesPerRun: 256
            )
            // The first connection stores the current lineage.
            #expect(try await sweep.run().isEmpty)
            for (began, removed) in [("1 hour", 0), ("29 days", 1), ("31 days", 1)] {
                try await fixture.disk.put([1], as: key)
                try Self.age(fixture.disk.path(of: key))
                try await fixture.world.sql("UPDATE lineage SET began_at = now() - interval '\(began)'")
                #expect(try await sweep.run().objects == removed, "\(began)")
            }
        }
    }

    @Test("The sweep walks the whole store, some parts in each run")
    func parts() async throws {
        try await JobFixture.with { fixture in
            for number in 0..<40 {
                let key = try Self.key(Self.name(number))
                try await fixture.disk.put([1], as: key)
                try Self.age(fixture.disk.path(of: key))
            }
            let sweep = OrphanSweep(database: fixture.world.databases[0], storage: .disk(fixture.disk), pagesPerRun: 60)
            var counts: [Int] = []
            for _ in 0..<5 { counts.append(try await sweep.run().objects) }
            #expect(counts.reduce(0, +) == 40 && counts[0] < 40)
        }
    }

    @Test("Old versions of recordings are pruned like those of configurations")
    func versions() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            try await fixture.record(id, [1, 2, 3], caller)
            try await fixture.runAll()
            let held =
                "SELECT string_agg(version::text, ',') FILTER (WHERE document IS NOT NULL) FROM recording_versions"
            #expect(try await fixture.value(held) == "1,2")
            try await fixture.world.sql("UPDATE recording_versions SET changed_at = changed_at - interval '1 day'")
            let limits = HistorySweep.Limits(versionsMax: 1, versionsDays: 0, conflictsMax: 0, conflictsDays: 0)
            let removed = try await HistorySweep(database: fixture.world.databases[0], limits: limits).run()
            #expect(removed.versions == 1)
            #expect(try await fixture.value(held) == "2")
            let counted = """
                SELECT h.history_bytes = (SELECT sum(octet_length(document)) FROM recording_versions)
                FROM sync_heads h WHERE h.collection = 'recordings'
                """
            #expect(try await fixture.value(counted) == "t")
            #expect(try await fixture.document(id, caller).value["processing_status"]?.string == "ready")
        }
    }

    private static func name(_ number: Int) -> String { "00112233445566778899aabbccddee" + String(10 + number) }

    private static func key(_ name: String) throws -> ObjectKey { try #require(ObjectKey(name)) }

    private static func uploadPath(_ key: ObjectKey, _ fixture: JobFixture) -> String {
        let object = fixture.disk.path(of: key)
        let root = object.components(separatedBy: "/objects/")[0]
        return "\(root)/uploads/\(key)"
    }

    /// Sets a file's age to two days.
    private static func age(_ path: String) throws {
        let time = Date(timeIntervalSinceNow: -2 * 86400)
        try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
    }
}
