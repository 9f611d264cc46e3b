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

    /// Secrets in files, with a call after each change.
    private struct WatchedSecrets: SecretStore {
        let files: FileSecretStore
        let changed: @Sendable () -> Void

        func read(_ name: String) throws(SecretError) -> [UInt8]? { try files.read(name) }

        func write(_ name: String, _ value: [UInt8]?) throws(SecretError) {
            try files.write(name, value)
            changed()
        }
    }

    /// The folders of stores on a device, and of what is left of them.
    private func stores(_ folder: String) throws -> [String] {
        let names = try FileManager.default.contentsOfDirectory(atPath: folder + "/data/cloud.example.org")
        return names.filter { UUID(uuidString: String($0.suffix(36))) != nil }
    }

    @Test("After a crash at the end of a session, its next log in does not find the edits that were discarded")
    func discarded() async throws {
        let images = Images()
        let files = FileSecretStore(folder: given.folder + "/secrets")
        let client = try await given.synced { [given] _, options in
            options.secrets = WatchedSecrets(files: files) { images.take(given.folder) }
        }
        _ = try await client.make("one")
        given.server.meet("POST /auth/logout", .unreached)
        images.isTaking.withLock { $0 = true }
        try await client.logOut(.discard)
        images.isTaking.withLock { $0 = false }
        #expect(try stores(given.folder).isEmpty)
        let folders = images.folders.withLock { $0 }
        let folder = try #require(folders.first)
        #expect(try stores(folder).count == 1)
        let again = try given.client(at: folder)
        #expect(try await again.account == .signedOut)
        #expect(try stores(folder).isEmpty)
        _ = try await again.logIn(with: .password(email: "a@example.org", password: "secret"))
        #expect(try await again.names.isEmpty)
    }

    @Test("A log out that can't store the end of the session keeps the edits")
    func logOutFailed() async throws {
        let secrets = LockableSecrets(FileSecretStore(folder: given.folder + "/secrets"))
        let client = try await given.synced { _, options in options.secrets = secrets }
        _ = try await client.make("one")
        secrets.fail(writing: .locked)
        await #expect(throws: ClientError.secrets(.locked)) { try await client.logOut(.discard) }
        secrets.fail()
        #expect(try await client.names == ["one"])
        try await client.sync()
        #expect(given.names == ["one"])
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
