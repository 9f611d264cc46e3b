import Net
import NeuroViewsCrypto
import Postgres
import Storage

/// Deletes objects and upload files without a recording. A recording's row exists before the first byte, so an object
/// that is listed and then has no row will never get one. Young objects are kept all the same. After the database was
/// restored or a standby took over, older objects are kept for a month: an operator may still bring back lost rows.
package final class OrphanSweep: Sendable {
    /// The numbers of deleted things in a run.
    package struct Removed: Sendable, Equatable {
        /// Objects, thumbnails and previews included.
        package var objects = 0
        /// Files of uploads, and of unfinished previews.
        package var uploads = 0
        /// Bytes of both.
        package var bytes = 0

        /// True if nothing was deleted.
        package var isEmpty: Bool { self == Removed() }
    }

    private let database: CallerDatabase
    private let storage: ObjectStorage
    private let ageSecondsMin: Int
    private let pagesPerRun: Int
    private let report: @Sendable (any Error) -> Void
    /// The name where the next run begins. The first start is random, so that all objects have the same chance even if
    /// servers run briefly: names are random.
    private let position = Locked(Hex.encode([UInt8.random(in: 0...(.max))]))
    private static let lookUpMax = 500
    private static let lostRowsSeconds = 30 * 86400

    /// Returns the names without a row.
    private static let unknown = Query(
        """
        SELECT k FROM unnest($1::text[]) k
        WHERE NOT EXISTS (SELECT FROM recording_files f WHERE f.object_key = k)
        """
    ) { columns throws(UnexpectedResult) in try columns.next() as String }

    /// Each run reads `pagesPerRun` pages of the store's objects. A page has 256 objects on disk, 1,000 in S3.
    /// `report` gets the first object of a run that can't be deleted.
    package init(
        database: Database,
        storage: ObjectStorage,
        ageSecondsMin: Int = 86400,
        pagesPerRun: Int = 4,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.database = CallerDatabase(database)
        self.storage = storage
        self.ageSecondsMin = ageSecondsMin
        self.pagesPerRun = pagesPerRun
        self.report = report
    }

    /// The database's time, and the time when its history began, in Unix seconds. The server's own clock is not checked.
    private static let times = Query(
        "SELECT floor(extract(epoch FROM now()))::bigint, floor(extract(epoch FROM began_at))::bigint FROM lineage"
    ) { columns throws(UnexpectedResult) in (nowS: try columns.next() as Int, beganS: try columns.next() as Int) }

    /// To be called now and then, on any server that has the store. Throws `ClockDoubted`.
    package func run() async throws -> Removed {
        var removed = Removed()
        // Every connection makes sure that there is a lineage.
        guard let times = try await database.sweep(Self.times()).first else { return removed }
        let due = Due(
            nowS: times.nowS,
            ageSecondsMin: ageSecondsMin,
            historyBeganS: times.beganS,
            lostRowsSeconds: Self.lostRowsSeconds
        )
        var failure: UndeletedObject?
        defer { if let failure { report(failure) } }
        let uploads = try await storage.uploads().filter(due.includes)
        // A running preview job writes to its file all the time. An old file was left by a crash, so it is deleted even
        // if its recording exists.
        let works = uploads.filter { RecordingObject.base(of: $0.key.description) != $0.key.description }
        let names = Set(works.map(\.key))
        for upload in try await orphans(among: uploads.filter { !names.contains($0.key) }) + works {
            guard try await isDeleted(upload, by: storage.deleteUpload, &failure) else { continue }
            removed.uploads += 1
            removed.bytes += upload.bytes
        }
        for _ in 0..<pagesPerRun {
            let page = try await storage.objects(from: position.withLock { $0 })
            for object in try await orphans(among: page.objects.filter(due.includes)) {
                guard try await isDeleted(object, by: storage.delete, &failure) else { continue }
                removed.objects += 1
                removed.bytes += object.bytes
            }
            position.withLock { $0 = page.next ?? "" }
        }
        return removed
    }

    /// Deletes an object. If it can't be deleted, it must not block the others. Throws if the store is unavailable.
    private func isDeleted(
        _ object: StoredObject,
        by delete: (ObjectKey) async throws -> Void,
        _ failure: inout UndeletedObject?
    ) async throws -> Bool {
        do {
            try await delete(object.key)
            return true
        } catch StorageError.unavailable(let reason) {
            throw StorageError.unavailable(reason)
        } catch {
            failure = failure ?? UndeletedObject(objectKey: object.key.description, reason: error)
            return false
        }
    }

    /// Returns the objects without a row.
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

/// The conditions for deleting an object without a row. Objects with foreign names do not belong to this server.
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
