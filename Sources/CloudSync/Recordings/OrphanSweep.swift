import Net
import Postgres
import Storage

/// Deletes objects and files of uploads that no recording has. A recording's row is there before the first of its bytes, so what has no row
/// when it is looked up after the listing will never get one. What is young stays all the same: a clock or a database that was set back
/// then leaves time to notice.
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
    private let disk: DiskStorage
    private let ageSecondsMin: Int
    private let partsPerRun: Int
    /// The part that the next run begins with. A start at any of them gives all the same chance, however short a server runs.
    private let position = Locked(Int.random(in: 0..<DiskStorage.partCount))
    private static let lookUpMax = 500
    private static let keyDigits = 32

    /// Those of the names that no row has.
    private static let unknown = Query(
        """
        SELECT k FROM unnest($1::text[]) k
        WHERE NOT EXISTS (SELECT FROM recording_files f WHERE f.object_key = k)
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as String }

    /// Looks at that many of the store's 256 parts in each run.
    public init(database: Database, disk: DiskStorage, ageSecondsMin: Int = 86400, partsPerRun: Int = 4) {
        self.database = CallerDatabase(database)
        self.disk = disk
        self.ageSecondsMin = ageSecondsMin
        self.partsPerRun = partsPerRun
    }

    /// To be called now and then, on the one server that has the disk.
    public func run() async throws -> Removed {
        var removed = Removed()
        let uploads = try await disk.uploads()
        // A preview that is being made is written to all the time. One that is old was left by a crash, whatever became of its recording.
        let works = uploads.filter { Self.isOwn($0.key) && Self.recordingKey($0.key) != $0.key.description }
        let names = Set(works.map(\.key))
        for upload in try await orphans(among: uploads.filter { !names.contains($0.key) }) + works {
            guard try await isOld({ try await self.disk.ageSeconds(ofUpload: upload.key) }) else { continue }
            try await disk.deleteUpload(upload.key)
            removed.uploads += 1
            removed.bytes += upload.bytes
        }
        for part in nextParts() {
            for object in try await orphans(among: try await disk.objects(inPart: part)) {
                guard try await isOld({ try await self.disk.ageSeconds(of: object.key) }) else { continue }
                try await disk.delete(object.key)
                removed.objects += 1
                removed.bytes += object.bytes
            }
        }
        return removed
    }

    private func nextParts() -> [Int] {
        position.withLock { [partsPerRun] position in
            let parts = (0..<partsPerRun).map { (position + $0) % DiskStorage.partCount }
            position = (position + partsPerRun) % DiskStorage.partCount
            return parts
        }
    }

    /// One that is gone meanwhile is not old.
    private func isOld(_ ageSeconds: () async throws -> Int) async throws -> Bool {
        do {
            return try await ageSeconds() >= ageSecondsMin
        } catch StorageError.missing {
            return false
        }
    }

    /// Those without a row. What this server does not name is not its own to delete.
    private func orphans(among listed: [StoredObject]) async throws -> [StoredObject] {
        let own = listed.filter { Self.isOwn($0.key) }
        var orphans: [StoredObject] = []
        for start in stride(from: 0, to: own.count, by: Self.lookUpMax) {
            let some = own[start..<min(start + Self.lookUpMax, own.count)]
            let names = Set(some.map { Self.recordingKey($0.key) })
            let unknown: [String] = try await database.background(Self.unknown(.texts(Array(names))))
            let gone = Set(unknown)
            orphans += some.filter { gone.contains(Self.recordingKey($0.key)) }
        }
        return orphans
    }

    /// The file's object, of which the names of thumbnail and preview are made.
    private static func recordingKey(_ key: ObjectKey) -> String { String(key.description.prefix { $0 != "." }) }

    private static func isOwn(_ key: ObjectKey) -> Bool {
        let digits = recordingKey(key).utf8
        return digits.count == keyDigits && digits.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }
}
