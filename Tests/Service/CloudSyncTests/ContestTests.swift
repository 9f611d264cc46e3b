import CloudSync
import Testing

/// Writes refused because of another version, beside retries.
struct ContestTests {
    @Test("An If-Match that names the current version among others succeeds")
    func namedAsCurrent() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            _ = try await server.create(Self.document("A"), for: caller).get()
            for (number, name) in [(1, "B"), (2, "C")] {
                let named = try await world.ifMatch(number, caller)
                _ = try await server.update(WriteRule.id, Self.document(name), named, for: caller).get()
            }
            let tags = try await world.tags(of: WriteRule.id, caller)
            let conditions = WriteConditions(
                ifMatch: .versions([tags[0], tags[2]]),
                ifNoneMatch: .versions([tags[2]])
            )
            let again = try await server.update(WriteRule.id, Self.document("B"), conditions, for: caller)
            guard case .failure(.conflict(let conflict)) = again.result else {
                Issue.record("\(again.result)")
                return
            }
            #expect(conflict.reason == .versionMismatch)
            #expect(conflict.version == tags[2])
        }
    }

    @Test("Retries in a batch use none of the room for the current documents of conflicts")
    func retriesBesideConflict() async throws {
        try await World.with { world in
            let (server, caller) = (world.servers[0], try await world.newAccount()[0])
            let long = String(repeating: "x", count: 1 << 20)
            let ids = (0..<6).map { "00000000-0000-4000-8000-00000000000\($0)" }
            _ = try await server.batch(ids.map { .create(try Self.document("A", id: $0)) }, for: caller)
            var operations: [ConfigurationOperation] = []
            for id in ids {
                let named = try await world.ifMatch(1, of: id, caller)
                operations.append(.replace(try Self.document(long, id: id), named))
            }
            _ = try await server.batch(Array(operations.dropLast()), for: caller)
            _ = try await server.update(ids[5], Self.document("B", id: ids[5]), for: caller).get()
            let results = try await server.batch(operations, for: caller).results
            #expect(results.dropLast().allSatisfy { if case .success = $0 { true } else { false } })
            guard case .failure(.conflict(let conflict)) = results[5] else {
                Issue.record("\(results[5])")
                return
            }
            #expect(conflict.current != nil)
        }
    }

    private static func document(_ name: String, id: String = WriteRule.id) throws -> ConfigurationDocument {
        try Document(name, id: id, edited: 1).parsed()
    }
}
