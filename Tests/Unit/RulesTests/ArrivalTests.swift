import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Copies that arrive")
struct ArrivalTests {
    private static let old = Given.copy("1-a", #"{"a":1,"b":1}"#)
    private static let edit = Given.edit(#"{"a":2,"b":1}"#, at: 5, ["/a": 5])
    /// Others changed the other member at second 3.
    private static let new = Given.copy("2-b", #"{"a":1,"b":9}"#, at: 3)
    private static let tombstone = Given.tombstone("2-b")
    private let clean = Given.item(Self.old)
    private let changed = Given.item(Self.old, edit: Self.edit)
    private let deleted = Given.item(Self.old, edit: .deletion)
    private let held = Given.marked(Given.item(Given.tombstone("1-t"), edit: Self.edit), held: true)

    private func arrive(_ copy: Copy?, at item: Item, full: Bool = false) -> (item: Item, lost: [Loss]) {
        var item = item
        let lost = item.arrive(copy, inFullSet: full, latest: nil, at: Given.at(20))
        return (item, lost)
    }

    // MARK: Documents

    @Test("A document takes the place of a clean item's copy")
    func documentClean() {
        let (item, lost) = arrive(Self.new, at: clean)
        #expect(item == Given.item(Self.new))
        #expect(lost == [])
    }

    @Test("A document of a new item becomes its copy")
    func documentNew() {
        #expect(arrive(Self.new, at: Given.item(), full: true).item == Given.item(Self.new))
    }

    @Test("An edit is rebased onto the document that arrives")
    func documentChanged() {
        let (item, lost) = arrive(Self.new, at: changed)
        #expect(item == Given.item(Self.new, edit: Given.edit(#"{"a":2,"b":9}"#, at: 20, ["/a": 5])))
        #expect(lost == [])
    }

    @Test("A deletion stays if the document is the old one under another tag")
    func documentDeletedSame() {
        let again = Copy(tag: "3-c", document: Self.old.document)
        let (item, lost) = arrive(again, at: deleted)
        #expect(item == Given.item(again, edit: .deletion))
        #expect(lost == [])
    }

    @Test("A document that others changed stays, and the deletion is lost")
    func documentDeletedChanged() {
        let (item, lost) = arrive(Self.new, at: deleted)
        #expect(item == Given.item(Self.new))
        #expect(lost == [Given.lostDeletion])
    }

    @Test("A deletion of an unsure item is lost though the document is the old one")
    func documentDeletedUnsure() {
        let again = Copy(tag: "3-c", document: Self.old.document)
        let (item, lost) = arrive(again, at: Given.marked(deleted, unsure: true))
        #expect(item == Given.item(again))
        #expect(lost == [Given.lostDeletion])
    }

    @Test("A document ends a hold, and the edit is rebased onto it")
    func documentHeld() {
        let (item, lost) = arrive(Self.new, at: held)
        #expect(item == Given.item(Self.new, edit: Given.edit(#"{"a":2,"b":9}"#, at: 20, ["/a": 5])))
        #expect(lost == [Given.lostMember("/a", "1")])
    }

    // MARK: Tombstones

    @Test("A tombstone ends a clean item and a deletion")
    func tombstoneCleanDeleted() {
        for item in [clean, deleted] {
            let (gone, lost) = arrive(Self.tombstone, at: item)
            #expect(gone.isGone)
            #expect(lost == [])
        }
    }

    @Test("A tombstone ends an edited item, and its document is lost")
    func tombstoneChanged() {
        let (item, lost) = arrive(Self.tombstone, at: changed)
        #expect(item.isGone)
        #expect(lost == [Given.lostDocument(#"{"a":2,"b":1}"#, at: 5, .deletedElsewhere)])
    }

    @Test("A held item stores a tombstone and stays held")
    func tombstoneHeld() {
        let (item, lost) = arrive(Self.tombstone, at: held)
        #expect(item == Given.marked(Given.item(Self.tombstone, edit: Self.edit), held: true))
        #expect(lost == [])
    }

    // MARK: Full sets

    @Test("A full set that does not list an item ends it, and names the copy's document")
    func unlistedCleanDeleted() {
        for item in [clean, deleted] {
            let (gone, lost) = arrive(nil, at: item, full: true)
            #expect(gone.isGone)
            #expect(lost == [Given.lostDocument(#"{"a":1,"b":1}"#, at: 0, .replacedByFullSet)])
        }
    }

    @Test("An edit that a full set does not list has no copy any more, and is pushed")
    func unlistedChanged() {
        let (item, lost) = arrive(nil, at: changed, full: true)
        #expect(item == Given.item(edit: Self.edit))
        #expect(item.isDirty(at: Given.at(20)))
        #expect(lost == [Given.lostDocument(#"{"a":1,"b":1}"#, at: 0, .replacedByFullSet)])
    }

    @Test("A held item that a full set does not list has no copy any more, and stays held")
    func unlistedHeld() {
        let (item, lost) = arrive(nil, at: held, full: true)
        #expect(item == Given.marked(Given.item(edit: Self.edit), held: true))
        #expect(lost == [])
    }

    @Test("A full set with another document, or a tombstone, names the copy's document first, also beside an edit")
    func fullSetReplaces() {
        let replaced = Given.lostDocument(#"{"a":1,"b":1}"#, at: 0, .replacedByFullSet)
        #expect(arrive(Self.new, at: clean, full: true).lost == [replaced])
        #expect(arrive(Self.new, at: changed, full: true).lost == [replaced])
        #expect(arrive(Self.new, at: deleted, full: true).lost == [replaced, Given.lostDeletion])
        #expect(arrive(Self.tombstone, at: clean, full: true).lost == [replaced])
        #expect(arrive(Self.tombstone, at: changed, full: true).lost.first == replaced)
    }

    @Test("A full set with the same document under another tag names nothing")
    func fullSetSame() {
        let again = Given.copy("3-c", #"{"b":1.0,"a":1}"#)
        #expect(arrive(again, at: clean, full: true).lost == [])
        #expect(arrive(again, at: changed, full: true).item.edit == Given.edit(#"{"a":2,"b":1}"#, at: 20, ["/a": 5]))
    }

    // MARK: Marks

    @Test("The same tag and document is no arrival")
    func sameCopy() {
        let marked = Given.marked(changed, refused: 6, waits: true, unsure: true)
        let (item, lost) = arrive(Given.copy("1-a", #"{"b":1e0,"a":1}"#), at: marked, full: true)
        #expect(item == marked)
        #expect(lost == [])
    }

    @Test("Each arrival ends a refusal and the doubt about a write, but not the wait for the end of the pull")
    func marks() {
        let marked = Given.marked(changed, refused: 6, waits: true, unsure: true)
        for copy in [Self.new, nil] {
            let item = arrive(copy, at: marked, full: copy == nil).item
            #expect(item.refusal == nil)
            #expect(!item.isUnsure)
            #expect(item.waits)
        }
    }
}
