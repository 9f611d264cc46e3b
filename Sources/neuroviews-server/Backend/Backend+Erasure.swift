import CloudSync
import FoundationEssentials
import Glibc
import Net
import Observability
import Operations
import Settings
import Storage

extension Backend {
    /// Erases accounts for this server. Throws if the ledger was not settled before.
    func accountErasure(_ settings: Settings, _ log: LogWriter) throws -> AccountErasure {
        let (ledger, key, pool) = (ledger, try ledger.key(), storagePool)
        return AccountErasure(
            database: database,
            place: AccountErasure.Place(
                storage: storage,
                storesAside: { try Self.storesAside(settings.dataFolder).map { try Self.store($0, pool) } },
                confirmStore: { [store] in try await store.confirmNow() },
                ledgerDigest: { key.digest(of: $0) },
                noteInLedger: { digest in try await pool.run { try ledger.note(digest) } },
                wakeMails: Self.wakeMails(mailsWaiting, settings),
                report: { log.write(.error, "erasure", [("failed", .text("\($0)"))]) }
            )
        )
    }

    /// Brings the ledger's file and table to the same state. Returns the number of erased accounts that a restore had
    /// brought back.
    func settleLedger() async throws -> Int {
        try await storagePool.run { [ledger] in try ledger.settle() }
    }

    /// The folders of recording files that restores have kept aside.
    private static func storesAside(_ dataFolder: String) throws -> [String] {
        let prefix = RestoreJournal.aside(BackupArchive.objects, "")
        return try FileManager.default.contentsOfDirectory(atPath: dataFolder).filter { $0.hasPrefix(prefix) }
            .map { "\(dataFolder)/\($0)" }
    }

    private static func store(_ folder: String, _ pool: BlockingPool) throws -> ObjectStorage {
        .disk(try DiskStorage(folder: folder, reserveBytes: 0, pool: pool))
    }
}
