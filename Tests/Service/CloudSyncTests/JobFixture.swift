import CloudSync
import Foundation
import Media
import Net
import NeuroViewsCrypto
import NeuroViewsJSON
import Postgres
import Storage
import TestSupport
import Testing

@testable import CloudSync

/// A world with a store and a job runner on each of its two servers.
struct JobFixture: Sendable {
    let world: World
    let disk: DiskStorage
    /// The threads of the store and of media programs.
    let pool: BlockingPool
    /// The store identity of each server.
    let stores: [StoreIdentity]
    let jobs: [RecordingJobs]
    private let log: EventLog
    private static let threads = 4

    static func with(
        _ settings: RecordingJobs.Settings = RecordingJobs.Settings(),
        allowsNoWalls: Bool = true,
        tools: @escaping @Sendable () -> MediaTools = { MediaTools.find() },
        _ body: @escaping @Sendable (JobFixture) async throws -> Void
    ) async throws {
        try await World.with { world in
            let pool = try BlockingPool(threads: Self.threads, queueMax: 1000)
            let result: Result<Void, any Error>
            do {
                let laboratory = { MediaLaboratory(pool: pool, allowsNoWalls: allowsNoWalls, find: tools) }
                result = .success(try await body(JobFixture(world, pool, settings, laboratory)))
            } catch {
                result = .failure(error)
            }
            try await onThread { pool.stop() }
            try result.get()
        }
    }

    private init(
        _ world: World,
        _ pool: BlockingPool,
        _ settings: RecordingJobs.Settings,
        _ laboratory: () -> MediaLaboratory
    ) throws {
        let (disk, log) = (try DiskStorage(folder: Sandbox.makeFolder(), reserveBytes: 0, pool: pool), EventLog())
        (self.world, self.disk, self.pool, self.log) = (world, disk, pool, log)
        let stores = world.databases.map { StoreIdentity(database: $0, storage: .disk(disk)) }
        self.stores = stores
        jobs = zip(world.databases, stores).map { database, store in
            RecordingJobs(
                database: database,
                storage: .disk(disk),
                laboratory: laboratory(),
                settings: settings,
                confirmStoreNow: store.confirmNow,
                report: { log.add($0) }
            )
        }
    }

    /// The reported job events as texts.
    var ends: [String] { log.all.map { "\($0.kind) \($0.end.word)" } }

    /// A new recording's id, in the spelling of its client.
    static func newID() -> String { UUID().uuidString }

    /// Requests an upload and returns its object key.
    func open(_ id: String, _ wish: UploadWish, _ caller: Caller) async throws -> ObjectKey {
        let grant = try await world.recordings[0].upload(id, wish, for: caller)
        return try #require(ObjectKey(String(grant.token.prefix { $0 != "." })))
    }

    /// Creates a completed recording of these bytes. `change` can make the claims about them wrong.
    @discardableResult
    func record(
        _ id: String,
        _ bytes: [UInt8]?,
        type: String = "image/png",
        _ caller: Caller,
        _ change: (inout UploadWish) -> Void = { _ in }
    ) async throws -> ObjectKey {
        var wish = UploadWish(size: bytes?.count ?? 1, contentType: type)
        change(&wish)
        let key = try await open(id, wish, caller)
        if let bytes { try await disk.put(bytes, as: key) }
        try await completeUpload(id)
        _ = try await complete(id, caller)
        return key
    }

    /// Marks the upload as complete.
    func completeUpload(_ id: String) async throws {
        try await world.sql(
            "UPDATE recording_files SET upload = 'complete', upload_offset = size, uploaded_at = now() WHERE id = '\(id)'"
        )
    }

    /// Completes the recording with its metadata.
    func complete(_ id: String, _ caller: Caller) async throws -> CompletedRecording {
        let text = #"{"filename":"A.mov","created_at":"2026-03-01T12:00:00Z","unknown":"kept"}"#
        let value = try JSONParser.parse(Array(text.utf8), policy: .rfc8259)
        return try await world.recordings[0].complete(id, try RecordingMetadata(value), for: caller).get()
    }

    /// Runs all due jobs on the first server, but no previews.
    func runAll() async throws {
        var ranAny = true
        while ranAny {
            ranAny = false
            for lane in [JobLane.checks, .decoding] {
                while try await jobs[0].runNext(lane) { ranAny = true }
            }
        }
    }

    /// A recording's document and version, as clients read them.
    func document(_ id: String, _ caller: Caller) async throws -> (value: JSONValue, version: Int) {
        let stored = try await world.recordings[1].get(id, for: caller)
        let value = try JSONParser.parse(stored.document, policy: .rfc8259)
        return (value, try #require(stored.version).number)
    }

    /// The first value of the first row.
    func value(_ sql: String) async throws -> String {
        let rows = try await world.sql(sql)
        return rows.first?.text(0) ?? ""
    }

    /// The folder of the store.
    var folder: String { disk.path(of: .storeID).components(separatedBy: "/objects/")[0] }

    /// Replaces the store's folder by an empty one, like a mount point without a volume.
    func unmount() throws {
        try FileManager.default.moveItem(atPath: folder, toPath: folder + ".away")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    /// Restores the store's folder.
    func mount() throws {
        try FileManager.default.removeItem(atPath: folder)
        try FileManager.default.moveItem(atPath: folder + ".away", toPath: folder)
    }

    /// Keeps all threads of the store busy until `body` ends, so that writes to it wait.
    func holdingStore<Value>(_ body: () async throws -> Value) async throws -> Value {
        let (gate, held) = (DispatchSemaphore(value: 0), Counter())
        for _ in 0..<Self.threads {
            _ = Task {
                try await pool.run {
                    held.add()
                    gate.wait()
                }
            }
        }
        // Also after an error: the pool's end waits for its threads.
        defer { for _ in 0..<Self.threads { gate.signal() } }
        try await eventually { held.value == Self.threads }
        return try await body()
    }

    /// Creates due jobs without recordings.
    func addJobs(_ kind: JobKind, _ count: Int, _ caller: Caller) async throws {
        try await world.sql(
            """
            INSERT INTO jobs (user_id, recording_id, object_key, kind)
            SELECT '\(caller.userID)', gen_random_uuid(), gen_random_uuid()::text, '\(kind.rawValue)' FROM generate_series(1, \(count))
            """
        )
    }

    /// Makes every job due and every lease expired.
    func passLeases() async throws {
        try await world.sql("UPDATE jobs SET run_at = now() - interval '1 second'")
    }
}

/// Events in their order.
private final class EventLog: Sendable {
    private let events = Locked<[JobEvent]>([])

    var all: [JobEvent] { events.withLock { $0 } }

    func add(_ event: JobEvent) { events.withLock { $0.append(event) } }
}

extension JobEvent.End {
    fileprivate var word: String {
        switch self {
        case .done(let notes): (["done"] + notes).joined(separator: ": ")
        case .postponed: "postponed"
        case .dead: "dead"
        case .lost: "lost"
        case .interrupted: "interrupted"
        }
    }
}
