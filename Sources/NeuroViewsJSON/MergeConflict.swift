/// One of the two editors of the same document.
public enum MergeSide: Sendable {
    /// The side that requests the merge.
    case mine
    /// The side with the stored edit.
    case theirs
}

/// A value that both sides changed differently.
public struct MergeConflict: Sendable, Equatable {
    /// The reason for the winner.
    public enum Reason: Sendable {
        /// Its edit is the later one.
        case laterEdit
        /// Both edits have the same time: the greater canonical text wins, and any value wins over none.
        case sameTime
    }

    /// The place of the value.
    public let pointer: JSONPointer
    /// The common original; nil when there was none.
    public let base: JSONValue?
    /// My value; nil if I removed it.
    public let mine: JSONValue?
    /// Their value; nil if they removed it.
    public let theirs: JSONValue?
    /// The side with the value in the result.
    public let winner: MergeSide
    /// The reason for the winner.
    public let reason: Reason
}

/// More conflicts than a merge may decide by a rule.
public struct TooManyConflicts: Error, Sendable, Equatable {
    /// The limit.
    public let conflictsMax: Int
}
