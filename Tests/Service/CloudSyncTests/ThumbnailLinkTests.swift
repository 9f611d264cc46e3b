import CloudSync
import NeuroViewsJSON
import Storage
import TestSupport
import Testing

@testable import CloudSync

@Suite("Links to thumbnails")
struct ThumbnailLinkTests {
    private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0]

    /// The recording's thumbnail as all reads of it report it: by id, in the list, in the delta.
    private static func shown(_ id: String, _ fixture: JobFixture, _ caller: Caller) async throws -> String? {
        let service = fixture.world.recordings[0]
        let object = try await service.get(id, for: caller).thumbnailObject
        #expect(try await service.thumbnailObject(of: id, for: caller) == object)
        let list = try await service.list(RecordingFilter(), before: nil, offset: 0, limit: 100, for: caller)
        if case .recordings(let listed) = list.content {
            #expect(listed.count == 1 && listed[0].thumbnailObject == object)
        }
        let delta = try #require(try await service.changes.delta(DeltaRequest(cursor: .none), for: caller))
        #expect(delta.count == 1 && delta[0].thumbnailObject == object)
        #expect(try await paged(fixture, caller) == [object])
        return object
    }

    /// The thumbnails of a delta whose documents are read in pages.
    private static func paged(_ fixture: JobFixture, _ caller: Caller) async throws -> [String?] {
        let database = fixture.world.databases[1]
        var limits = DeltaLimits()
        limits.documentBytes = 0
        let service = RecordingService(
            database: database,
            keys: World.keys,
            devices: DeviceService(database: database, now: { 0 }),
            overlapSeconds: 0,
            deltaLimits: limits
        )
        let delta = try #require(try await service.changes.delta(DeltaRequest(cursor: .none), for: caller))
        var pages = try DeltaPages(.documents, of: delta, service.changes, caller)
        var found: [String?] = []
        while let page = try await pages.next() {
            for index in 0..<page.count { found.append(page[index].thumbnailObject) }
        }
        return found
    }

    /// The answer to the link in `complete`, which names an object with or without a thumbnail.
    private static func answer(_ key: ObjectKey, _ fixture: JobFixture) async throws -> DownloadService.Missing? {
        let downloads = DownloadService(database: fixture.world.databases[0], keys: World.keys, now: { 0 })
        do {
            _ = try await downloads.download(downloads.thumbnailLinks.text(ofObject: key.description))
            return nil
        } catch let missing as DownloadService.Missing {
            return missing
        }
    }

    private static func putThumbnail(_ id: String, _ fixture: JobFixture, _ caller: Caller) async throws {
        try await fixture.world.recordings[0].keepThumbnail(
            of: id,
            bytes: jpeg.count,
            for: caller,
            check: { _ in },
            store: { _, _ in },
            remove: { _ in }
        )
    }

    @Test("A video has a link while its thumbnail may come, and none when no server makes one, until its client does")
    func video() async throws {
        try await JobFixture.with(tools: { .find(in: []) }) { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/mp4", caller)
            #expect(try await Self.shown(id, fixture, caller) == key.description)
            #expect(try await Self.answer(key, fixture) == .notReady(.thumbnail))
            try await fixture.runAll()
            #expect(try await Self.shown(id, fixture, caller) == nil)
            #expect(try await Self.answer(key, fixture) == .unavailable(.thumbnail))
            let before = try await fixture.document(id, caller).version
            try await Self.putThumbnail(id, fixture, caller)
            #expect(try await Self.shown(id, fixture, caller) == key.description)
            #expect(try await Self.answer(key, fixture) == nil)
            #expect(try await fixture.document(id, caller).version == before, "versions leave the link out")
        }
    }

    @Test(
        "Sound, files that are not measured and encrypted recordings have no link",
        arguments: ["audio/mp4", "image/png", "video/mp4"]
    )
    func without(type: String) async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let envelope = try JSONParser.parse(Array(#"{"scheme":"x"}"#.utf8), policy: .rfc8259)
            let key = try await fixture.record(id, [1, 2, 3], type: type, caller) { wish in
                if type == "video/mp4" { wish.encryption = envelope }
            }
            #expect(try await Self.shown(id, fixture, caller) == nil)
            let expected = type == "video/mp4" ? DownloadService.Missing.notReady(.thumbnail) : .unavailable(.thumbnail)
            #expect(try await Self.answer(key, fixture) == expected)
            try await Self.putThumbnail(id, fixture, caller)
            #expect(try await Self.shown(id, fixture, caller) == key.description)
        }
    }

    @Test("The link of an account that is disabled or being erased is not found")
    func unusable() async throws {
        try await JobFixture.with { fixture in
            let (world, id) = (fixture.world, JobFixture.newID())
            let caller = try await world.newAccount()[0]
            let key = try await fixture.record(id, [1, 2, 3], type: "image/png", caller)
            try await Self.putThumbnail(id, fixture, caller)
            #expect(try await Self.answer(key, fixture) == nil)
            try await world.sql("UPDATE users SET disabled_at = now() WHERE id = '\(caller.userID)'")
            await #expect(throws: CloudSyncError.self) { try await Self.answer(key, fixture) }
            try await world.sql("UPDATE users SET disabled_at = NULL WHERE id = '\(caller.userID)'")
            #expect(try await Self.answer(key, fixture) == nil)
            // An erasure begins with this row. Its steps delete the file's row later.
            try await world.sql("INSERT INTO account_erasures (account) VALUES ('\(caller.userID)')")
            await #expect(throws: CloudSyncError.self) { try await Self.answer(key, fixture) }
        }
    }

    @Test("The link to a deleted recording's thumbnail is not found")
    func deleted() async throws {
        try await JobFixture.with { fixture in
            let (caller, id) = (try await fixture.world.newAccount()[0], JobFixture.newID())
            let key = try await fixture.record(id, [1, 2, 3], type: "video/mp4", caller)
            _ = try await fixture.world.recordings[0].delete(id, WriteConditions(), for: caller).get()
            await #expect(throws: CloudSyncError.self) { try await Self.answer(key, fixture) }
        }
    }
}
