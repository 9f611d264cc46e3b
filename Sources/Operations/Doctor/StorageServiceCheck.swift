import Machine
import Net
import Settings
import Storage

/// Checks the S3 service for recording files: it must be reachable, also by its public URL, and the clocks must agree.
struct StorageServiceCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Returns no findings if recording files are on disk.
    func findings() -> [Finding] {
        guard let endpoint = settings.s3Endpoint else { return [] }
        do {
            if let problem = try Self.problem(settings) { return [.wrong("S3", sentence: problem)] }
            return [.ok("S3", "\(endpoint) stores and returns objects")]
        } catch let error as CommandFailure {
            return [.wrong("S3", sentence: error.description)]
        } catch {
            return [.wrong("S3", "it could not be tried: \(error)", nil)]
        }
    }

    private static func problem(_ settings: Settings) throws -> String? {
        let pool = try Settings.storagePool()
        defer { pool.stop() }
        let loop = try EventLoop(index: 0)
        defer { loop.stop() }
        guard case .s3(let s3) = try settings.openStorage(pool) else { return nil }
        return try BlockingWait.run(on: loop) { await s3.selfTest() }
    }
}
