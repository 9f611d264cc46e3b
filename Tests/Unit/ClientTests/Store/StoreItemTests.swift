import Foundation
import NeuroViewsJSON
import NeuroViewsRules
import TestSupport
import Testing

@testable import NeuroViewsClient

@Suite("Items of the store", .blocking, .timeLimit(.minutes(Patience.minutes(1))))
struct StoreItemTests {
    private let given = StoreGiven()
    private let old = #"{"name":"Café","iso":4e2,"speed":0.020,"x":null}"#
    private let new = #"{"name":"Night","deep":{"a":[1,{"b":1.0}]}}"#

    @Test("An item of any state is read as it was stored, also after the store was opened again")
    func states() throws {
        var items: [Item] = []
        for (copy, edit) in [(old, nil), (nil, new), (old, new), (old, "deletion")] as [(String?, String?)] {
            for marks in 0..<16 {
                var item = try StoreGiven.item(StoreGiven.number(items.count), copy: copy, edit: edit)
                (item.waits, item.isHeld, item.isUnsure) = (marks & 1 > 0, marks & 2 > 0, marks & 4 > 0)
                if marks & 8 > 0 {
                    let members = try StoreGiven.document(old).object
                    let problem = NeuroViewsRules.Problem(status: 422, members)
                    item.refusal = Refusal(problem: problem, at: StoreGiven.at(3))
                }
                items.append(item)
            }
        }
        var tombstone = try StoreGiven.item(StoreGiven.number(items.count), edit: new)
        tombstone.copy = Copy(tag: "2-b", document: nil)
        items.append(tombstone)
        let store = try given.open()
        for item in items { try store.save(item) }
        for item in items {
            #expect(try store.item(item.id) == item)
            #expect(try given.open().item(item.id) == item)
        }
        #expect(try store.item(StoreGiven.id) == nil)
    }

