import NeuroViewsJSON

/// The laws of the three-way merge and of merge patches. Input: a JSON array of base, mine, theirs, and optionally a
/// number for the later edit (1: mine, 2: theirs). The patch is mine, applied to base.
enum MergeTarget {
    static func check(_ bytes: [UInt8]) throws {
        guard case .success(let input) = try JSONParserTarget.parse(bytes, .requestBody), let values = input.array,
            values.count >= 3
        else { return }
        try checkPatch(values[0], values[1])
        let number = values.count > 3 ? values[3].number?.int64 : nil
        let newer: MergeSide? = number == 1 ? .mine : number == 2 ? .theirs : nil
        try checkMerge(values[0], values[1], values[2], newer)
    }

    private static func checkPatch(_ value: JSONValue, _ patch: JSONValue) throws {
        let once = value.applying(mergePatch: patch)
        try property("a patch applied again changes nothing", once.applying(mergePatch: patch) == once)
    }

    private static func checkMerge(
        _ base: JSONValue,
        _ mine: JSONValue,
        _ theirs: JSONValue,
        _ newer: MergeSide?
    ) throws {
        func merged(_ base: JSONValue, _ mine: JSONValue, _ theirs: JSONValue, _ newer: MergeSide?) -> ThreeWayMerge? {
            try? ThreeWayMerge(base: base, mine: mine, theirs: theirs, newer: newer, conflictsMax: 1000)
        }
        guard let merge = merged(base, mine, theirs, newer) else { return }
        let result = merge.result
        let swapped = newer.map { $0 == .mine ? MergeSide.theirs : .mine }
        let mirrored = merged(base, theirs, mine, swapped)?.result.serialized()
        try property("sides don't matter", mirrored == result.serialized())
        // The merge result has the time of the later edit.
        let again = [
            merged(base, mine, result, newer == .mine ? nil : newer),
            merged(base, result, theirs, newer == .theirs ? nil : newer),
            merged(theirs, result, theirs, newer), merged(mine, mine, result, newer),
        ]
        for (number, again) in again.enumerated() {
            try property("merging again (\(number)) changes nothing", again?.result == result)
        }
        try property("who changed nothing leaves the other's", merged(base, mine, base, newer)?.result == mine)
        for conflict in merge.conflicts {
            let pointer = conflict.pointer
            try property("a conflict has their value", pointer.evaluate(in: theirs) == conflict.theirs)
            try property("a conflict has my value", pointer.evaluate(in: mine) == conflict.mine)
            let won = conflict.winner == .mine ? conflict.mine : conflict.theirs
            try property("a conflict's winner stands there", pointer.evaluate(in: result) == won)
        }
    }
}
