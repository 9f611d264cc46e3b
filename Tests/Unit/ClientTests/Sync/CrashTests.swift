import Foundation
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Crashes during syncs", .blocking, .timeLimit(.minutes(Patience.minutes(2))))
struct CrashTests {
    private let given = SyncGiven()

    /// Copies of the device's files, as a crash before or after each commit would leave them.
    private final class Images: Sendable {
        let folders = Guarded<[String]>([])
        let isTaking = Guarded(false)

        func take(_ folder: String) {
            guard isTaking.withLock({ $0 }) else { return }
            let copy = Sandbox.makeFolder() + "/device"
            do {
                try FileManager.default.copyItem(atPath: folder, toPath: copy)
                folders.withLock { $0.append(copy) }
            } catch {
                Issue.record(error)
            }
        }
    }

    @Test("After a crash at any commit of a sync, the next one sends what was unsent and shows what the server has")
    func everyCommit() async throws {
        let images = Images()
        let client = try await given.synced { [given] setup, _ in
            setup.limit = 2
            setup.place = { images.take(given.folder) }
        }
        let ids = [try await client.make("one"), try await client.make("two"), try await client.make("three")]
        try await client.sync()
        for number in 0..<3 { given.server.put(UUID(), "theirs \(number)") }
        try await client.rename(ids[0], "mine")
        try await client.delete(ids[1])
        images.isTaking.withLock { $0 = true }
        try await client.sync()
        images.isTaking.withLock { $0 = false }
        let folders = images.folders.withLock { $0 }
        #expect(folders.count >= 10)
        let wanted = ["mine", "theirs 0", "theirs 1", "theirs 2", "three"]
        #expect(given.names == wanted)
        for folder in folders {
            let before = given.table.requests.count
            let again = try given.client(at: folder)
            try await again.sync()
            #expect(try await again.names == wanted)
            #expect(try await again.status.unsent == 0)
            #expect(try await again.lost().isEmpty)
            // The token is never there without its copies: that would cost a full set.
            #expect(
                given.table.requests[before...].filter { $0.method == "GET" }.allSatisfy {
                    $0.path.contains("sync_token=")
                }
            )
        }
        #expect(given.names == wanted)
    }
}
