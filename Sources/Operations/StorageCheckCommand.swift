import CloudSync
import Machine
import Net
import Postgres
import PrivateCluster
import Settings
import Storage

/// `storage check`: compares recordings with their files.
package struct StorageCheckCommand {
    let repairs: Bool
    let readsFiles: Bool
    let settings: Settings

    package init(repairs: Bool, readsFiles: Bool, settings: Settings) {
        self.repairs = repairs
        self.readsFiles = readsFiles
        self.settings = settings
    }

    /// Further findings are counted but not printed.
    private static let linesMax = 100

    /// Returns exit status 1 if there are differences.
    package func run() throws -> Int32 {
        let database = try CommandDatabase.openExisting(settings)
        defer { database.close() }
        let pool = try Settings.storagePool()
        defer { pool.stop() }
        let loop = try EventLoop(index: 0)
        defer { loop.stop() }
        let report: StorageAudit.Report
        do {
            if repairs {
                try OperatorTrail.note("storage repair", by: OperatorName.current, database.ownerLogin)
            }
            // PostgreSQL may authenticate this process by its account. So it connects before the rights change.
            let session = try BlockingSession(database.ownerLogin)
            report = try settings.withRightsOfStorage {
                let audit = StorageAudit(session, try settings.openStorage(pool))
                return try BlockingWait.run(on: loop) { [repairs, readsFiles] in
                    try await audit.run(repairs: repairs, readsFiles: readsFiles)
                }
            }
        } catch let error as DatabaseError {
            throw CommandFailure("The recordings could not be read: \(error.sentence)")
        } catch let error as StorageError {
            throw CommandFailure("The store could not be read: \(error).")
        }
        print(report)
        return report.findings.isEmpty ? 0 : 1
    }

    private func print(_ report: StorageAudit.Report) {
        for finding in report.findings.prefix(Self.linesMax) { StandardStreams.print(Self.line(finding) + "\n") }
        let more = report.findings.count - Self.linesMax
        if more > 0 { StandardStreams.print("and \(more) more\n") }
        let left = report.findings.count - report.mendedCount
        let mended =
            report.mendedCount == 0
            ? "" : left == 0 ? ", mended" : ", mended: \(report.mendedCount); repeat for the rest"
        StandardStreams.print(
            "recordings: \(report.recordings), files: \(report.files), bytes: \(report.bytes), "
                + (report.remeasuredCount > 0 ? "to be measured again: \(report.remeasuredCount), " : "")
                + (readsFiles ? "files read: \(report.readCount), " : "")
                + "differences: \(report.findings.count)\(mended)\n"
        )
    }

    private static func line(_ finding: StorageAudit.Finding) -> String {
        switch finding {
        case .otherStore: "the recordings are in another store; this one belongs to nobody"
        case .missing(let key): "missing: \(key)"
        case .wrongSize(let key, let bytes, let expected): "wrong size: \(key) has \(bytes) bytes, not \(expected)"
        case .wrongDigest(let key): "wrong digest: \(key) has not the bytes that it was verified with"
        case .unverified(let key): "failed, but its file is there: \(key)"
        case .missingThumbnail(let key): "missing thumbnail: \(key)"
        case .missingPreview(let key): "missing preview: \(key)"
        case .orphan(let name, let bytes): "no recording has: \(name) (\(bytes) bytes)"
        }
    }
}
