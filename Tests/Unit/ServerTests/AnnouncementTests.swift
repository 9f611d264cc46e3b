import CloudSync
import Net
import TestSupport
import Testing

@testable import Observability
@testable import neuroviews_server

/// The connection for hints over a real database.
@Suite("The connection for hints", .blocking)
struct AnnouncementTests {
    @Test("Everything is read after the connection listens: a notification during that read arrives")
    func order() throws {
        let cluster = try TestCluster.shared.get()
        let address = try cluster.makeDatabase()
        let calls = Locked(0)
        let announcements = try AccountAnnouncements(
            address,
            LogWriter(level: .error),
            hints: AccountHints(),
            hub: nil,
            wakeJobs: {
                let count = calls.withLock { calls in
                    calls += 1
                    return calls
                }
                guard count == 1 else { return }
                // Another server commits while this one reads.
                do {
                    try cluster.execute("NOTIFY \(RecordingJobs.announcement)", in: address)
                } catch {
                    Issue.record(error)
                }
            }
        )
        announcements.start()
        defer { announcements.stop() }
        try Deadline.wait("the notification", seconds: 10) { calls.withLock { $0 } == 2 }
    }
}
