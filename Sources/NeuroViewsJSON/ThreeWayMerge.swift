/// A merge of two edits of one document. It depends only on the document and both results: no clock, no memory.
///
/// Members of objects merge one by one at any depth; arrays and scalars change as a whole. A change of one
/// side is applied, even a removal. Equal changes of both sides are no conflict; different ones are, and
/// the later edit wins. Values are compared by their meaning (`1.0` is `1`) and keep their spelling;
/// unchanged values keep the text of the base.
///
/// The result does not depend on the side that is called mine: the members of the base keep its order, the others
/// follow by name. Merging the result with either side again, or with the same base, changes nothing.
public struct ThreeWayMerge: Sendable {
    /// The merged document.
    public let result: JSONValue
    /// The values that both sides changed differently, in the order of the result's members.
    public let conflicts: [MergeConflict]

    /// Merges. `newer` is the side with the later edit, nil when both have the same time. Throws when there
    /// are more than `conflictsMax` conflicts.
    public init(
        base: JSONValue,
        mine: JSONValue,
        theirs: JSONValue,
        newer: MergeSide?,
        conflictsMax: Int
    ) throws(TooManyConflicts) {
        var walk = MergeWalk(newer: newer, conflictsMax: conflictsMax)
        let merged = try walk.value(Sides(base, mine, theirs), at: JSONPointer())
        // Three values never merge to none: only a value that a side lacks can be absent.
        result = merged ?? theirs
        conflicts = walk.conflicts
    }
}

/// The values at one place of the three documents.
private struct Sides {
    let base: JSONValue?
    let mine: JSONValue?
    let theirs: JSONValue?

    init(_ base: JSONValue?, _ mine: JSONValue?, _ theirs: JSONValue?) {
        self.base = base
        self.mine = mine
        self.theirs = theirs
    }
}

/// The equal ones among three values. For objects it is derived from their members: comparing them again at each depth
/// would cost the depth times the size.
private struct Agreement {
    var mineIsBase = true
    var theirsIsBase = true
    var isSame = true

    /// For members: they agree until something differs.
    init() {}

    init(_ sides: Sides) {
        mineIsBase = sides.mine == sides.base
        theirsIsBase = sides.theirs == sides.base
        isSame = mineIsBase ? theirsIsBase : !theirsIsBase && sides.mine == sides.theirs
    }

    var isNone: Bool { !mineIsBase && !theirsIsBase && !isSame }

    mutating func take(_ member: Agreement) {
        mineIsBase = mineIsBase && member.mineIsBase
        theirsIsBase = theirsIsBase && member.theirsIsBase
        isSame = isSame && member.isSame
    }
}

/// The walk over all three documents at once.
private struct MergeWalk {
    /// The result for one place.
    struct Outcome {
        let sides: Sides
        let agreement: Agreement
        /// The merged value of sides that all differ.
        let made: JSONValue?
    }

    let newer: MergeSide?
    let conflictsMax: Int
    var conflicts: [MergeConflict] = []

    init(newer: MergeSide?, conflictsMax: Int) {
        self.newer = newer
        self.conflictsMax = conflictsMax
    }

    mutating func value(_ sides: Sides, at pointer: JSONPointer) throws(TooManyConflicts) -> JSONValue? {
        value(try outcome(sides, at: pointer))
    }

    private mutating func outcome(_ sides: Sides, at pointer: JSONPointer) throws(TooManyConflicts) -> Outcome {
        guard let mine = sides.mine?.object, let theirs = sides.theirs?.object else {
            let agreement = Agreement(sides)
            let made = agreement.isNone ? try resolve(sides, at: pointer) : nil
            return Outcome(sides: sides, agreement: agreement, made: made)
        }
        return try members(sides, mine, theirs, at: pointer)
    }

    private mutating func members(
        _ sides: Sides,
        _ mine: JSONObject,
        _ theirs: JSONObject,
        at pointer: JSONPointer
    ) throws(TooManyConflicts) -> Outcome {
        let base = sides.base?.object ?? JSONObject()
        var agreement = Agreement()
        let hasBase = sides.base?.object != nil
        (agreement.mineIsBase, agreement.theirsIsBase) = (hasBase, hasBase)
        var outcomes: [(name: String, outcome: Outcome)] = []
        for name in Self.names(base, mine, theirs) {
            let member = Sides(base[name], mine[name], theirs[name])
            let outcome = try outcome(member, at: pointer.appending(member: name))
            agreement.take(outcome.agreement)
            outcomes.append((name, outcome))
        }
        guard agreement.isNone else { return Outcome(sides: sides, agreement: agreement, made: nil) }
        let merged = outcomes.compactMap { name, outcome in
            value(outcome).map { JSONObject.Member(name: name, value: $0) }
        }
        return Outcome(sides: sides, agreement: agreement, made: .object(JSONObject(merged)))
    }

    /// Nil if it was removed.
    private func value(_ outcome: Outcome) -> JSONValue? {
        let (sides, agreement) = (outcome.sides, outcome.agreement)
        if agreement.isSame { return agreement.mineIsBase ? sides.base : spelling(sides.mine, sides.theirs) }
        if agreement.mineIsBase { return sides.theirs }
        return agreement.theirsIsBase ? sides.mine : outcome.made
    }

    /// The base's names in its order, then the added ones, by their bytes.
    private static func names(_ base: JSONObject, _ mine: JSONObject, _ theirs: JSONObject) -> [String] {
        var added = mine.members.map(\.name).filter { !base.contains($0) }
        added += theirs.members.map(\.name).filter { !base.contains($0) && !mine.contains($0) }
        return base.members.map(\.name) + added.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private mutating func resolve(_ sides: Sides, at pointer: JSONPointer) throws(TooManyConflicts) -> JSONValue? {
        let (mine, theirs) = (sides.mine, sides.theirs)
        guard conflicts.count < conflictsMax else { throw TooManyConflicts(conflictsMax: conflictsMax) }
        let winner = newer ?? Self.greater(mine?.canonical() ?? [], theirs?.canonical() ?? [])
        conflicts.append(
            MergeConflict(
                pointer: pointer,
                base: sides.base,
                mine: mine,
                theirs: theirs,
                winner: winner,
                reason: newer == nil ? .sameTime : .laterEdit
            )
        )
        return winner == .mine ? mine : theirs
    }

    /// Chooses between two spellings of the same value.
    private func spelling(_ mine: JSONValue?, _ theirs: JSONValue?) -> JSONValue? {
        let side = newer ?? Self.greater(mine?.serialized() ?? [], theirs?.serialized() ?? [])
        return side == .mine ? mine : theirs
    }

    private static func greater(_ mine: [UInt8], _ theirs: [UInt8]) -> MergeSide {
        mine.lexicographicallyPrecedes(theirs) ? .theirs : .mine
    }
}
