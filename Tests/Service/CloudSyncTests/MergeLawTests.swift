import CloudSync
import Foundation
import NeuroViewsJSON
import Testing

/// The laws of the merge, for any documents. A failure's message has its seed. `NEUROVIEWS_MERGE_SEED` sets the first
/// seed.
@Suite("Laws of the merge, with 1,000 random documents")
struct MergeLawTests {
    private static let first = ProcessInfo.processInfo.environment["NEUROVIEWS_MERGE_SEED"].flatMap { Int($0) } ?? 1

    private func forAll(_ check: (MergeInput, ConfigurationMerge, Comment) throws -> Void) throws {
        for seed in Self.first..<Self.first + 1000 {
            var random = RandomMerge(seed: seed)
            let input = random.input()
            try check(input, input.merged(), "NEUROVIEWS_MERGE_SEED=\(seed)")
        }
    }

    /// The places of all object members in the documents.
    private func places(_ documents: [JSONObject]) -> Set<JSONPointer> {
        var found: Set<JSONPointer> = []
        func walk(_ object: JSONObject, _ pointer: JSONPointer) {
            for member in object.members {
                let place = pointer.appending(member: member.name)
                found.insert(place)
                if let object = member.value.object { walk(object, place) }
            }
        }
        for document in documents { walk(document, JSONPointer()) }
        return found
    }

    private func value(_ pointer: JSONPointer, _ document: JSONObject) -> JSONValue? {
        pointer.evaluate(in: .object(document))
    }

    /// The conflict at a place or above it.
    private func conflict(over place: JSONPointer, in merge: ConfigurationMerge) -> MergeConflict? {
        merge.conflicts.first { conflict in
            place.tokens.count >= conflict.pointer.tokens.count
                && zip(place.tokens, conflict.pointer.tokens).allSatisfy { $0.utf8.elementsEqual($1.utf8) }
        }
    }

    private static let own: [JSONPointer] = ["/id", "/created_at", "/modified_at"].compactMap { JSONPointer($0) }

    @Test("A merge is deterministic")
    func deterministic() throws {
        try forAll { input, merge, seed in
            let again = try input.merged()
            #expect(again.text == merge.text, seed)
            #expect(again.conflicts == merge.conflicts, seed)
        }
    }

    @Test("A merge is symmetric to the byte")
    func symmetric() throws {
        try forAll { input, merge, seed in
            let mirrored = try input.swapped.merged()
            #expect(mirrored.text == merge.text, seed)
            #expect(mirrored.conflicts.map(\.pointer) == merge.conflicts.map(\.pointer), seed)
            for (one, other) in zip(merge.conflicts, mirrored.conflicts) {
                #expect((one.mine, one.theirs) == (other.theirs, other.mine), seed)
                #expect(one.winner != other.winner, seed)
            }
        }
    }

    @Test("A merge keeps each field that one side changed, and one value of a field that both changed")
    func nothingLost() throws {
        var (oneSided, conflicting) = (0, 0)
        try forAll { input, merge, seed in
            let (base, mine, theirs) = (input.base, input.mine.document, input.theirs.document)
            for place in places([base, mine, theirs, merge.document]) where !Self.own.contains(place) {
                let values = [base, mine, theirs, merge.document].map { value(place, $0) }
                if let conflict = conflict(over: place, in: merge) {
                    conflicting += 1
                    #expect(values[3] == values[conflict.winner == .mine ? 1 : 2], seed)
                } else if values[0] == values[2] {
                    oneSided += 1
                    #expect(values[3] == values[1], "\(place) \(seed)")
                } else if values[0] == values[1] || values[1] == values[2] {
                    #expect(values[3] == values[2], "\(place) \(seed)")
                } else {
                    // Three different values without a conflict: all are objects, and the loop checks their members
                    // separately.
                    #expect([1, 2, 3].allSatisfy { values[$0]?.object != nil }, "\(place) \(seed)")
                }
            }
        }
        // Proves that the edits overlap often enough.
        #expect(oneSided > 500 && conflicting > 500)
    }

    @Test("Every merge conflict has three different values, which are those of the documents")
    func conflicts() throws {
        try forAll { input, merge, seed in
            for conflict in merge.conflicts {
                let place = conflict.pointer
                #expect(conflict.base == value(place, input.base), seed)
                #expect(conflict.mine == value(place, input.mine.document), seed)
                #expect(conflict.theirs == value(place, input.theirs.document), seed)
                #expect(conflict.mine != conflict.theirs, seed)
                #expect(conflict.base != conflict.mine && conflict.base != conflict.theirs, seed)
                #expect(!Self.own.contains(place), seed)
                let (mine, theirs) = (input.mine.editedAt, input.theirs.editedAt)
                #expect(conflict.reason == (mine == theirs ? .sameTime : .laterEdit), seed)
                if mine != theirs { #expect(conflict.winner == (mine > theirs ? .mine : .theirs), seed) }
            }
        }
    }

    @Test("A repeated merge changes nothing, with any base and on either side")
    func idempotent() throws {
        try forAll { input, merge, seed in
            let (mine, theirs) = (input.mine, input.theirs)
            let result = ConfigurationMerge.Edit(merge.document, editedAt: max(mine.editedAt, theirs.editedAt))
            let again = [
                MergeInput(base: input.base, mine: mine, theirs: result),
                MergeInput(base: input.base, mine: result, theirs: theirs),
                MergeInput(base: theirs.document, mine: result, theirs: theirs),
                MergeInput(base: mine.document, mine: mine, theirs: result),
                MergeInput(base: input.base, mine: result, theirs: result),
            ]
            for (number, input) in again.enumerated() {
                let once = try input.merged()
                #expect(once.document == merge.document, "\(number) \(seed)")
            }
        }
    }

    @Test("A merge with an unchanged side returns the other side to the byte")
    func neutral() throws {
        try forAll { input, _, seed in
            let (base, mine) = (input.base, input.mine)
            let unchanged = ConfigurationMerge.Edit(base, editedAt: input.theirs.editedAt)
            let merge = try MergeInput(base: base, mine: mine, theirs: unchanged).merged()
            #expect(merge.document == mine.document, seed)
            #expect(merge.conflicts.isEmpty, seed)
            let mirrored = try MergeInput(base: base, mine: unchanged, theirs: mine).merged()
            #expect(mirrored.text == merge.text, seed)
        }
    }

    @Test("Every number of a merge keeps the spelling of one of the three documents")
    func spelling() throws {
        try forAll { input, merge, seed in
            let sources = [input.base, input.mine.document, input.theirs.document]
            for place in places([merge.document]) {
                guard let literal = value(place, merge.document)?.number?.literal else { continue }
                #expect(sources.contains { value(place, $0)?.number?.literal == literal }, "\(place) \(seed)")
            }
        }
    }
}
