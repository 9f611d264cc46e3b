import NeuroViewsRules
import Testing

@Suite("Marks of items")
struct MarksTests {
    private let changed = Given.item(Given.copy("1-a", #"{"a":1}"#), edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))

    @Test("An edit without a mark is dirty; one that waits is unsent")
    func dirty() {
        let waiting = Given.marked(changed, waits: true)
        let held = Given.marked(changed, held: true)
        #expect(changed.isDirty(at: Given.at(9)) && changed.isUnsent(at: Given.at(9)))
        #expect(!waiting.isDirty(at: Given.at(9)) && waiting.isUnsent(at: Given.at(9)))
        #expect(!held.isDirty(at: Given.at(9)) && !held.isUnsent(at: Given.at(9)))
        #expect(!Given.item(Given.copy("1-a", #"{"a":1}"#)).isUnsent(at: Given.at(9)))
    }

    @Test("A refusal is over after an hour, or when its time lies ahead")
    func refusal() {
        let refused = Given.marked(changed, refused: 100)
        #expect(!refused.isDirty(at: Given.at(100)))
        #expect(!refused.isDirty(at: Given.at(3699)))
        #expect(refused.isDirty(at: Given.at(3700)))
        #expect(refused.isDirty(at: Given.at(99)))
    }

    @Test("A deletion without a document on the server is never pushed, and goes at the end of a pull")
    func needless() {
        for copy in [nil, Given.tombstone("1-a")] {
            var item = Given.item(copy, edit: .deletion)
            #expect(!item.isDirty(at: Given.at(9)) && item.isUnsent(at: Given.at(9)) && !item.isGone)
            item.endPull(bringsDeletion: false)
            #expect(item.isGone)
        }
    }

    @Test("The end of a pull ends waits, and with any deletion also refusals, but no hold")
    func endOfPull() {
        var item = Given.marked(changed, held: true, refused: 6, waits: true, unsure: true)
        item.endPull(bringsDeletion: false)
        #expect(item == Given.marked(changed, held: true, refused: 6, unsure: true))
        item.endPull(bringsDeletion: true)
        #expect(item == Given.marked(changed, held: true, unsure: true))
    }

    @Test("An item with a part, an edit or a document is not gone")
    func gone() {
        #expect(Given.item().isGone && Given.item(Given.tombstone("1-a")).isGone)
        #expect(!Given.item(part: .deletion).isGone)
        #expect(!Given.item(edit: .deletion).isGone)
        #expect(!Given.item(Given.copy("1-a", "{}")).isGone)
    }
}
