import Foundation
import Testing

@testable import NeuroViewsClient

/// On a Mac these are SQLite, files and locks of the system, with secrets in memory: a test has no Keychain.
@Suite("The store of a device", .timeLimit(.minutes(1)))
struct DeviceStoreTests {
    private final class Secrets: SecretStore {
        private let values = Guarded<[String: [UInt8]]>([:])

        func read(_ name: String) throws(SecretError) -> [UInt8]? { values.withLock { $0[name] } }
        func write(_ name: String, _ value: [UInt8]?) throws(SecretError) { values.withLock { $0[name] = value } }
    }

    private let secrets = Secrets()
    private let folder: String

    init() throws { folder = try newFolder() }

    private func client(_ secrets: any SecretStore) throws -> NeuroViews {
        var options = Options()
        options.folder = URL(fileURLWithPath: folder + "/data")
        options.secrets = secrets
        return try NeuroViews(server: try #require(URL(string: "https://cloud.example.org")), options)
    }

    @Test("Edits without a network are there after a restart of the app")
    func restart() async throws {
        let first = try client(secrets)
        let stored = try await first.save(CameraConfiguration(name: "Harbour", preset: .night))
        try await first.edit(stored.id) { $0.exposure.iso = 400 }
        let gone = try await first.save(CameraConfiguration(name: "Gone", preset: .night))
        try await first.delete(gone.id)
        let second = try client(secrets)
        let found = try await second.configurations()
        #expect(found.map(\.configuration.name) == ["Harbour"])
        #expect(found.map(\.configuration.exposure.iso) == [400])
        // A deletion goes to the server too.
        #expect(try await second.status.unsent == 2)
    }

    @Test("A store that was copied to a device without its key is set aside")
    func otherKey() async throws {
        let first = try client(secrets)
        _ = try await first.save(CameraConfiguration(name: "Harbour", preset: .night))
        let other = try client(Secrets())
        #expect(try await other.configurations() == [])
    }

    @Test("A lock is held by one at a time, and its end is noticed")
    func lock() throws {
        let path = folder + "/lock"
        var held: FileLock? = try FileLock.attempt(path)
        #expect(held != nil)
        #expect(try FileLock.attempt(path) == nil)
        held = nil
        #expect(try FileLock.attempt(path) != nil)
    }

    @Test("A file that has changed is another one")
    func changed() throws {
        let file = try LocalTestFile(Array("abc".utf8))
        let identity = try LocalFile(file.path).identity()
        #expect(!LocalFile.isOther(file.path, than: identity))
        try Data("abcd".utf8).write(to: URL(fileURLWithPath: file.path))
        #expect(LocalFile.isOther(file.path, than: identity))
    }
}
