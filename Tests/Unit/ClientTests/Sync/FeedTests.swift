import Foundation
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Streams of changes and events", .timeLimit(.minutes(Patience.minutes(1))))
struct FeedTests {
    private let feeds = Feeds()
    private let ids = [UUID(), UUID(), UUID()]

    @Test("A slow listener gets all ids since its last element at once")
    func coalescing() async {
        var listener = feeds.changes().makeAsyncIterator()
        feeds.changed([ids[0]])
        #expect(await listener.next() == ChangeSet(ids: [ids[0]]))
        for id in ids { feeds.changed([id]) }
        feeds.changed([])
        #expect(await listener.next() == ChangeSet(ids: Set(ids)))
    }

    @Test("Each listener gets each change, from its own beginning on")
    func listeners() async {
        var first = feeds.changes().makeAsyncIterator()
        feeds.changed([ids[0]])
        var second = feeds.changes().makeAsyncIterator()
        feeds.changed([ids[1]])
        #expect(await first.next() == ChangeSet(ids: [ids[0], ids[1]]))
        #expect(await second.next() == ChangeSet(ids: [ids[1]]))
    }

    @Test("A change of the status alone is an element without ids")
    func status() async {
        var listener = feeds.changes().makeAsyncIterator()
        feeds.changed([])
        #expect(await listener.next() == ChangeSet(ids: []))
    }

    @Test("A cancelled listener's stream ends")
    func cancellation() async {
        let changes = feeds.changes()
        let task = Task { for await _ in changes {} }
        task.cancel()
        await task.value
    }

    @Test("An event of the opening waits for the first listener, and others for none")
    func opening() async {
        feeds.emit(.storeReplaced, waits: true)
        feeds.emit(.needsLogIn(nil))
        var (first, second) = (feeds.events().makeAsyncIterator(), feeds.events().makeAsyncIterator())
        feeds.emit(.differsFromServer, waits: true)
        guard case .storeReplaced? = await first.next(), case .differsFromServer? = await first.next() else {
            Issue.record("the first listener has missed an event")
            return
        }
        guard case .differsFromServer? = await second.next() else {
            Issue.record("the second listener has an old event")
            return
        }
    }

    @Test("Streams end with their client")
    func end() async {
        var feeds: Feeds? = Feeds()
        let (changes, events) = (feeds?.changes(), feeds?.events())
        feeds?.emit(.differsFromServer)
        feeds = nil
        var count = 0
        if let changes { for await _ in changes { count += 1 } }
        #expect(count == 0)
        if let events { for await _ in events { count += 1 } }
        #expect(count == 1)
    }
}
