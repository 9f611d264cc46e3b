import Postgres
import TestSupport
import Testing

@testable import CloudSync

/// The blocks that statements read in an account with many recordings. The rows of successive recordings are in other
/// blocks, so reading all rows would take about as many blocks as there are rows.
struct RecordingCostTests {
    private static let (recordings, fewBlocks) = (2000, 400)
    private static let upload = UploadWish(size: 5, contentType: "video/mp4")

    /// The recordings of the first 2,000 minutes of 2026.
    private static func fill(_ caller: Caller, in world: World) async throws {
        try await world.sql(
            """
            INSERT INTO recording_files
                (user_id, id, spelled_id, object_key, size, content_type, expires_at, state, recorded_at)
            SELECT '\(caller.userID)', gen_random_uuid(), n, n, 7, 'video/mp4', now(), 'ready',
                '2026-01-01Z'::timestamptz + n * 7919 % \(recordings) * interval '1 minute'
            FROM generate_series(1, \(recordings)) n;
            INSERT INTO recordings
                (user_id, id, spelled_id, document, digest, version, seq, chain, changed_at, edited_at)
            SELECT user_id, id, spelled_id, '{}', '', 1, spelled_id::bigint, '', now(), now() FROM recording_files
            """
        )
    }

    /// Vacuums until PostgreSQL needs no rows to know that an index has no dead entries. A snapshot delays that.
    private static func vacuum(_ world: World) async throws {
        try await eventually("a vacuumed table") {
            try await onThread { [address = world.connectionString] in
                _ = try BlockingSession(address).execute("VACUUM neuroviews.recording_files")
            }
            let state = "SELECT relallvisible >= relpages FROM pg_class WHERE oid = 'recording_files'::regclass"
            return try await world.sql(state).first?.bool(0) == true
        }
    }

    @Test("The use of an account is summed up without the rows of its recordings")
    func use() async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.fill(caller, in: world)
            _ = try await world.recordings[0].upload(JobFixture.newID(), Self.upload, for: caller)
            try await Self.vacuum(world)
            let use = RecordingSQL.use(.text(caller.userID))
            let blocks = try await StatementCostTests.blocks(use.step, of: caller, in: world)
            #expect((1..<Self.fewBlocks).contains(blocks), "\(blocks) blocks")
            let found = try await CallerDatabase(world.databases[0]).read(for: caller, use)
            #expect(found.map(\.bytes) == [7 * Self.recordings + 5])
            #expect(found.map(\.reserved) == [5] && found.map(\.open) == [1])
        }
    }

    @Test("The end of failed uploads reads no rows of recordings")
    func ended() async throws {
        try await World.with { world in
            let (caller, id) = (try await world.newAccount()[0], JobFixture.newID())
            try await Self.fill(caller, in: world)
            _ = try await world.recordings[0].upload(id, Self.upload, for: caller)
            try await world.sql("UPDATE recording_files SET upload = 'failed' WHERE state = 'uploading'")
            let drop = RecordingSQL.dropEnded(.text(caller.userID), .text(JobFixture.newID()))
            let blocks = try await StatementCostTests.blocks(drop.step, of: caller, in: world)
            #expect((1..<Self.fewBlocks).contains(blocks), "\(blocks) blocks")
            #expect(try await world.sql("SELECT FROM recording_files").count == Self.recordings)
        }
    }

    /// The blocks of a page with 20 entries.
    private static func blocks(
        ofUploads isOfUploads: Bool,
        before cursor: RecordingCursor,
        _ caller: Caller,
        _ world: World
    ) async throws -> Int {
        let place: [Parameter] = [.text(caller.userID), .int(cursor.recordedAt.microseconds), .text(cursor.id)]
        let parameters = place + [.int(0), .int(20)] + [Parameter](repeating: .null, count: 6)
        let step = isOfUploads ? RecordingSQL.uploads(parameters).step : RecordingSQL.page(parameters)
        return try await StatementCostTests.blocks(step, of: caller, in: world)
    }

    @Test("The last page of a list reads about as many blocks as the first", arguments: [false, true])
    func pages(isOfUploads: Bool) async throws {
        try await World.with { world in
            let caller = try await world.newAccount()[0]
            try await Self.fill(caller, in: world)
            if isOfUploads {
                try await world.sql(
                    "UPDATE recording_files SET state = 'uploading', asked_at = recorded_at, recorded_at = NULL"
                )
            }
            // 20 minutes after the beginning of 2026.
            let last = RecordingCursor(
                recordedAt: Timestamp(microseconds: 1_767_226_800_000_000),
                id: "00000000-0000-0000-0000-000000000000"
            )
            let ofFirst = try await Self.blocks(ofUploads: isOfUploads, before: .newest, caller, world)
            let ofLast = try await Self.blocks(ofUploads: isOfUploads, before: last, caller, world)
            #expect((1..<ofFirst + 50).contains(ofLast), "\(ofLast) blocks, \(ofFirst) of the first page")
            var filter = RecordingFilter()
            if isOfUploads { filter.state = .uploading }
            let list = try await world.recordings[0].list(filter, before: last, offset: 0, limit: 20, for: caller)
            switch list.content {
            case .recordings(let found): #expect(found.count == 20 && !isOfUploads)
            case .uploads(let found): #expect(found.count == 20 && isOfUploads)
            }
            #expect(list.next == nil)
        }
    }
}
