import Foundation
import Net
import Testing

@testable import Machine
@testable import PrivateCluster

/// Shared by the tests of the private cluster: collects events, runs statements with psql, and ends everything.
final class ClusterTrial: Sendable {
    let folder: TemporaryFolder
    let data: String
    private let collected = Locked<[PrivateCluster.Event]>([])

    var events: [PrivateCluster.Event] { collected.withLock { $0 } }

    init(_ data: String = "/data") throws {
        folder = try TemporaryFolder()
        self.data = folder.path + data
    }

    func start(
        search: PostgresPrograms.Search = PostgresPrograms.Search(),
        onEvent: @escaping @Sendable (PrivateCluster.Event) -> Void = { _ in }
    ) throws(PrivateClusterProblem) -> PrivateCluster {
        let roots = ClusterLocation.Roots(clusters: folder.path + "/clusters", sockets: "/tmp")
        return try PrivateCluster.start(dataDirectory: data, search: search, roots: roots) { event in
            self.collected.withLock { $0.append(event) }
            onEvent(event)
        }
    }

    /// The answer of one statement; nil if PostgreSQL does not run or refuses the statement.
    func query(_ connection: String, _ statement: String) -> String? {
        let command = ["/usr/bin/psql", connection, "-X", "-At", "-v", "ON_ERROR_STOP=1", "-c", statement]
        guard let result = try? ChildProcess.run(command, log: nil, seconds: 20), result.status == 0 else { return nil }
        return result.output.trimmingCharacters(in: .newlines)
    }

    /// Polls the condition. Returns the seconds until it was true, or nil if it was never true.
    func until(seconds: Double, _ condition: () -> Bool) -> Double? {
        let begin = ContinuousClock.now
        while begin.elapsedMs < Int(seconds * 1000) {
            if condition() { return Double(begin.elapsedMs) / 1000 }
            usleep(20_000)
        }
        return nil
    }
}
