import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("The request in the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreRequestTests {
    private let given = StoreGiven()
    private let now = StoreGiven.at(10)

    /// Three items, whose edits came in another order than their ids.
    private func made(_ store: Store) throws -> PendingRequest.Made {
        for number in [3, 1, 2] {
            let item = try StoreGiven.item(StoreGiven.number(number), copy: "{}", edit: #"{"name":"\#(number)"}"#)
            try store.save(item)
        }
        let items = try store.dirtyItems(at: now)
        return try #require(PendingRequest.make(of: items, .automatic, PushState(), key: "k\nk", at: now))
    }

    @Test("A request is read as it was stored, with its items in their order")
    func whole() throws {
        let store = try given.open()
        #expect(try store.request() == nil)
        let made = try made(store)
        try store.begin(made)
        let opened = try given.open()
        #expect(try opened.request() == made.request)
        #expect(made.request.ids == [3, 1, 2].map { StoreGiven.number($0) })
        for item in made.items { #expect(try opened.item(item.id) == item) }
        #expect(try Array(opened.requestItems().values).map(\.id).sorted() == made.request.ids.sorted())
        #expect(try opened.unsentItems(at: now).count == 3)
    }

    @Test("An edit beside the request leaves the request's part and place")
    func since() throws {
        let store = try given.open()
        let made = try made(store)
        try store.begin(made)
        var item = made.items[0]
        _ = item.change([(JSONPointer().appending(member: "since"), .bool(true))], at: now)
        try store.save(item)
        #expect(try store.item(item.id) == item)
        #expect(try store.request()?.ids == made.request.ids)
        #expect(try store.unsentItems(at: now).count == 3)
    }

    @Test("Tries with an unknown result are counted")
    func failures() throws {
        let store = try given.open()
        try store.begin(made(store))
        for _ in 0..<3 { try store.noteFailure() }
        #expect(try given.open().request()?.failures == 3)
    }

    @Test("The end of a request stores its items, and nothing of it is left")
    func end() throws {
        let store = try given.open()
        try store.begin(made(store))
        var items = try store.requestItems()
        for id in items.keys { items[id]?.returnMembers() }
        try store.end(items)
        #expect(try store.request() == nil)
        #expect(try store.requestItems().isEmpty)
        for item in items.values { #expect(try store.item(item.id) == item) }
        #expect(try store.dirtyItems(at: now).count == 3)
    }

    @Test("A second request beside one without an answer is refused")
    func second() throws {
        let store = try given.open()
        let made = try made(store)
        try store.begin(made)
        #expect(throws: ClientError.self) { try store.begin(made) }
        #expect(try store.request() == made.request)
    }
}
