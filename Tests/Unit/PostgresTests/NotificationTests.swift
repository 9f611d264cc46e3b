import Net
import TestSupport
import Testing

@testable import Postgres

/// Notifications on a connection that waits for several things at once.
struct NotificationTests {
    /// The notifications that come until there are so many.
    private static func collect(
        _ count: Int,
        _ session: BlockingSession,
        _ wake: WakeDescriptor
    ) throws -> [DatabaseNotification] {
        let deadlineMs = Monotonic.nowMs() + UInt64(Patience.ms(30_000))
        var found: [DatabaseNotification] = []
        while found.count < count, Monotonic.nowMs() < deadlineMs {
            found += try session.awaitNotifications(orWaking: wake.descriptor, forMs: 100)
        }
        return found
    }

    @Test("A session gets the channel, the text and the sender of each notification, its own ones included")
    func content() async throws {
        try await onThread {
            let address = try TestCluster.shared.get().makeDatabase()
            let (session, other) = (try BlockingSession(address), try BlockingSession(address))
            let wake = try WakeDescriptor()
            try session.execute("LISTEN a")
            try other.execute("NOTIFY a, 'x y'")
            try session.send("NOTIFY a")
            let found = try Self.collect(2, session, wake)
            #expect(found.map(\.payload) == ["x y", ""] && found.allSatisfy { $0.channel == "a" })
            #expect(found.map(\.processID) == [other.processID, session.processID])
            #expect(!session.isAnswering)
        }
    }

    @Test("A refused statement is thrown by the wait, and the session goes on")
    func refused() async throws {
        try await onThread {
            let address = try TestCluster.shared.get().makeDatabase()
            let (session, wake) = (try BlockingSession(address), try WakeDescriptor())
            try session.send("SELECT 1 / 0")
            #expect(session.isAnswering)
            #expect(throws: DatabaseError.self) { try Self.collect(1, session, wake) }
            while session.isAnswering { _ = try session.awaitNotifications(orWaking: wake.descriptor, forMs: 100) }
            try session.execute("LISTEN a")
            try session.send("NOTIFY a, 'z'")
            #expect(try Self.collect(1, session, wake).map(\.payload) == ["z"])
        }
    }

    @Test("A signal ends the wait at once, until it is cleared")
    func waking() async throws {
        try await onThread {
            let address = try TestCluster.shared.get().makeDatabase()
            let (session, wake) = (try BlockingSession(address), try WakeDescriptor())
            wake.signal()
            let begin = Monotonic.nowMs()
            #expect(try session.awaitNotifications(orWaking: wake.descriptor, forMs: 60_000) == [])
            #expect(Monotonic.nowMs() - begin < 30_000)
            wake.clear()
            #expect(try session.awaitNotifications(orWaking: wake.descriptor, forMs: 1) == [])
        }
    }
}
