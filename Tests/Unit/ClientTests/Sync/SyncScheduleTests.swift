import Testing

@testable import NeuroViewsClient

@Suite("The schedule of syncs")
struct SyncScheduleTests {
    private let now = ContinuousClock.now
    private var schedule = SyncSchedule()

    /// After a sync that is followed by a poll in a minute.
    private func synced(pause: Duration? = nil, fraction: Double = 0.5) -> SyncSchedule {
        var schedule = schedule
        schedule.start(at: now)
        schedule.begin()
        schedule.end(pause: pause, interval: .seconds(60), fraction: fraction, at: now)
        return schedule
    }

    @Test("Nothing is due before the start and after the stop, and a start is due at once")
    func start() {
        var schedule = schedule
        schedule.edit(at: now)
        schedule.end(pause: nil, interval: .seconds(60), fraction: 0.5, at: now)
        #expect(schedule.due == nil)
        schedule.start(at: now)
        #expect(schedule.due == now)
        schedule.stop()
        #expect(schedule.due == nil)
    }

    @Test("A sync follows an edit after two seconds without another edit, and after ten seconds of edits")
    func edits() {
        var schedule = synced()
        for second in 0..<5 {
            schedule.edit(at: now + .seconds(second))
            #expect(schedule.due == now + .seconds(second + 2))
        }
        schedule.edit(at: now + .seconds(9))
        #expect(schedule.due == now + .seconds(10))
        schedule.begin()
        #expect(schedule.due == now + .seconds(60))
    }

    @Test(
        "A poll follows a sync after the interval, give or take a tenth",
        arguments: [(0.0, 54), (0.5, 60), (1.0, 66)]
    )
    func poll(_ fraction: Double, _ seconds: Int) throws {
        let due = try #require(synced(fraction: fraction).due)
        #expect(abs((due - now) / .seconds(1) - Double(seconds)) < 0.001)
    }

    @Test("A poll interval of zero counts as a second")
    func shortest() {
        var schedule = synced()
        schedule.end(pause: nil, interval: .zero, fraction: 0.5, at: now)
        #expect(schedule.due == now + .seconds(1))
    }

    @Test("A sync that is wanted during another one follows at once, and the one after that has the usual time")
    func wanted() {
        var schedule = synced()
        schedule.begin()
        schedule.start(at: now + .seconds(1))
        schedule.end(pause: .seconds(300), interval: .seconds(60), fraction: 0.5, at: now + .seconds(2))
        #expect(schedule.due == now + .seconds(1))
        schedule.begin()
        schedule.end(pause: .seconds(300), interval: .seconds(60), fraction: 0.5, at: now + .seconds(2))
        #expect(schedule.due == now + .seconds(302))
    }

    @Test("A stop during a sync leaves nothing due, also after a start before it")
    func stopped() {
        var schedule = synced()
        schedule.begin()
        schedule.start(at: now)
        schedule.stop()
        schedule.end(pause: nil, interval: .seconds(60), fraction: 0.5, at: now)
        #expect(schedule.due == nil)
    }

    @Test("A sync follows a notice at once, and the next notice after a quarter of a second")
    func notices() {
        var schedule = synced()
        schedule.notice(at: now + .seconds(1))
        #expect(schedule.due == now + .seconds(1))
        schedule.begin()
        schedule.end(pause: nil, interval: .seconds(60), fraction: 0.5, at: now + .seconds(1))
        schedule.notice(at: now + .seconds(1))
        #expect(schedule.due == now + .milliseconds(1250))
        schedule.notice(at: now + .milliseconds(1100))
        #expect(schedule.due == now + .milliseconds(1250))
    }

    @Test("A notice ends no pause, and plans nothing for a client that was not started")
    func ineffectiveNotices() {
        var paused = synced(pause: .seconds(30))
        paused.notice(at: now)
        #expect(paused.due == now + .seconds(30))
        var stopped = schedule
        stopped.notice(at: now)
        #expect(stopped.due == nil)
    }

    @Test("An edit does not end a pause")
    func pause() {
        var schedule = synced(pause: .seconds(30))
        schedule.edit(at: now)
        #expect(schedule.due == now + .seconds(30))
    }
}
