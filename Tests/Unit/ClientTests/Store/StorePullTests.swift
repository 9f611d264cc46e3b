import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Pulls in the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StorePullTests {
    private let given = StoreGiven()
    private let now = StoreGiven.at(10)
    private let one = #"{"id":"x","name":"1"}"#
    private let two = #"{"id":"x","name":"2"}"#

    /// A pull whose last page had these documents, and the hash of them.
    private func pull(token: String?, _ documents: [String: String], deleted: [String] = []) throws -> Pull {
        let spelled: [(String, String)] = documents.map { id, text in
            (id, text.replacing(#""id":"x""#, with: #""id":"\#(id)""#))
        }
        let versions = (documents.keys + deleted).map { #""\#($0)":"2-b""# }.joined(separator: ",")
        let text = """
            {"configurations":[\(spelled.map(\.1).joined(separator: ","))],\
            "deleted":[\(deleted.map { "\"\($0)\"" }.joined(separator: ","))],"versions":{\(versions)},\
            "sync_token":"next","reset":false,"server_time":"2026-11-20T18:00:00Z",\
            "state_hash":"\(try StoreGiven.hash(Dictionary(uniqueKeysWithValues: spelled)).text)"}
            """
        let json = try StoreGiven.json(text)
        let read = NeuroViewsRules.Page(json)
        let page = try #require(read)
        var pull = Pull(token: token, seen: [])
        pull.take(page)
        return pull
    }

    private func stage(_ store: Store, _ copies: [(String, String?)]) throws {
        try store.beginStage()
        for (id, text) in copies {
            let spelled = text?.replacing(#""id":"x""#, with: #""id":"\#(id)""#)
            #expect(try store.stage([StoreGiven.staged(id, "2-b", spelled)]))
        }
    }

    @Test("A full set brings and takes items, and ends with token, time and hash")
    func fullSet() throws {
        let store = try given.open()
        let ids = (0..<450).map { StoreGiven.number($0) }
        try store.save(StoreGiven.item(copy: one))
        try store.changeAccount { $0.push = PushState(seen: ["h1", "h2"], refusals: 2) }
        try stage(store, ids.map { ($0, one) })
        let documents = Dictionary(uniqueKeysWithValues: ids.map { ($0, one) })
        let applied = try #require(try store.apply(pull(token: nil, documents), isRepeat: false, at: now))
        #expect(applied.arrived == 451)
        #expect(Set(applied.changed) == Set(ids + [StoreGiven.id]))
        #expect(applied.lost.map(\.loss.reason) == [.replacedByFullSet])
        #expect(try store.lost() == applied.lost)
        #expect(applied.next == .nothing)
        #expect(try store.shownItems { $0.id } == ids)
        let account = try given.open().account()
        #expect(account.token == "next")
        #expect(account.push == PushState(seen: [], refusals: 2))
        #expect(account.lastComplete == now)
    }

    @Test("A delta leaves other items, brings deletions, and rebases edits")
    func delta() throws {
        let store = try given.open()
        let ids = (0..<4).map { StoreGiven.number($0) }
        for id in ids { try store.save(StoreGiven.item(id, copy: one)) }
        try store.save(StoreGiven.item(ids[2], copy: one, edit: #"{"name":"mine"}"#))
        try stage(store, [(ids[1], two), (ids[2], two), (ids[3], nil)])
        let pull = try pull(token: "t", [ids[1]: two, ids[2]: two], deleted: [ids[3]])
        let applied = try #require(try store.apply(pull, isRepeat: false, at: now))
        #expect(applied.arrived == 3)
        #expect(Set(applied.changed) == Set(ids.dropFirst()))
        #expect(try store.shownItems { $0.id } == Array(ids.prefix(3)))
        #expect(try store.item(ids[2])?.copy?.tag == "2-b")
        #expect(applied.lost.map(\.loss.kind) == [.member])
    }

    @Test("A copy that is there already is no arrival")
    func known() throws {
        let store = try given.open()
        let text = one.replacing(#""id":"x""#, with: #""id":"\#(StoreGiven.id)""#)
        var item = try StoreGiven.item(copy: text, edit: two)
        item.copy?.tag = "2-b"
        try store.save(item)
        try stage(store, [(StoreGiven.id, one)])
        let pull = try pull(token: "t", [StoreGiven.id: one])
        let applied = try #require(try store.apply(pull, isRepeat: false, at: now))
        #expect(applied.arrived == 0 && applied.changed.isEmpty)
        #expect(try store.item(StoreGiven.id) == item)
    }

    @Test("A complete pull ends waiting, also one that brings nothing")
    func marks() throws {
        let store = try given.open()
        var item = try StoreGiven.item(copy: one, edit: two)
        item.waits = true
        try store.save(item)
        try store.changeAccount { $0.push.seen = ["h"] }
        try store.save(StoreGiven.item(StoreGiven.otherID, edit: "deletion"))
        try store.endUnchangedPull(at: now)
        #expect(try store.item(StoreGiven.id)?.waits == false)
        #expect(try store.item(StoreGiven.otherID) == nil)
        #expect(try store.account().push.seen == [])
        #expect(try store.account().lastComplete == now)
    }

    @Test("A wrong hash is answered by a full set, then by a report, then by nothing for a day")
    func wrongHash() throws {
        let store = try given.open()
        func next(_ token: String?, isRepeat: Bool, at second: Int64) throws -> StateCheck.Next? {
            try store.beginStage()
            let wrong = try pull(token: token, [StoreGiven.id: one])
            return try store.apply(wrong, isRepeat: isRepeat, at: StoreGiven.at(second))?.next
        }
        #expect(try next("t", isRepeat: false, at: 0) == .pullFullSet)
        #expect(try next(nil, isRepeat: true, at: 1) == .report)
        #expect(try next("t", isRepeat: false, at: 2) == .nothing)
        #expect(try next("t", isRepeat: false, at: 90_000) == .pullFullSet)
    }

    @Test("A pull is void after another object has begun one")
    func otherStage() throws {
        let (first, second) = (try given.open(), try given.open())
        try stage(first, [(StoreGiven.id, one)])
        try stage(second, [(StoreGiven.otherID, one)])
        #expect(try !first.stage([]))
        #expect(try first.apply(pull(token: nil, [StoreGiven.id: one]), isRepeat: false, at: now) == nil)
        #expect(try first.item(StoreGiven.id) == nil)
        #expect(try second.apply(pull(token: nil, [StoreGiven.otherID: one]), isRepeat: false, at: now) != nil)
        #expect(try first.shownItems { $0.id } == [StoreGiven.otherID])
    }

    @Test("A pull is void after the end of a write, whose copies it lacks")
    func writeEnded() throws {
        let (first, second) = (try given.open(), try given.open())
        try stage(first, [(StoreGiven.id, one)])
        try second.end([StoreGiven.id: try StoreGiven.item(copy: two)])
        #expect(try first.apply(pull(token: "t", [StoreGiven.id: one]), isRepeat: false, at: now) == nil)
        #expect(try first.item(StoreGiven.id)?.copy?.tag == "1-a")
    }

    @Test("The last of several staged copies counts, and a page that begins anew empties the stage")
    func pages() throws {
        let store = try given.open()
        try stage(store, [(StoreGiven.otherID, one)])
        try stage(store, [(StoreGiven.id, one), (StoreGiven.id, two)])
        _ = try store.apply(pull(token: nil, [StoreGiven.id: two]), isRepeat: false, at: now)
        #expect(try store.shownItems { $0.shown?.object["name"]?.string } == ["2"])
        #expect(try store.row("SELECT count(*) FROM staged") { $0.integer(0) } == 0)
    }
}
