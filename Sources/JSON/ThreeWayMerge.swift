/// A merge of two edits of one document, made from it and both results alone: no clock, no memory.
///
/// Members of objects merge one by one at any depth; arrays and scalars are changed or not as a whole. What one side changed
/// is taken, a removal too. What both changed alike is no conflict; what they changed differently is one, and goes to the
/// later edit. Values are compared by what they mean (`1.0` is `1`), and kept as they were written; what nobody changed keeps
/// the text of the base.
///
/// Nothing depends on which side is called mine: the members that the base has stand in its order, the others follow by
/// name. Merging the result with either side again, or with the same base, changes nothing.
public struct ThreeWayMerge: Sendable {
    /// What both sides make together.
    public let result: JSONValue
    /// What both changed, in the order of the result's members.
    public let conflicts: [MergeConflict]

    /// Merges. `newer` is the side whose edit is the later one, nil when both have the same time. Throws when there are more
    /// than `conflictsMax` conflicts.
    public init(
        base: JSONValue,
        mine: JSONValue,
        theirs: JSONValue,
        newer: MergeSide?,
        conflictsMax: Int
    ) throws(TooManyConflicts) {
        var walk = MergeWalk(newer: newer, conflictsMax: conflictsMax)
        let merged = try walk.value(base, mine, theirs, at: JSONPointer())
        // Three values never merge to none: only what a side lacks can be absent.
        result = merged ?? theirs
        conflicts = walk.conflicts
    }
}

/// The way over all three documents at once.
private struct MergeWalk {
    let newer: MergeSide?
    let conflictsMax: Int
    var conflicts: [MergeConflict] = []

    init(newer: MergeSide?, conflictsMax: Int) {
        self.newer = newer
        self.conflictsMax = conflictsMax
    }

    mutating func value(
        _ base: JSONValue?,
        _ mine: JSONValue?,
        _ theirs: JSONValue?,
        at pointer: JSONPointer
    ) throws(TooManyConflicts) -> JSONValue? {
        if mine == theirs { return mine == base ? base : spelling(mine, theirs) }
        if mine == base { return theirs }
        if theirs == base { return mine }
        guard let mine = mine?.object, let theirs = theirs?.object else {
            return try resolve(base, mine, theirs, at: pointer)
        }
        return .object(try members(base?.object ?? JSONObject(), mine, theirs, at: pointer))
    }

    private mutating func members(
        _ base: JSONObject,
        _ mine: JSONObject,
        _ theirs: JSONObject,
        at pointer: JSONPointer
    ) throws(TooManyConflicts) -> JSONObject {
        var merged: [JSONObject.Member] = []
        for name in Self.names(base, mine, theirs) {
            let value = try self.value(base[name], mine[name], theirs[name], at: pointer.appending(member: name))
            if let value { merged.append(.init(name: name, value: value)) }
        }
        return JSONObject(merged)
    }

    /// The base's names in its order, then those that were added, by their bytes.
    private static func names(_ base: JSONObject, _ mine: JSONObject, _ theirs: JSONObject) -> [String] {
        var added = mine.members.map(\.name).filter { !base.contains($0) }
        added += theirs.members.map(\.name).filter { !base.contains($0) && !mine.contains($0) }
        return base.members.map(\.name) + added.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func resolve(
        _ base: JSONValue?,
        _ mine: JSONValue?,
        _ theirs: JSONValue?,
        at pointer: JSONPointer
    ) throws(TooManyConflicts) -> JSONValue? {
        guard conflicts.count < conflictsMax else { throw TooManyConflicts(conflictsMax: conflictsMax) }
        let winner = newer ?? Self.greater(mine?.canonical() ?? [], theirs?.canonical() ?? [])
        conflicts.append(
            MergeConflict(
                pointer: pointer,
                base: base,
                mine: mine,
                theirs: theirs,
                winner: winner,
                reason: newer == nil ? .sameTime : .laterEdit
            )
        )
        return winner == .mine ? mine : theirs
    }

    /// Which of two texts of the same value is kept.
    private func spelling(_ mine: JSONValue?, _ theirs: JSONValue?) -> JSONValue? {
        let side = newer ?? Self.greater(mine?.serialized() ?? [], theirs?.serialized() ?? [])
        return side == .mine ? mine : theirs
    }

    private static func greater(_ mine: [UInt8], _ theirs: [UInt8]) -> MergeSide {
        mine.lexicographicallyPrecedes(theirs) ? .theirs : .mine
    }
}
