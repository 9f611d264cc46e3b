import Machine
import Net
import Settings
import Storage

/// Checks the S3 service for recording files: it must be reachable, also by its public URL, the clocks must agree, the
/// URLs of an upload should end with it, and it should accept requests of the console's page.
struct StorageServiceCheck {
    let settings: Settings

    init(_ settings: Settings) { self.settings = settings }

    /// Returns no findings if recording files are on disk.
    func findings() -> [Finding] {
        guard let endpoint = settings.s3Endpoint else { return [] }
        do {
            return try Self.findings(settings, "\(endpoint)")
        } catch let error as CommandFailure {
            return [.wrong("S3", sentence: error.description)]
        } catch {
            return [.wrong("S3", "it could not be tried: \(error)", nil)]
        }
    }

    private static func findings(_ settings: Settings, _ endpoint: String) throws -> [Finding] {
        let pool = try Settings.storagePool()
        defer { pool.stop() }
        let loop = try EventLoop(index: 0)
        defer { loop.stop() }
        guard case .s3(let s3) = try settings.openStorage(pool) else { return [] }
        return try BlockingWait.run(on: loop) {
            if let problem = await s3.selfTest() { return [.wrong("S3", sentence: problem)] }
            let origins = settings.consoleOrigins
            var findings: [Finding] = [.ok("S3", "\(endpoint) stores and returns objects"), await lateParts(s3)]
            for origin in origins { findings.append(await page(origin, s3)) }
            return findings
        }
    }

    /// A page sends and plays files at the store itself, which must permit that to the page's origin (CORS).
    private static func page(_ origin: String, _ s3: S3Storage) async -> Finding {
        let subject = "S3 and the console"
        let remedy = "permit it in the bucket's CORS rules: docs/operating.md, \"Files of recordings\""
        do {
            let refused = try await s3.methodsRefused(toPagesOf: origin)
            guard !refused.isEmpty else { return .ok(subject, "pages of \(origin) may send and play files") }
            return .warning(subject, "it refuses \(refused.joined(separator: " and ")) of pages of \(origin)", remedy)
        } catch {
            return .warning(subject, "it could not be asked for \(origin): \(error)", remedy)
        }
    }

    private static func lateParts(_ s3: S3Storage) async -> Finding {
        let subject = "S3 part URLs"
        do {
            guard try await s3.latePartChangesObject() else { return .ok(subject, "they end with their upload") }
            return .warning(
                subject,
                "they outlive their upload, as in OpenStack Swift: for up to 7 days a client can destroy its complete recording",
                "use another S3 service, or keep the files on disk"
            )
        } catch {
            return .warning(
                subject,
                "they could not be tried: \(error)",
                "permit multipart uploads to the access key: docs/operating.md, \"Files of recordings\""
            )
        }
    }
}
