import CloudSync
import Machine
import Net
import NeuroViewsCrypto
import Observability
import Operations
import Postgres
import Settings

extension Backend {
    /// Reads the secret. With `makesIt` it makes a missing one.
    static func secret(_ settings: Settings, makesIt: Bool) throws -> [MasterKey] {
        if makesIt {
            var bytes = try SecretFile.loadOrCreate(settings.secretFilePath, settings.secretPlace)
            defer { bytes.wipe() }
            return try SecretFile.keys(bytes)
        }
        guard let keys = try SecretFile.keys(settings) else {
            throw CommandFailure(
                "There is no secret file \(settings.secretFilePath): name the server's with NEUROVIEWS_SECRET_FILE."
            )
        }
        return keys
    }

    /// Compares the secret with the database's keys. Throws if a server could not read all data of the database.
    static func openKeys(
        _ file: [MasterKey],
        _ settings: Settings,
        _ database: Database,
        _ loop: EventLoop,
        _ pool: BlockingPool,
        _ waiting: DatabaseWaiting
    ) throws -> (KeyRing, KeyWatch) {
        let server = ServerID()
        let keys = try waiting.run {
            try BlockingWait.run(on: loop) { try await MasterKeyCheck.run(file, database, as: server) }
        }
        let ring = try KeyRing(current: file[0], previous: Array(file.dropFirst()))
        let watch = try KeyWatch(database, server, ring, keys) {
            try await pool.run { try SecretFile.keys(settings) ?? [] }
        }
        if let sentence = SecretMisfit.sentence(keys, settings.secretFilePath) {
            // Throws nothing: an error is reported.
            try? BlockingWait.run(on: loop) { await watch.leave() }
            throw CommandFailure(sentence)
        }
        return (ring, watch)
    }

    /// Checks for new master keys every few seconds from now on.
    func startKeyWatch(_ log: LogWriter) {
        loops[0].spawn { [loop = loops[0], keyWatch, database] in
            var wasReached = true
            while true {
                await loop.sleep(forMs: Self.keyWatchMs)
                do {
                    if let keys = try await keyWatch.look() { log.write(keys) }
                    wasReached = true
                } catch {
                    // One log line for each time that the check begins to fail.
                    if wasReached { log.write(failure: error, of: "master keys", in: database) }
                    wasReached = false
                }
            }
        }
    }

    private static let keyWatchMs: UInt64 = 5000
}

extension LogWriter {
    /// Logs the keys that this server uses from now on.
    fileprivate func write(_ keys: ReadableKeys) {
        let missing = keys.missing.map(\.id)
        write(
            missing.isEmpty ? .info : .warning,
            "master keys",
            [
                ("current", .text(keys.current?.kid ?? "none")),
                ("readable", .text(keys.held.map(\.kid).joined(separator: " "))),
            ] + (missing.isEmpty ? [] : [("missing", .text(missing.joined(separator: " ")))])
        )
    }
}
