import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Answers to an item's write")
struct OutcomeTests {
    private static let copy = Given.copy("1-a", #"{"a":1,"b":1}"#)
    private static let sent = Given.edit(#"{"a":2,"b":1}"#, at: 5, ["/a": 5])
    /// The user set the other member since.
    private static let since = Given.edit(#"{"a":2,"b":3}"#, at: 7, ["/b": 7])
    private static let problem = Problem(status: 422, Given.json(#"{"type":"/problems/x"}"#).object ?? JSONObject())
    private let lostSent = Given.lostDocument(#"{"a":2,"b":1}"#, at: 5, .deletedElsewhere)

    /// The item after the answer to its part, beside what the user did since.
    private func settle(_ outcome: WriteOutcome, part: Edit = Self.sent, since: Edit?) -> (item: Item, lost: [Loss]) {
        var item = Given.marked(Given.item(Self.copy, edit: since, part: part), unsure: true)
        let lost = item.settle(outcome, at: Given.at(20))
        return (item, lost)
    }

    private func merged(_ text: String, at second: Int64, losers: [Receipt.Loser] = []) -> WriteOutcome {
        var receipt = Receipt(tag: "3-c")
        receipt.configuration = Given.document(text, at: second)
        receipt.losers = losers
        return .done(receipt)
    }

    // MARK: Done

    @Test("A write that is done leaves a clean item with the document that was sent")
    func doneNothingSince() {
        let (item, lost) = settle(.done(Receipt(tag: "2-b")), since: nil)
        #expect(item == Given.item(Given.copy("2-b", #"{"a":2,"b":1}"#, at: 5)))
        #expect(lost == [])
    }

    @Test("After a merge the copy is the merged document, and its losers are lost")
    func doneMerged() {
        let losers = [Receipt.Loser(pointer: "/a", value: Given.json("7")), Receipt.Loser(pointer: "/c", value: nil)]
        let (item, lost) = settle(merged(#"{"a":2,"b":8}"#, at: 6, losers: losers), since: nil)
        #expect(item == Given.item(Given.copy("3-c", #"{"a":2,"b":8}"#, at: 6)))
        #expect(lost == [Given.lostMember("/a", "7"), Given.lostMember("/c", nil)])
    }

    @Test("An edit made since is rebased from what was sent onto the merged document")
    func doneDocumentSince() {
        let plain = settle(.done(Receipt(tag: "2-b")), since: Self.since)
        let edit = Given.edit(#"{"a":2,"b":3}"#, at: 20, ["/b": 7])
        #expect(plain.item == Given.item(Given.copy("2-b", #"{"a":2,"b":1}"#, at: 5), edit: edit))
        #expect(plain.lost == [])
        let lost = settle(merged(#"{"a":2,"b":8}"#, at: 9), since: Self.since)
        #expect(lost.item == Given.item(Given.copy("3-c", #"{"a":2,"b":8}"#, at: 9)))
        #expect(lost.lost == [Given.lostMember("/b", "3")])
    }

    @Test("A merged document counts no later than the write, so a clock that is ahead does not win")
    func doneClockAhead() {
        var receipt = Receipt(tag: "3-c")
        receipt.configuration = Given.document(#"{"a":2,"b":8}"#, at: 500_000)
        receipt.changedAt = Given.at(5)
        #expect(settle(.done(receipt), since: Self.since).lost == [Given.lostMember("/b", "8")])
        receipt.changedAt = Given.at(6)
        #expect(settle(.done(receipt), since: Self.since).lost == [Given.lostMember("/b", "3")])
    }

    @Test("A deletion made since stays, and a merged document that nobody saw is lost")
    func doneDeletionSince() {
        let plain = settle(.done(Receipt(tag: "2-b")), since: .deletion)
        #expect(plain.item == Given.item(Given.copy("2-b", #"{"a":2,"b":1}"#, at: 5), edit: .deletion))
        #expect(plain.lost == [])
        let unseen = settle(merged(#"{"a":2,"b":8}"#, at: 6), since: .deletion)
        #expect(unseen.item == Given.item(Given.copy("3-c", #"{"a":2,"b":8}"#, at: 6), edit: .deletion))
        #expect(unseen.lost == [Given.lostDocument(#"{"a":2,"b":8}"#, at: 6, .deletedUnseen)])
    }

    @Test("A deletion that is done ends the item, and leaves what the user made or deleted since")
    func doneDeletion() {
        let done = WriteOutcome.done(Receipt(tag: "2-b"))
        #expect(settle(done, part: .deletion, since: nil).item.isGone)
        for since in [Self.since, .deletion] {
            let item = settle(done, part: .deletion, since: since).item
            #expect(item == Given.item(Given.tombstone("2-b"), edit: since))
        }
    }

    // MARK: 404 and others' deletions

    @Test("404 to a deletion is its end, and leaves what the user made or deleted since")
    func missingDeletion() {
        #expect(settle(.missing, part: .deletion, since: nil).item == Given.item())
        #expect(settle(.missing, part: .deletion, since: nil).item.isGone)
        for since in [Self.since, .deletion] {
            #expect(settle(.missing, part: .deletion, since: since).item == Given.item(edit: since))
        }
    }

    @Test("An item that others deleted goes, and the document that was sent is lost")
    func deletedNothingSince() {
        let (item, lost) = settle(.deleted(tag: "2-b", Self.problem), since: nil)
        #expect(item.isGone && item.copy == Given.tombstone("2-b"))
        #expect(lost == [lostSent])
    }

    @Test("An edit of an item that others deleted is held, as it is")
    func deletedDocumentSince() {
        let (item, lost) = settle(.deleted(tag: "2-b", Self.problem), since: Self.since)
        let held = Given.item(Given.tombstone("2-b"), edit: Self.since)
        #expect(item == Given.marked(held, held: true, unsure: true))
        #expect(lost == [lostSent])
    }

    @Test("A deletion of an item that others deleted stays until the pull ends, and is not held")
    func deletedDeletionSince() {
        let (item, lost) = settle(.deleted(tag: "2-b", Self.problem), since: .deletion)
        #expect(item.edit == .deletion && item.isNeedless && !item.isHeld)
        #expect(lost == [lostSent])
    }

    // MARK: Not applied, refused

    @Test("A write that is not applied returns its members, and the item waits")
    func notApplied() {
        let both = Given.edit(#"{"a":2,"b":3}"#, at: 7, ["/a": 5, "/b": 7])
        let cases: [(Edit, Edit?, Edit)] = [
            // sent, since, edit
            (Self.sent, nil, Self.sent), (Self.sent, Self.since, both), (Self.sent, .deletion, .deletion),
            (.deletion, nil, .deletion), (.deletion, Self.since, Self.since),
        ]
        for (sent, since, edit) in cases {
            let (item, lost) = settle(.notApplied, part: sent, since: since)
            #expect(item == Given.marked(Given.item(Self.copy, edit: edit), waits: true, unsure: true))
            #expect(lost == [])
        }
    }

    @Test("404 to a document, and others' deletion of a deleted item, are not applied")
    func missingDocument() {
        #expect(settle(.missing, since: nil).item.waits)
        let deleted = settle(.deleted(tag: "2-b", Self.problem), part: .deletion, since: nil)
        #expect(deleted.item == Given.marked(Given.item(Self.copy, edit: .deletion), waits: true, unsure: true))
        #expect(deleted.lost == [])
    }

    @Test("A refusal is a mark only if the user did nothing since")
    func refused() {
        let alone = settle(.refused(Self.problem, isCertain: true), since: nil).item
        #expect(alone.edit == Self.sent && alone.refusal == Refusal(problem: Self.problem, at: Given.at(20)))
        for since in [Self.since, .deletion] {
            let item = settle(.refused(Self.problem, isCertain: true), since: since).item
            #expect(item.edit != nil && item.refusal == nil && !item.waits)
        }
    }

    @Test("A write that is given up makes the item unsure")
    func givenUp() {
        for isCertain in [true, false] {
            var item = Given.item(Self.copy, part: Self.sent)
            #expect(item.settle(.refused(Self.problem, isCertain: isCertain), at: Given.at(20)) == [])
            #expect(item.isUnsure == !isCertain)
        }
    }

    @Test("In a restored store the members return, and each item with an edit is unsure")
    func doubt() {
        var items = [
            Given.item(Self.copy), Given.item(Self.copy, edit: Self.since), Given.item(Self.copy, part: Self.sent),
        ]
        for place in items.indices { items[place].doubt() }
        #expect(items.map(\.isUnsure) == [false, true, true])
        #expect(items.map(\.edit) == [nil, Self.since, Self.sent])
        #expect(items.allSatisfy { $0.part == nil })
    }

    @Test("A member set since takes in the returned ones below it")
    func returnedBelow() {
        let sent = Given.edit(#"{"o":{"x":2,"y":2}}"#, at: 8, ["/o/x": 5, "/o/y": 8])
        let since = Given.edit(#"{"o":{"z":1}}"#, at: 9, ["/o": 9])
        var item = Given.item(Self.copy, edit: since, part: sent)
        item.returnMembers()
        #expect(item == Given.item(Self.copy, edit: since))
    }

    @Test("Members set since below a returned one give it the latest of their times")
    func returnedAbove() {
        let sent = Given.edit(#"{"o":{"x":2,"y":2}}"#, at: 5, ["/o": 5])
        let since = Given.edit(#"{"o":{"x":3,"y":3}}"#, at: 9, ["/o/x": 9, "/o/y": 7])
        var item = Given.item(Self.copy, edit: since, part: sent)
        item.returnMembers()
        #expect(item.edit == Given.edit(#"{"o":{"x":3,"y":3}}"#, at: 9, ["/o": 9]))
    }
}
