import JSON

/// A three-way merge of a configuration: the rules of `ThreeWayMerge`, and three members with rules of their own, which are
/// never in conflict. `id` is the base's. `modified_at` is the later one. `created_at` goes with the side that changed it,
/// and is the earlier one when both did; removing it counts for nothing. Pure: it knows no database and no clock.
public struct ConfigurationMerge: Sendable {
    /// What one side made of the base.
    public struct Edit: Sendable {
        /// The whole document.
        public let document: JSONObject
        /// When it was edited: its `modified_at`, or when it was received where that is earlier.
        public let editedAt: Timestamp

        /// Names document and time.
        public init(_ document: JSONObject, editedAt: Timestamp) {
            self.document = document
            self.editedAt = editedAt
        }
    }

    /// The merged document. Whether the schema accepts it is for the caller to see.
    public let document: JSONObject
    /// What both sides changed differently.
    public let conflicts: [MergeConflict]

    /// Merges two edits of `base`; a side that changed nothing at all leaves the other as it is. Throws when more than
    /// `conflictsMax` values are in conflict.
    public init(base: JSONObject, mine: Edit, theirs: Edit, conflictsMax: Int) throws(TooManyConflicts) {
        if mine.document == base || theirs.document == base {
            let isMine = theirs.document == base && mine.document != base
            document = isMine ? mine.document : mine.document == theirs.document ? base : theirs.document
            conflicts = []
            return
        }
        // Given the same value on all sides, a member has nothing to merge.
        let settled = Self.settled(base, mine.document, theirs.document)
        func settle(_ document: JSONObject) -> JSONValue {
            .object(settled.reduce(into: document) { $0.set($1.name, to: $1.value) })
        }
        let merge = try ThreeWayMerge(
            base: settle(base),
            mine: settle(mine.document),
            theirs: settle(theirs.document),
            newer: Self.newer(mine, theirs),
            conflictsMax: conflictsMax
        )
        document = merge.result.object ?? theirs.document
        conflicts = merge.conflicts
    }

    private static func newer(_ mine: Edit, _ theirs: Edit) -> MergeSide? {
        mine.editedAt == theirs.editedAt ? nil : mine.editedAt > theirs.editedAt ? .mine : .theirs
    }

    /// The three members that have rules of their own.
    private static func settled(_ base: JSONObject, _ mine: JSONObject, _ theirs: JSONObject) -> [JSONObject.Member] {
        let id = base["id"] ?? later(mine["id"], theirs["id"])
        let createdAt = createdAt(base["created_at"], mine["created_at"], theirs["created_at"])
        let modifiedAt = later(mine["modified_at"], theirs["modified_at"])
        return [("id", id), ("created_at", createdAt), ("modified_at", modifiedAt)].compactMap { name, value in
            value.map { JSONObject.Member(name: name, value: $0) }
        }
    }

    private static func createdAt(_ base: JSONValue?, _ mine: JSONValue?, _ theirs: JSONValue?) -> JSONValue? {
        guard let mine, let theirs else { return mine ?? theirs }
        if mine == base { return theirs }
        if theirs == base { return mine }
        return precedes(mine, theirs) ? mine : theirs
    }

    private static func later(_ mine: JSONValue?, _ theirs: JSONValue?) -> JSONValue? {
        guard let mine, let theirs else { return mine ?? theirs }
        return precedes(mine, theirs) ? theirs : mine
    }

    /// One order of all values, so that it does not matter which side is asked first: times by what they mean, then by
    /// their text; what is no time comes before.
    private static func precedes(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let (leftTime, rightTime) = (time(left), time(right))
        if leftTime != rightTime { return leftTime < rightTime }
        return left.canonical().lexicographicallyPrecedes(right.canonical())
    }

    private static func time(_ value: JSONValue) -> Int {
        value.string.flatMap { Timestamp($0) }?.microseconds ?? .min
    }
}