    @Test("The spelling of numbers and the order of members stay")
    func spelling() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: old))
        #expect(try store.item(StoreGiven.id)?.copy?.document?.text == Array(old.utf8))
    }

    @Test("Names of members may have line feeds, slashes and quotes")
    func names() throws {
        let store = try given.open()
        let name = "a\nb/c~\"\u{0}"
        var item = try StoreGiven.item(copy: old)
        let pointer = JSONPointer().appending(member: name)
        _ = item.change([(pointer, .string("1\n2"))], at: StoreGiven.at(5))
        try store.save(item)
        let read = try #require(try store.item(item.id))
        #expect(read == item)
        #expect(read.shown?.value(at: pointer) == .string("1\n2"))
    }

    @Test("An item of which nothing is left goes")
    func gone() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: old))
        try store.save(Item(id: StoreGiven.id))
        #expect(try store.item(StoreGiven.id) == nil)
        #expect(try store.account().hash == StateHash())
    }

    @Test("The state hash is that of the copies, whatever the edits are")
    func hash() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: old))
        try store.save(StoreGiven.item(StoreGiven.otherID, copy: new, edit: old))
        #expect(try store.account().hash == StoreGiven.hash([StoreGiven.id: old, StoreGiven.otherID: new]))
        try store.save(StoreGiven.item(copy: new, edit: "deletion"))
        #expect(try store.account().hash == StoreGiven.hash([StoreGiven.id: new, StoreGiven.otherID: new]))
        try store.save(StoreGiven.item(StoreGiven.otherID, edit: old))
        #expect(try given.open().account().hash == StoreGiven.hash([StoreGiven.id: new]))
    }

    @Test("The list has the items with a document to show")
    func shown() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(StoreGiven.number(1), copy: old))
        try store.save(StoreGiven.item(StoreGiven.number(2), copy: old, edit: "deletion"))
        try store.save(StoreGiven.item(StoreGiven.number(3), edit: new))
        let ids = try store.shownItems { $0.id }
        #expect(ids == [StoreGiven.number(1), StoreGiven.number(3)])
    }

    @Test("Dirty items come in the order of their first edits, and only so many")
    func dirty() throws {
        let (store, now) = (try given.open(), StoreGiven.at(10))
        for number in [3, 1, 2] { try store.save(StoreGiven.item(StoreGiven.number(number), edit: new)) }
        try store.save(StoreGiven.item(StoreGiven.number(3), edit: old))
        let ids = [3, 1, 2].map { StoreGiven.number($0) }
        #expect(try store.dirtyItems(at: now).map(\.id) == ids)
        #expect(try store.dirtyItems(at: now, limit: 2).map(\.id) == Array(ids.prefix(2)))
        #expect(try store.unsentItems(at: now).map(\.id) == ids)
        try store.save(StoreGiven.item(StoreGiven.number(3)))
        try store.save(StoreGiven.item(StoreGiven.number(3), edit: new))
        #expect(try store.dirtyItems(at: now).map(\.id) == [1, 2, 3].map { StoreGiven.number($0) })
    }

    @Test("Marked items and needless deletions are not dirty, and a refusal ends after an hour")
    func marked() throws {
        let store = try given.open()
        var items = try (0..<5).map { try StoreGiven.item(StoreGiven.number($0), copy: old, edit: new) }
        items[1].waits = true
        items[2].isHeld = true
        items[3].refusal = Refusal(problem: NeuroViewsRules.Problem(status: 422), at: StoreGiven.at(0))
        items[4] = try StoreGiven.item(StoreGiven.number(4), edit: "deletion")
        for item in items { try store.save(item) }
        let ids = items.map(\.id)
        #expect(try store.dirtyItems(at: StoreGiven.at(1)).map(\.id) == [ids[0]])
        #expect(try store.dirtyItems(at: StoreGiven.at(3600)).map(\.id) == [ids[0], ids[3]])
        #expect(try store.markedIDs() == [ids[1], ids[3]])
        let states: [UnsentItem.State] = [.unsent, .waiting, .held, .refused, .unsent]
        #expect(try store.unsentItems(at: StoreGiven.at(1)).map(\.state) == states)
        for (second, expected) in [(1, [3, 1, 1]), (3600, [4, 0, 1])] as [(Int64, [Int])] {
            let counts = try store.counts(at: StoreGiven.at(second))
            #expect([counts.unsent, counts.refused, counts.held] == expected)
        }
    }

    @Test("A document that could not be read again is refused, and the old one stays")
    func unstorable() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: old, edit: new))
        var item = try StoreGiven.item(copy: old)
        let deep = (0..<1200).reduce(JSON.null) { value, _ in .array([value]) }
        _ = item.change([(JSONPointer().appending(member: "deep"), deep)], at: StoreGiven.at(1))
        #expect(throws: ClientError.store(.unstorable("it is nested too deeply"))) { try store.save(item) }
        #expect(try store.item(StoreGiven.id) == StoreGiven.item(copy: old, edit: new))
    }

    @Test("Values are not readable in the files")
    func sealed() throws {
        let (store, secret, now) = (try given.open(), "Geheimnis", StoreGiven.at(0))
        let text = #"{"name":"\#(secret)"}"#
        let fresh = try StoreGiven.item(copy: text, edit: text)
        let made = try #require(PendingRequest.make(of: [fresh], .put, PushState(), key: "k", at: now))
        try store.begin(made)
        var item = made.items[0]
        item.edit = fresh.edit
        let detail = JSONObject([.init(name: "detail", value: .string(secret))])
        item.refusal = Refusal(problem: NeuroViewsRules.Problem(status: 422, detail), at: now)
        try store.save(item)
        _ = try store.addLost([Loss(StoreGiven.document(text), of: item.id, .deletedElsewhere)], at: now)
        try store.beginStage()
        #expect(try store.stage([StoreGiven.staged(item.id, "1-a", text)]))
        for file in try FileManager.default.contentsOfDirectory(atPath: given.folder + "/store") {
            let content = try #require(FileManager.default.contents(atPath: given.folder + "/store/" + file))
            #expect(content.range(of: Data(secret.utf8)) == nil, "\(file)")
        }
    }

    @Test("A value that was moved to another row can't be read there")
    func moved() throws {
        let store = try given.open()
        try store.save(StoreGiven.item(copy: old))
        try store.save(StoreGiven.item(StoreGiven.otherID, copy: new))
        try given.raw().run("UPDATE item SET copy = (SELECT copy FROM item WHERE id = '\(StoreGiven.id)')")
        let error = ClientError.store(.unreadable("item.copy can't be decrypted"))
        #expect(throws: error) { try store.item(StoreGiven.otherID) }
    }
}
