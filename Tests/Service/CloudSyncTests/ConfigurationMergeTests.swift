import CloudSync
import NeuroViewsJSON
import Testing

/// The input of a merge: two edits and their base.
struct MergeInput {
    let base: JSONObject
    let mine: ConfigurationMerge.Edit
    let theirs: ConfigurationMerge.Edit

    var swapped: MergeInput { MergeInput(base: base, mine: theirs, theirs: mine) }

    func merged() throws -> ConfigurationMerge {
        try ConfigurationMerge(base: base, mine: mine, theirs: theirs, conflictsMax: 1000)
    }
}

extension ConfigurationMerge {
    var text: String { String(decoding: JSONValue.object(document).serialized(), as: UTF8.self) }
}

@Suite("The three-way merge of configurations")
struct ConfigurationMergeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let cells: [String]
        var testDescription: String { cells[0] }
    }

    static let rows = MergeTable.text.split(separator: "\n").map { line in
        // If the last cell is empty, the line ends with the separator.
        Row(cells: (line + " ").split(separator: " | ").map(String.init))
    }

    static func object(_ text: String) throws -> JSONObject {
        try #require(JSONParser.parse(Array(text.utf8), policy: .requestBody).object)
    }

    private func input(_ row: Row) throws -> MergeInput {
        let seconds = ["mine": (2, 1), "theirs": (1, 2), "-": (1, 1)]
        let (mine, theirs) = try #require(seconds[row.cells[4]])
        return MergeInput(
            base: try Self.object(row.cells[1]),
            mine: .init(try Self.object(row.cells[2]), editedAt: Timestamp(seconds: mine)),
            theirs: .init(try Self.object(row.cells[3]), editedAt: Timestamp(seconds: theirs))
        )
    }

    private func conflicts(_ merge: ConfigurationMerge) -> String {
        merge.conflicts.map { "\($0.pointer) \($0.winner)" }.joined(separator: ", ")
    }

    @Test("A merge gives the table's result, with either side as mine", arguments: rows)
    func table(row: Row) throws {
        let input = try input(row)
        let merge = try input.merged()
        #expect(merge.text == row.cells[5].trimming(" |"))
        let expected = row.cells.count > 6 ? row.cells[6].trimming(" ") : ""
        #expect(conflicts(merge) == expected)

        let mirrored = try input.swapped.merged()
        #expect(mirrored.text == merge.text)
        #expect(mirrored.conflicts.map(\.pointer) == merge.conflicts.map(\.pointer))
        for (one, other) in zip(merge.conflicts, mirrored.conflicts) { #expect(one.winner != other.winner) }
    }

    @Test("A merge conflict has the values of base, mine and theirs, and the winner's reason", arguments: rows)
    func values(row: Row) throws {
        let input = try input(row)
        for conflict in try input.merged().conflicts {
            #expect(conflict.base == conflict.pointer.evaluate(in: .object(input.base)))
            #expect(conflict.mine == conflict.pointer.evaluate(in: .object(input.mine.document)))
            #expect(conflict.theirs == conflict.pointer.evaluate(in: .object(input.theirs.document)))
            #expect(conflict.reason == (row.cells[4] == "-" ? .sameTime : .laterEdit))
        }
    }

    @Test("The table of merges has at least 40 cases with distinct names")
    func complete() {
        #expect(Self.rows.count >= 40)
        #expect(Set(Self.rows.map(\.cells[0])).count == Self.rows.count)
    }

    @Test("A merge stops at the first conflict over the limit")
    func tooMany() throws {
        func edit(_ value: Int) throws -> ConfigurationMerge.Edit {
            let members = (0..<6).map { "\"\($0)\":\(value)" }.joined(separator: ",")
            return .init(try Self.object("{\(members)}"), editedAt: Timestamp(seconds: value))
        }
        let input = (base: try edit(0).document, mine: try edit(1), theirs: try edit(2))
        #expect(throws: TooManyConflicts.self) {
            try ConfigurationMerge(base: input.base, mine: input.mine, theirs: input.theirs, conflictsMax: 5)
        }
        let merge = try ConfigurationMerge(base: input.base, mine: input.mine, theirs: input.theirs, conflictsMax: 6)
        #expect(merge.conflicts.count == 6)
    }
}

extension String {
    fileprivate func trimming(_ characters: String) -> String {
        let kept = drop { characters.contains($0) }
        return String(kept.reversed().drop { characters.contains($0) }.reversed())
    }
}
