/// The connections to PostgreSQL of each event loop, by their purpose.
package struct DatabaseShare: Equatable {
    package let writers: Int
    package let readers: Int
    /// For large reads. PostgreSQL works on one for each loop, and there is a loop for each core.
    package let largeReaders = 1
    package let background: Int

    var sum: Int { writers + readers + largeReaders + background }

    /// One of each kind.
    private static let least = 4
    /// Beside the loops: readiness by both logins, the ledger of erased accounts, and the announcements of accounts and jobs.
    private static let beside = 4
    /// A loop's writes wait for each other in PostgreSQL beyond that.
    private static let writersMax = 8

    package init(_ settings: Settings, loops: Int) {
        let max = settings.databaseConnectionsMax
        let available = max == 0 ? Int.max : (max - Self.beside) / loops
        readers = available < 7 ? 1 : 2
        background = available < 9 ? 1 : 2
        writers = min(Self.writersMax, Swift.max(1, available - readers - largeReaders - background))
    }

    /// The smallest `database_connections_max`.
    static func leastConnections(loops: Int) -> Int { loops * least + beside }
}

extension Settings {
    /// Those of all pools, and some for migrations and an operator.
    package var connectionsNeeded: Int { eventLoops * DatabaseShare(self, loops: eventLoops).sum + 20 }
}
