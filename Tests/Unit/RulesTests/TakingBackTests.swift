import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Lost entries that the user takes back")
struct TakingBackTests {
    private let stored = Given.item(Given.copy("1-a", #"{"id":"x","a":1,"list":[1,2]}"#))
    private let deleted = Given.item(Given.copy("1-a", #"{"a":1}"#), edit: .deletion)

    private func back(_ item: Item, _ loss: Loss) throws(Item.TakingBackFailure) -> Item {
        try item.takingBack(loss, newID: Given.otherID, at: Given.at(5))
    }

    @Test("A value and a removal become an edit of their member")
    func member() throws {
        let value = try back(stored, Given.lostMember("/a", "2"))
        #expect(value.edit == Given.edit(#"{"id":"x","a":2,"list":[1,2]}"#, at: 5, ["/a": 5]))
        let removal = try back(stored, Given.lostMember("/a", nil))
        #expect(removal.edit == Given.edit(#"{"id":"x","list":[1,2]}"#, at: 5, ["/a": 5]))
    }

    @Test("A value below members that are gone brings its parents back")
    func parents() throws {
        let item = try back(stored, Given.lostMember("/o/x", "2"))
        #expect(item.edit == Given.edit(#"{"id":"x","a":1,"list":[1,2],"o":{"x":2}}"#, at: 5, ["/o/x": 5]))
    }

    @Test(
        "A member below an array or a number stays in the list, and the value is not replaced",
        arguments: ["/a", "/list"]
    )
    func obstacle(_ above: String) {
        for value in ["2", nil] {
            #expect(throws: Item.TakingBackFailure.noMembers(above: Given.pointer(above))) {
                try back(stored, Given.lostMember(above + "/x/y", value))
            }
        }
    }

    @Test("A document takes the place of what is shown, with the id of the item")
    func document() throws {
        let item = try back(stored, Given.lostDocument(#"{"id":"y","b":1}"#, at: 1, .replacedByFullSet))
        #expect(item.id == Given.id && item.copy == stored.copy)
        let content = #"{"id":"\#(Given.id)","b":1,"created_at":"\#(Given.at(5).text)"}"#
        #expect(item.edit == Given.edit(content, at: 5, ["/a": 5, "/b": 5, "/list": 5]))
    }

    @Test("After a deletion a document becomes another item, without a copy")
    func documentAfterDeletion() throws {
        for gone in [deleted, Given.item(), Given.item(Given.tombstone("2-b")), Given.item(part: .deletion)] {
            let item = try back(gone, Given.lostDocument(#"{"id":"\#(Given.id)","a":1}"#, at: 1, .deletedElsewhere))
            #expect(item.id == Given.otherID && item.copy == nil && item.part == nil)
            #expect(item.shown?.object["id"]?.string == Given.otherID && item.shown?.object["a"] != nil)
        }
    }

    @Test("A deletion becomes a deletion")
    func deletion() throws {
        #expect(try back(stored, Given.lostDeletion).edit == .deletion)
    }

    @Test("Members and deletions of an item that is gone stay in the list")
    func gone() {
        for loss in [Given.lostMember("/a", "2"), Given.lostMember("/a", nil), Given.lostDeletion] {
            for item in [deleted, Given.item(), Given.item(Given.tombstone("2-b"))] {
                #expect(throws: Item.TakingBackFailure.nothingShown) { try back(item, loss) }
            }
        }
    }

    @Test("An entry whose value can't be read stays in the list")
    func unreadable() {
        let loss = Loss(id: Given.id, reason: .unreadable, kind: .document)
        for item in [stored, deleted] {
            #expect(throws: Item.TakingBackFailure.noValue) { try back(item, loss) }
        }
    }

    @Test("A value taken back ends a refusal and decides about a held item")
    func marks() throws {
        let edit = Given.edit(#"{"a":2}"#, at: 1, ["/a": 1])
        let held = Given.marked(Given.item(Given.tombstone("2-b"), edit: edit), held: true, refused: 1)
        let item = try back(held, Given.lostMember("/a", "3"))
        #expect(!item.isHeld && item.refusal == nil && item.isUnsent(at: Given.at(5)))
    }
}
