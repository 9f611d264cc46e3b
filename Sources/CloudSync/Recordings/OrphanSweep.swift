import Crypto
import Foundation
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
    private let storage: ObjectStorage
    private let ageSecondsMin: Int
    private let pagesPerRun: Int
    /// Where the next run begins. A start anywhere gives all objects the same chance, however short a server runs: names are random.
    private let position = Locked(Hex.encode([UInt8.random(in: 0...(.max))]))
    private static let lookUpMax = 500
    private static let keyDigits = 32

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

    /// To be called now and then, on any server that has the store.
    public func run() async throws -> Removed {
        var removed = Removed()
        let uploads = try await storage.uploads()
        // A preview that is being made is written to all the time. One that is old was left by a crash, whatever became of its recording.
        let works = uploads.filter { isOld($0) && Self.recordingKey($0.key) != $0.key.description }
        let names = Set(works.map(\.key))
        for upload in try await orphans(among: uploads.filter { !names.contains($0.key) }) + works {
            try await storage.deleteUpload(upload.key)
            removed.uploads += 1
            removed.bytes += upload.bytes
        }
        for _ in 0..<pagesPerRun {
            let page = try await storage.objects(from: position.withLock { $0 })
            for object in try await orphans(among: page.objects) {
                try await storage.delete(object.key)
                removed.objects += 1
                removed.bytes += object.bytes
            }
            position.withLock { $0 = page.next ?? "" }
        }
        return removed
    }

    /// What this server does not name is not its own to delete.
    private func isOld(_ listed: StoredObject) -> Bool {
        Self.isOwn(listed.key) && Int(Date().timeIntervalSince1970) - listed.writtenAtS >= ageSecondsMin
    }

    /// Old ones without a row.
    private func orphans(among listed: [StoredObject]) async throws -> [StoredObject] {
        let own = listed.filter(isOld)
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
