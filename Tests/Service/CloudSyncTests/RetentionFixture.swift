import CloudSync

/// The data of retention tests.
enum RetentionFixture {
    static func limits(_ versions: Int = 0, days: Int = 0, conflicts: Int = 0, conflictDays: Int = 0)
        -> HistorySweep.Limits
    {
        HistorySweep.Limits(
            versionsMax: versions,
            versionsDays: days,
            conflictsMax: conflicts,
            conflictsDays: conflictDays
        )
    }

    static func document(_ name: String, id: String = WriteRule.id, edited: Int) throws
        -> ConfigurationDocument
    {
        try Document(name, id: id, edited: edited).parsed()
    }

    static func id(_ number: Int) -> String { "0a1b2c3d-0000-4000-8000-\(100_000_000_000 + number)" }

    /// Writes a range of versions of an item.
    static func write(
        _ versions: ClosedRange<Int>,
        id: String = WriteRule.id,
        _ world: World,
        _ caller: Caller
    ) async throws {
        for number in versions {
            let document = try document("Version \(number)", id: id, edited: number)
            if number == 1 {
                _ = try await world.servers[0].create(document, for: caller).get()
            } else {
                _ = try await world.servers[0].update(id, document, for: caller).get()
            }
        }
    }

    /// The versions of an item that still have a document.
    static func held(id: String = WriteRule.id, _ world: World, _ caller: Caller) async throws -> [Int] {
        try await world.servers[0].history.versions(of: id, limit: 1000, for: caller).items.filter(\.hasDocument).map(
            \.version.number
        )
    }
}
