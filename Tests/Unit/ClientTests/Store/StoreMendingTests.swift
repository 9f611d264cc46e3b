import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Values of the store that can't be read", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreMendingTests {
    private let given = StoreGiven()
    private let old = #"{"name":"old"}"#
    private let new = #"{"name":"new"}"#
    private let bad = "zeroblob(40)"

    /// A store with a clean item, an edited one, and one in the request; each column of `spoils` is bad then.
    private func spoiled(_ spoils: [String]) throws -> (store: Store, reported: Noted) {
        let store = try given.open()
        try store.save(StoreGiven.item(StoreGiven.number(1), copy: old))
        try store.save(StoreGiven.item(StoreGiven.number(2), copy: old, edit: new))
        let sent = try StoreGiven.item(StoreGiven.number(3), copy: old, edit: new)
        try store.save(sent)
        let now = StoreGiven.at(1)
        try store.begin(#require(PendingRequest.make(of: [sent], .put, PushState(), key: "k", at: now)))
        try store.changeAccount { ($0.token, $0.etag, $0.push.seen) = ("t", "e", ["h"]) }
        for spoil in spoils { try given.raw().run(spoil) }
        let reported = Noted()
        store.onMended = { reported.mended.append($0) }
        store.onReplaced = { _ in reported.replaced += 1 }
        return (store, reported)
    }

    private final class Noted {
        var mended: [Mended] = []
        var replaced = 0
    }

    private func item(_ number: Int, _ store: Store) throws -> Item? { try store.item(StoreGiven.number(number)) }

    private func spoil(_ column: String, of number: Int, in table: String = "item", by id: String = "id") -> String {
        "UPDATE \(table) SET \(column) = \(bad) WHERE \(id) = '\(StoreGiven.number(number))'"
    }

    private func fails<T>(_ body: () throws -> T) throws {
        let error = #expect(throws: ClientError.self) { _ = try body() }
        guard case .store(.unreadable) = error else { throw Program.Failure("\(String(describing: error))") }
    }

    @Test("A copy that can't be read is fetched again with all others, and no edit is lost")
    func copy() throws {
        let (store, reported) = try spoiled([spoil("copy", of: 1), spoil("copy", of: 2)])
        try fails { try store.shownItems { $0 } }
        #expect(reported.replaced == 0 && reported.mended.map(\.items) == [[1, 2].map { StoreGiven.number($0) }])
        #expect(try item(1, store) == nil)
        var edited = try StoreGiven.item(StoreGiven.number(2), edit: new)
        #expect(try item(2, store) == edited)
        #expect(try store.request() != nil)
        #expect(try store.lost().isEmpty)
        let account = try store.account()
        #expect(account.token == nil && account.etag == nil && account.push.seen.isEmpty)
        // The hash is that of the copies that are left, and stays so.
        #expect(try account.hash == StoreGiven.hash([StoreGiven.number(3): old]))
        edited.copy = Copy(tag: "2-b", document: try StoreGiven.document(new))
        try store.save(edited)
        #expect(try store.account().hash == StoreGiven.hash([StoreGiven.number(2): new, StoreGiven.number(3): old]))
    }

    @Test("An edit that can't be read is named in the list of what was lost, and all others stay")
    func edit() throws {
        let (store, reported) = try spoiled([spoil("edit", of: 2)])
        try fails { try item(2, store) }
        let loss = Loss(id: StoreGiven.number(2), reason: .unreadable, kind: .document)
        #expect(try store.lost().map(\.loss) == [loss])
        #expect(try reported.mended.map(\.lost) == [store.lost()])
        #expect(try item(2, store) == StoreGiven.item(StoreGiven.number(2), copy: old))
        #expect(try item(3, store)?.part != nil)
        #expect(try given.open().opening == .found)
    }

    @Test(
        "A request that can't be read ends: its members return, unsure, as in a store from a backup",
        arguments: ["UPDATE request SET body = zeroblob(40)", "UPDATE request SET fields = '[[\"If-Match\"]]'"]
    )
    func request(spoil: String) throws {
        let (store, reported) = try spoiled([spoil])
        try fails { try store.request() }
        #expect(try store.request() == nil && store.requestItems().isEmpty)
        var returned = try StoreGiven.item(StoreGiven.number(3), copy: old, edit: new)
        returned.isUnsure = true
        #expect(try item(3, store) == returned)
        #expect(try item(2, store) == StoreGiven.item(StoreGiven.number(2), copy: old, edit: new))
        #expect(try store.lost().isEmpty && reported.replaced == 0)
    }

    @Test("A part of a request that can't be read is named, and what the user did since stays")
    func part() throws {
        let (store, _) = try spoiled([spoil("edit", of: 3, in: "request_part", by: "item")])
        try fails { try store.requestItems() }
        #expect(try store.lost().map(\.loss.reason) == [.unreadable])
        #expect(try store.request() == nil)
        #expect(try item(3, store) == StoreGiven.item(StoreGiven.number(3), copy: old))
    }

    @Test("A refusal that can't be read is asked for again")
    func refusal() throws {
        let (store, _) = try spoiled([
            spoil("refused", of: 2), "UPDATE item SET refused_at = '2026-11-20T18:00:00Z' WHERE refused IS NOT NULL",
        ])
        try fails { try item(2, store) }
        #expect(try item(2, store) == StoreGiven.item(StoreGiven.number(2), copy: old, edit: new))
    }

    @Test("An entry of the list of what was lost stays without its value, and a hash is computed anew")
    func lostAndHash() throws {
        let (store, _) = try spoiled([])
        let loss = Loss(id: StoreGiven.id, reason: .conflict, kind: .member, pointer: "/a", value: .bool(true))
        _ = try store.addLost([loss], at: .now)
        try given.raw().run("UPDATE lost SET value = \(bad)")
        try fails { try store.lost() }
        #expect(try store.lost().map(\.loss) == [Loss(id: StoreGiven.id, reason: .unreadable, kind: .document)])
        try given.raw().run("UPDATE account SET hash = zeroblob(5)")
        try fails { try store.account() }
        let documents = Dictionary(uniqueKeysWithValues: (1...3).map { (StoreGiven.number($0), old) })
        #expect(try store.account().hash == StoreGiven.hash(documents))
    }

    @Test("A staged copy that can't be read makes the pull void")
    func stage() throws {
        let (store, _) = try spoiled([])
        try store.beginStage()
        #expect(try store.stage([StoreGiven.staged(StoreGiven.id, "1-a", old)]))
        try given.raw().run("UPDATE staged SET copy = \(bad)")
        try fails { try store.stagedCopies(after: "", atMost: 9) }
        #expect(try !store.isStageMine())
    }

    @Test("An event that can't be read goes, and the others are sent")
    func event() throws {
        let (store, _) = try spoiled([])
        try store.setConsent(Store.UnsentConsent(category: .analytics, isGranted: true, version: "1"))
        let events = ["a", "b"].map { EventBatchTests.event($0, id: $0, parameters: #"{"n":1}"#) }
        try store.addEvents(events, at: StoreGiven.at(0))
        try given.raw().run("UPDATE event SET parameters = \(bad) WHERE id = 'a'")
        try fails { try store.eventBatch(at: StoreGiven.at(0)) }
        #expect(try store.eventBatch(at: StoreGiven.at(0))?.events == [events[1]])
    }

    @Test("A proof that can't be read is made anew by the right key, and by no other one")
    func proof() throws {
        let (store, _) = try spoiled(["UPDATE account SET proof = \(bad)"])
        store.close()
        #expect(try given.open().opening == .found)
        #expect(try item(2, given.open())?.edit != nil)
        let other = [UInt8](repeating: 9, count: 32)
        #expect(try given.open(key: other).opening == .replaced(given.folder + "/set-aside-1"))
    }
}
