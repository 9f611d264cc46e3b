import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("The user's acts on one item")
struct ActsTests {
    private let stored = #"{"a":1,"o":{"x":1,"y":1}}"#

    private func set(_ pointer: String, _ value: String?) -> (pointer: JSONPointer, value: JSONValue?) {
        (Given.pointer(pointer), value.map { Given.json($0) })
    }

    // MARK: Members

    @Test("Setting and removing members of a clean item makes an edit of the copy")
    func editClean() {
        var item = Given.item(Given.copy("1-a", stored))
        #expect(item.change([set("/a", "2"), set("/o/x", nil)], at: Given.at(5)) == true)
        #expect(item.edit == Given.edit(#"{"a":2,"o":{"y":1}}"#, at: 5, ["/a": 5, "/o/x": 5]))
        #expect(item.copy == Given.copy("1-a", stored))
    }

    @Test("Setting the value that is there is noted")
    func editSameValue() {
        var item = Given.item(Given.copy("1-a", stored))
        #expect(item.change([set("/a", "1.0")], at: Given.at(5)) == true)
        #expect(item.edit == Given.edit(stored, at: 5, ["/a": 5]))
    }

    @Test("A further edit adds its members to those before it")
    func editChanged() {
        var item = Given.item(
            Given.copy("1-a", stored),
            edit: Given.edit(#"{"a":2,"o":{"x":1,"y":1}}"#, at: 5, ["/a": 5])
        )
        #expect(item.change([set("/o/x", "3")], at: Given.at(6)) == true)
        #expect(item.edit == Given.edit(#"{"a":2,"o":{"x":3,"y":1}}"#, at: 6, ["/a": 5, "/o/x": 6]))
    }

    @Test("A further edit above a noted member takes it in, and one below gives it its time")
    func editChangedAboveAndBelow() {
        var item = Given.item(
            Given.copy("1-a", stored),
            edit: Given.edit(#"{"a":1,"o":{"x":2,"y":1}}"#, at: 5, ["/o/x": 5])
        )
        #expect(item.change([set("/o", #"{"z":1}"#)], at: Given.at(6)) == true)
        #expect(item.edit == Given.edit(#"{"a":1,"o":{"z":1}}"#, at: 6, ["/o": 6]))
        #expect(item.change([set("/o/z", "2")], at: Given.at(7)) == true)
        #expect(item.edit == Given.edit(#"{"a":1,"o":{"z":2}}"#, at: 7, ["/o": 7]))
    }

    @Test("Members of a deleted item, and of one that is not there, can't be set")
    func editDeleted() {
        var items = [Given.item(Given.copy("1-a", stored), edit: .deletion), Given.item(), Given.item(part: .deletion)]
        for place in items.indices {
            let before = items[place]
            #expect(items[place].change([set("/a", "2")], at: Given.at(5)) == false)
            #expect(items[place] == before)
        }
    }

    @Test("An edit of a held item ends the mark")
    func editHeld() {
        let held = Given.item(Given.tombstone("2-b"), edit: Given.edit(stored, at: 5, ["/a": 5]))
        var item = Given.marked(held, held: true)
        #expect(item.change([set("/a", "2")], at: Given.at(6)) == true)
        #expect(
            item
                == Given.item(Given.tombstone("2-b"), edit: Given.edit(#"{"a":2,"o":{"x":1,"y":1}}"#, at: 6, ["/a": 6]))
        )
    }

    @Test("An edit beside a request begins with the document that is being sent")
    func editSince() {
        var item = Given.item(Given.copy("1-a", stored), part: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        #expect(item.change([set("/b", "3")], at: Given.at(6)) == true)
        #expect(item.edit == Given.edit(#"{"a":2,"b":3}"#, at: 6, ["/b": 6]))
    }

    @Test("The id, the time of the edit and the whole document are no members to set")
    func editOwn() {
        var item = Given.item(Given.copy("1-a", #"{"id":"x","a":1}"#))
        #expect(
            item.change([set("/id", "1"), set("/modified_at", "1"), set("", "1"), set("/a", "2")], at: Given.at(5))
                == true
        )
        #expect(item.edit == Given.edit(#"{"id":"x","a":2}"#, at: 5, ["/a": 5]))
    }

    @Test("A document has its times in whole seconds, and each member its own with all digits")
    func wholeSeconds() {
        let now = Instant(seconds: Given.at(5).seconds, microseconds: 431_000)
        var noted = Members()
        noted.note(Given.pointer("/a"), now)
        var (changed, made) = (Given.item(Given.copy("1-a", stored)), Given.item())
        #expect(changed.change([set("/a", "2")], at: now) == true)
        #expect(changed.edit == Edit.document(Given.document(#"{"a":2,"o":{"x":1,"y":1}}"#, at: 5), noted))
        made.replace(with: Document(JSONObject()), at: now)
        let document = #"{"id":"\#(Given.id)","created_at":"\#(Given.at(5).text)"}"#
        #expect(made.edit == Given.edit(document, at: 5, [:]))
    }

    // MARK: Whole documents

    private let whole = #"{"id":"i","created_at":"c","a":7,"new":1}"#

    private func replaced(_ item: Item) -> Item {
        var item = item
        item.replace(with: Given.document(whole, at: 1), at: Given.at(9))
        return item
    }

    @Test("A whole document notes the members of itself and of the copy, but not the id and the times")
    func replaceClean() {
        let item = replaced(Given.item(Given.copy("1-a", #"{"id":"i","created_at":"c","a":1,"b":1}"#)))
        #expect(item.edit == Given.edit(whole, at: 9, ["/a": 9, "/new": 9, "/b": 9]))
    }

    @Test("A whole document notes the members of what is shown, of the request and of the copy")
    func replaceChanged() {
        let item = Given.item(
            Given.copy("1-a", #"{"copied":1}"#),
            edit: Given.edit(#"{"shown":1}"#, at: 5, ["/shown": 5]),
            part: Given.edit(#"{"sent":1}"#, at: 4, ["/sent": 4])
        )
        let noted = ["/a": 9, "/new": 9, "/shown": 9, "/sent": 9, "/copied": 9] as [String: Int64]
        #expect(replaced(item).edit == Given.edit(whole, at: 9, noted))
    }

    @Test("A whole document after a deletion is an edit, and notes the copy's members")
    func replaceDeleted() {
        let item = replaced(Given.item(Given.copy("1-a", #"{"b":1}"#), edit: .deletion))
        #expect(item.edit == Given.edit(whole, at: 9, ["/a": 9, "/new": 9, "/b": 9]))
    }

    @Test("A whole document ends the mark of a held item")
    func replaceHeld() {
        let held = Given.item(Given.tombstone("2-b"), edit: Given.edit(#"{"b":1}"#, at: 5, ["/b": 5]))
        let item = replaced(Given.marked(held, held: true))
        #expect(
            item == Given.item(Given.tombstone("2-b"), edit: Given.edit(whole, at: 9, ["/a": 9, "/new": 9, "/b": 9]))
        )
    }

    @Test("A new document without id and times gets them")
    func replaceNothing() {
        var item = Given.item()
        item.replace(with: Document(JSONObject()), at: Given.at(9))
        let made = #"{"id":"\#(Given.id)","created_at":"\#(Given.at(9).text)"}"#
        #expect(item.edit == Given.edit(made, at: 9, [:]))
    }

    @Test("A name with a slash and a tilde is one member at the top")
    func replaceOddNames() {
        var item = Given.item()
        item.replace(with: Given.document(#"{"id":"i","created_at":"c","a/b~c":1}"#), at: Given.at(9))
        #expect(item.edit == Given.edit(#"{"id":"i","created_at":"c","a/b~c":1}"#, at: 9, ["/a~1b~0c": 9]))
    }

    // MARK: Deletions

    @Test("A deletion drops the edits before it")
    func deletion() {
        let edit = Given.edit(#"{"a":2}"#, at: 5, ["/a": 5])
        let copy = Given.copy("1-a", #"{"a":1}"#)
        for item in [Given.item(copy), Given.item(copy, edit: edit), Given.item(edit: edit)] {
            var deleted = item
            #expect(deleted.delete() == true)
            #expect(deleted == Given.item(item.copy, edit: .deletion))
        }
    }

    @Test("A deletion of a deleted item changes nothing")
    func deletionAgain() {
        var item = Given.item(Given.copy("1-a", #"{"a":1}"#), edit: .deletion)
        #expect(item.delete() == false)
        #expect(item == Given.item(Given.copy("1-a", #"{"a":1}"#), edit: .deletion))
    }

    @Test("A deletion ends the mark of a held item")
    func deletionHeld() {
        let held = Given.item(Given.tombstone("2-b"), edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        var item = Given.marked(held, held: true)
        #expect(item.delete() == true)
        #expect(item == Given.item(Given.tombstone("2-b"), edit: .deletion))
    }

    @Test("Each act of the user ends a refusal")
    func refusal() {
        let changed = Given.item(Given.copy("1-a", #"{"a":1}"#), edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        let refused = Given.marked(changed, refused: 6)
        var items = [refused, refused, refused]
        #expect(items[0].change([set("/a", "3")], at: Given.at(7)) == true)
        items[1].replace(with: Given.document(#"{"a":3}"#), at: Given.at(7))
        #expect(items[2].delete() == true)
        #expect(items.map(\.refusal) == [nil, nil, nil])
    }

    @Test("A deletion beside a request hides the document that is being sent")
    func shownBesideRequest() {
        var item = Given.item(Given.copy("1-a", #"{"a":1}"#), part: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        #expect(item.shown == Given.document(#"{"a":2}"#, at: 5))
        #expect(item.delete() == true)
        #expect(item.shown == nil)
    }
}
