import NeuroViewsJSON

/// A three-way merge of a configuration: the rules of `ThreeWayMerge`, and own rules for three members. These three are
/// never in conflict. `id` is the base's. `modified_at` is the later one. `created_at` is taken from the side that
/// changed it; if both did, it is the earlier one. A removal of `created_at` is ignored. Pure: uses no database and no
/// clock.
package struct ConfigurationMerge: Sendable {
    /// One side's edit of the base.
    package struct Edit: Sendable {
        /// The whole document.
        package let document: JSONObject
        /// The time of the edit: its `modified_at`, or the time of arrival if that is earlier.
        package let editedAt: Timestamp

        /// Takes the document and the time.
        package init(_ document: JSONObject, editedAt: Timestamp) {
            self.document = document
            self.editedAt = editedAt
        }
    }

    /// The merged document. The caller must validate it against the schema.
    package let document: JSONObject
    /// The values that both sides changed differently.
    package let conflicts: [MergeConflict]

    /// Merges two edits of `base`. If one side changed nothing, the other side's document is the result. Throws when
    /// more than `conflictsMax` values are in conflict.
    package init(base: JSONObject, mine: Edit, theirs: Edit, conflictsMax: Int) throws(TooManyConflicts) {
        if mine.document == base || theirs.document == base {
            let isMine = theirs.document == base && mine.document != base
            document = isMine ? mine.document : mine.document == theirs.document ? base : theirs.document
            conflicts = []
            return
        }
        // A member with the same value on all sides needs no merge.
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

    /// A total order of all values, so that the order of the sides does not matter. Times are compared as times, then
    /// as text. Values that are no times come first.
    private static func precedes(_ left: JSONValue, _ right: JSONValue) -> Bool {
        let (leftTime, rightTime) = (time(left), time(right))
        if leftTime != rightTime { return leftTime < rightTime }
        return left.canonical().lexicographicallyPrecedes(right.canonical())
    }

    private static func time(_ value: JSONValue) -> Int {
        value.string.flatMap { Timestamp($0) }?.microseconds ?? .min
    }
}
