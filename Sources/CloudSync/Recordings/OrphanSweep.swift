import Crypto
import FoundationEssentials
import Glibc
import Net
import Postgres
import Storage

/// Deletes objects and files of uploads that no recording has. A recording's row is there before the first of its bytes, so what has no row
/// when it is looked up after the listing will never get one. What is young stays all the same, and for a month what was there before the
/// database was restored or taken over from a standby: rows may be lost that an operator can still bring back.
public final class OrphanSweep: Sendable {
    /// What a run has deleted.
    public struct Removed: Sendable, Equatable {
        /// Objects, thumbnails and previews included.
        public var objects = 0
        /// Files of uploads, and of previews that were never finished.
        public var uploads = 0
        /// Bytes of both.
        public var bytes = 0

        /// Whether there was nothing to do.
        public var isEmpty: Bool { self == Removed() }
    }

    private let database: CallerDatabase
    private let storage: ObjectStorage
    private let ageSecondsMin: Int
    private let pagesPerRun: Int
    /// Where the next run begins. A start anywhere gives all objects the same chance, however short a server runs: names are random.
    private let position = Locked(Hex.encode([UInt8.random(in: 0...(.max))]))
    private static let lookUpMax = 500
    private static let lostRowsSeconds = 30 * 86400

    /// Those of the names that no row has.
    private static let unknown = Query(
        """
        SELECT k FROM unnest($1::text[]) k
        WHERE NOT EXISTS (SELECT FROM recording_files f WHERE f.object_key = k)
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as String }

    /// Looks at that many pages of the store's objects in each run: of 256 on disk, of 1,000 objects in S3.
    public init(database: Database, storage: ObjectStorage, ageSecondsMin: Int = 86400, pagesPerRun: Int = 4) {
        self.database = CallerDatabase(database)
        self.storage = storage
        self.ageSecondsMin = ageSecondsMin
        self.pagesPerRun = pagesPerRun
    }

    /// Since when the database has its history, in Unix seconds.
    private static let historyBegan = Query("SELECT floor(extract(epoch FROM began_at))::bigint FROM lineage") {
        columns throws(UnexpectedResult) -> Int in try columns.next()
    }

    /// To be called now and then, on any server that has the store.
    public func run() async throws -> Removed {
        var removed = Removed()
        let due = Due(
            nowS: Int(Date().timeIntervalSince1970),
            ageSecondsMin: ageSecondsMin,
            historyBeganS: try await database.background(Self.historyBegan()).first ?? 0,
            lostRowsSeconds: Self.lostRowsSeconds
        )
        let uploads = try await storage.uploads().filter(due.includes)
        // A preview that is being made is written to all the time. One that is old was left by a crash, whatever became of its recording.
        let works = uploads.filter { RecordingObject.base(of: $0.key.description) != $0.key.description }
        let names = Set(works.map(\.key))
        for upload in try await orphans(among: uploads.filter { !names.contains($0.key) }) + works {
            try await storage.deleteUpload(upload.key)
            removed.uploads += 1
            removed.bytes += upload.bytes
        }
        for _ in 0..<pagesPerRun {
            let page = try await storage.objects(from: position.withLock { $0 })
            for object in try await orphans(among: page.objects.filter(due.includes)) {
                try await storage.delete(object.key)
                removed.objects += 1
                removed.bytes += object.bytes
            }
            position.withLock { $0 = page.next ?? "" }
        }
        return removed
    }

    /// Those without a row.
    private func orphans(among own: [StoredObject]) async throws -> [StoredObject] {
        var orphans: [StoredObject] = []
        for start in stride(from: 0, to: own.count, by: Self.lookUpMax) {
            let some = own[start..<min(start + Self.lookUpMax, own.count)]
            let names = Set(some.map { RecordingObject.base(of: $0.key.description) })
            let unknown: [String] = try await database.background(Self.unknown(.texts(Array(names))))
            let gone = Set(unknown)
            orphans += some.filter { gone.contains(RecordingObject.base(of: $0.key.description)) }
        }
        return orphans
    }
}

/// What may be deleted at all, when no row has it. What this server does not name is not its own.
private struct Due {
    let nowS: Int
    let ageSecondsMin: Int
    let historyBeganS: Int
    let lostRowsSeconds: Int

    func includes(_ listed: StoredObject) -> Bool {
        let mayHaveLostItsRow = listed.writtenAtS < historyBeganS && nowS - historyBeganS < lostRowsSeconds
        return RecordingObject.isOwn(listed.key) && nowS - listed.writtenAtS >= ageSecondsMin && !mayHaveLostItsRow
    }
}
