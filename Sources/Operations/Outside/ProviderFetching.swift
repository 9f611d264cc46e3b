import CloudSync
import Credentials
import Net
import Settings
import Storage

/// The OpenID providers of a server and the threads that fetch their keys. Keys are fetched when a login needs them;
/// key files are also read at the start.
package final class ProviderFetching: Sendable {
    package let providers: OpenIDProviders
    private let pool: BlockingPool
    private let client: DocumentClient
    private let reporting: Reporting

    private static let (threadsMax, limitMs) = (4, 5000)

    /// The provider has no usable key.
    private struct NoKeys: Error, CustomStringConvertible {
        let description = "it has no key for ES256, ES384 or RS256"
    }

    /// Reads the files. Blocks. Throws `CommandFailure`.
    package init(_ settings: Settings) throws {
        let entries = try ProvidersFile.load(settings.openIDProvidersFile)
        let (client, reporting) = (DocumentClient(), Reporting())
        let pool = try BlockingPool(threads: min(entries.count, Self.threadsMax), queueMax: entries.count)
        providers = OpenIDProviders(
            try entries.map { entry in
                OpenIDProvider(
                    name: entry.name,
                    issuer: entry.issuer,
                    audiences: entry.audiences,
                    keys: ProviderKeys(
                        first: try Self.first(entry),
                        report: { reporting.report(entry.name, $0) },
                        fetch: { try await pool.run { try Self.fetched(entry, client) } }
                    )
                )
            }
        )
        (self.pool, self.client, self.reporting) = (pool, client, reporting)
    }

    private static func first(_ entry: ProviderEntry) throws -> JSONWebKeySet? {
        guard case .file(let path) = entry.keys else { return nil }
        return try ProvidersFile.keys(path)
    }

    /// Fetches a provider's keys now. Blocks.
    package static func fetched(_ entry: ProviderEntry, _ client: DocumentClient) throws -> ProviderKeys.Fetched {
        switch entry.keys {
        case .file(let path): return (try ProvidersFile.keys(path), nil)
        case .url(let url):
            let document = try client.fetch(url, maxBytes: JSONWebKeySet.maxBytes, limitMs: limitMs)
            guard let keys = ProvidersFile.usable(document.bytes) else { throw NoKeys() }
            return (keys, document.maxAgeSeconds)
        }
    }

    /// Reports each failed fetch from now on.
    package func report(_ report: @escaping @Sendable (_ provider: String, any Error) -> Void) {
        reporting.begin(report)
    }

    /// Stops fetches in progress and ends the threads. Blocks.
    package func stop() {
        client.stop()
        pool.stop()
    }
}

/// Passes failures to the log once there is one.
private final class Reporting: Sendable {
    typealias Report = @Sendable (_ provider: String, any Error) -> Void
    private let place = Locked<Report?>(nil)

    func begin(_ report: @escaping Report) { place.withLock { $0 = report } }
    func report(_ provider: String, _ error: any Error) { place.withLock { $0 }?(provider, error) }
}
