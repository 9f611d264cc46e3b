/// One of the two who edited the same document.
public enum MergeSide: Sendable {
    /// The one who asks for the merge.
    case mine
    /// The one whose edit stands already.
    case theirs
}

/// A value that both sides changed, each in another way.
public struct MergeConflict: Sendable, Equatable {
    /// Why one side's value stands in the result.
    public enum Reason: Sendable {
        /// Its edit is the later one.
        case laterEdit
        /// Both edits have the same time: the greater canonical text stands, and any value before none.
        case sameTime
    }

    /// Where the value is.
    public let pointer: JSONPointer
    /// What both began from; nil when there was nothing.
    public let base: JSONValue?
    /// My value; nil when I removed it.
    public let mine: JSONValue?
    /// Their value; nil when they removed it.
    public let theirs: JSONValue?
    /// Whose value stands in the result.
    public let winner: MergeSide
    /// Why.
    public let reason: Reason
}

/// More values are in conflict than a merge may leave to a rule.
public struct TooManyConflicts: Error, Sendable, Equatable {
    /// How many are allowed.
    public let conflictsMax: Int
}
