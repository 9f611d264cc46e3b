import NeuroViewsJSON
import NeuroViewsRules
import Testing

@Suite("Rebases")
struct RebaseTests {
    private struct Rebased: Equatable {
        var edit: Edit?
        var lost: [Loss]
    }

    /// The old copy is of second 0, the rebase of second 20.
    private func rebase(
        _ mine: String,
        _ times: [String: Int64],
        from before: String,
        onto theirs: String,
        at second: Int64,
        latest: Int64? = nil,
        unsure: Bool = false
    ) -> Rebased {
        let changed = Given.item(Given.copy("1-a", before), edit: Given.edit(mine, at: 5, times))
        var item = Given.marked(changed, unsure: unsure)
        let copy = Given.copy("2-b", theirs, at: second)
        let lost = item.arrive(copy, inFullSet: false, latest: latest.map { Given.at($0) }, at: Given.at(20))
        return Rebased(edit: item.edit, lost: lost)
    }

    @Test("An equal value leaves the edit, which is clean without members")
    func equal() {
        let rebased = rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":2.0}"#, at: 9)
        #expect(rebased == Rebased(edit: nil, lost: []))
    }

    @Test("A value that others did not change gives way to mine, though theirs is the later document")
    func unchanged() {
        let rebased = rebase(#"{"a":2,"b":1}"#, ["/a": 5], from: #"{"a":1,"b":1}"#, onto: #"{"a":1,"b":9}"#, at: 9)
        #expect(rebased == Rebased(edit: Given.edit(#"{"a":2,"b":9}"#, at: 20, ["/a": 5]), lost: []))
    }

    @Test("In a conflict the later value stays, and theirs at the same time; the other is lost")
    func conflict() {
        func rebased(_ second: Int64) -> Rebased {
            rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":3}"#, at: second)
        }
        let mine = Rebased(edit: Given.edit(#"{"a":2}"#, at: 20, ["/a": 5]), lost: [Given.lostMember("/a", "3")])
        #expect(rebased(4) == mine)
        #expect(rebased(5) == Rebased(edit: nil, lost: [Given.lostMember("/a", "2")]))
        #expect(rebased(6) == Rebased(edit: nil, lost: [Given.lostMember("/a", "2")]))
    }

    @Test("A rebased document has whole seconds, and a member the later time within the second of theirs")
    func wholeSeconds() {
        let now = Instant(seconds: Given.at(5).seconds, microseconds: 431_000)
        var members = Members()
        members.note(Given.pointer("/a"), now)
        var item = Given.item(Given.copy("1-a", #"{"a":1}"#))
        item.edit = Edit.document(Given.document(#"{"a":2}"#, at: 5), members)
        let lost = item.arrive(Given.copy("2-b", #"{"a":3}"#, at: 5), inFullSet: false, latest: nil, at: now)
        #expect(lost == [Given.lostMember("/a", "3")])
        #expect(item.edit == Edit.document(Given.document(#"{"a":2}"#, at: 5), members))
    }

    @Test("Their time counts no later than the server's, so a clock that is ahead does not win")
    func clockAhead() {
        func rebased(_ latest: Int64) -> Rebased {
            rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":3}"#, at: 500_000, latest: latest)
        }
        #expect(rebased(4).lost == [Given.lostMember("/a", "3")])
        #expect(rebased(5).lost == [Given.lostMember("/a", "2")])
        let early = rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":3}"#, at: 4, latest: 9)
        #expect(early.lost == [Given.lostMember("/a", "3")])
    }

    @Test("A missing value is a value: removals meet changes by the same rules")
    func missing() {
        let kept = rebase(#"{}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":1,"b":2}"#, at: 9)
        #expect(kept == Rebased(edit: Given.edit(#"{"b":2}"#, at: 20, ["/a": 5]), lost: []))
        let lost = rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{}"#, at: 4)
        #expect(lost == Rebased(edit: Given.edit(#"{"a":2}"#, at: 20, ["/a": 5]), lost: [Given.lostMember("/a", nil)]))
        let both = rebase(#"{}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{}"#, at: 9)
        #expect(both == Rebased(edit: nil, lost: []))
    }

    @Test("Beside an unsure item every different value is a conflict")
    func unsure() {
        let rebased = rebase(#"{"a":2}"#, ["/a": 5], from: #"{"a":1}"#, onto: #"{"a":1}"#, at: 9, unsure: true)
        #expect(rebased == Rebased(edit: nil, lost: [Given.lostMember("/a", "2")]))
    }

    @Test("A member without an object above it moves to its nearest parent, with the later time")
    func moved() {
        let mine = #"{"o":{"x":2,"y":{"z":2}}}"#
        let before = #"{"o":{"x":1,"y":{"z":1}}}"#
        let rebased = rebase(mine, ["/o/x": 5, "/o/y/z": 8], from: before, onto: #"{"o":7}"#, at: 7)
        let edit = Given.edit(mine, at: 20, ["/o": 8])
        #expect(rebased == Rebased(edit: edit, lost: [Given.lostMember("/o", "7")]))
    }

    @Test("Members that others added stay beside mine, also in one object")
    func siblings() {
        let rebased = rebase(
            #"{"o":{"x":2}}"#,
            ["/o/x": 5],
            from: #"{"o":{"x":1}}"#,
            onto: #"{"o":{"x":1,"new":[1]},"more":null}"#,
            at: 9
        )
        let edit = Given.edit(#"{"o":{"x":2,"new":[1]},"more":null}"#, at: 20, ["/o/x": 5])
        #expect(rebased == Rebased(edit: edit, lost: []))
    }

    @Test("Members with names that differ by their bytes alone are rebased apart")
    func bytes() {
        let changed = Given.edit("{\"\u{e9}\":2,\"e\u{301}\":1}", at: 5, [:])
        var members = Members()
        members.note(JSONPointer().appending(member: "\u{e9}"), Given.at(5))
        var item = Given.item(Given.copy("1-a", "{\"\u{e9}\":1,\"e\u{301}\":1}"))
        item.edit = changed.document.map { Edit.document($0, members) }
        let copy = Given.copy("2-b", "{\"\u{e9}\":1,\"e\u{301}\":9}", at: 9)
        let lost = item.arrive(copy, inFullSet: false, latest: nil, at: Given.at(20))
        #expect(lost == [])
        #expect(item.shown == Given.document("{\"\u{e9}\":2,\"e\u{301}\":9}", at: 20))
    }

    @Test("A document whose time can't be read counts as the earlier one")
    func unreadableTime() {
        var item = Given.item(Given.copy("1-a", #"{"a":1}"#), edit: Given.edit(#"{"a":2}"#, at: 5, ["/a": 5]))
        let copy = Copy(tag: "2-b", document: Document(Given.json(#"{"a":3,"modified_at":7}"#)))
        let lost = item.arrive(copy, inFullSet: false, latest: Given.at(9), at: Given.at(20))
        #expect(lost == [Given.lostMember("/a", "3")])
    }
}
