import TestSupport
import Testing

@testable import Settings

@Suite("The division of a server's PostgreSQL connections", .blocking)
struct DatabaseShareTests {
    private static func share(max: Int, loops: Int) -> DatabaseShare {
        var settings = Settings()
        settings.databaseConnectionsMax = max
        return DatabaseShare(settings, loops: loops)
    }

    @Test("Each loop without a limit has 8 connections for writes and 5 others")
    func unlimited() {
        let share = Self.share(max: 0, loops: 16)
        #expect(share.writers == 8 && share.readers == 2 && share.largeReaders == 1 && share.background == 2)
    }

    @Test("Each loop has a connection of each kind, and all loops stay within the limit")
    func limited() {
        for loops in [1, 2, 5, 16] {
            for max in DatabaseShare.leastConnections(loops: loops)...300 {
                let share = Self.share(max: max, loops: loops)
                #expect(share.writers >= 1 && share.readers >= 1 && share.background >= 1, "\(max), \(loops)")
                #expect(share.sum * loops + 4 <= max, "\(max), \(loops)")
                #expect(share.writers <= 8 && share.readers <= 2 && share.background <= 2, "\(max), \(loops)")
            }
        }
        #expect(Self.share(max: 68, loops: 16).sum == 4)
        #expect(Self.share(max: 208 + 4, loops: 16).sum == 13)
    }

    @Test("A too small limit of connections is refused with the smallest possible one")
    func refused() {
        let arguments = ["--event-loops", "16", "--database-connections-max"]
        #expect(sentence(serve(arguments + ["67"]))?.contains("16 event loops need 68") == true)
        #expect(sentence(serve(arguments + ["68"])) == nil)
        #expect(sentence(serve(arguments + ["0"])) == nil)
    }
}
