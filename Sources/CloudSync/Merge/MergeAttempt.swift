import JSON

/// What a document makes together with a version that stands here. Pure: the same of the same, so that a retry is answered as the first
/// try was.
struct MergeAttempt {
    /// More conflicts are not left to a rule.
    private static let conflictsMax = 1000

    /// The version that has the outcome, or that the document is merged with.
    let stored: StoredVersion
    /// What is to be written; nil when the stored version has the outcome.
    let document: ConfigurationDocument?
    /// What both sides changed differently.
    let conflicts: [MergeConflict]
    /// Whether the same request has made the stored version.
    private let isRetry: Bool

    /// Nil when there is nothing to merge, or no way to: the write is answered as one that asked for no merge.
    init?(
        of mine: ConfigurationDocument,
        _ base: VersionTag,
        on standing: Standing,
        _ rules: DocumentRules
    ) {
        guard let ancestor = standing.version(base)?.value?.object, standing.current.tag != base,
            let own = mine.members
        else { return nil }
        // Mine came later than theirs, so that its time of arrival can't change which one is the earlier.
        let mine = ConfigurationMerge.Edit(own, editedAt: mine.modifiedAt)
        if let made = standing.made {
            // What replaced the base itself was stored as it was sent.
            guard made.tag.number > base.number + 1, made.text != nil, let theirs = standing.predecessor(of: made),
                let merge = Self.merge(mine, ancestor, theirs)
            else { return nil }
            (stored, document, conflicts, isRetry) = (made, nil, merge.conflicts, true)
            return
        }
        isRetry = false
        // One that changed nothing made no version: it is known by a version that is its own outcome.
        for theirs in standing.versions(since: base) {
            guard let merge = Self.merge(mine, ancestor, theirs), merge.document == theirs.value?.object else {
                continue
            }
            (stored, document, conflicts) = (theirs, nil, merge.conflicts)
            return
        }
        guard !standing.current.isDeleted, let merge = Self.merge(mine, ancestor, standing.current),
            let made = try? rules.document(.object(merge.document))
        else { return nil }
        (stored, document, conflicts) = (standing.current, made, merge.conflicts)
    }

    /// Nil without their document, and with conflicts that can't be told to the client. The outcome has their spelling of the id.
    private static func merge(
        _ mine: ConfigurationMerge.Edit,
        _ base: JSONObject,
        _ theirs: StoredVersion
    ) -> (document: JSONObject, conflicts: [MergeConflict])? {
        guard let stored = theirs.value?.object,
            let merge = try? ConfigurationMerge(
                base: base,
                mine: mine,
                theirs: .init(stored, editedAt: theirs.editedAt),
                conflictsMax: conflictsMax
            ),
            merge.conflicts.allSatisfy({ $0.pointer == $0.pointer.bounded() })
        else { return nil }
        var document = merge.document
        if let id = stored["id"] { document.set("id", to: id) }
        return (document, merge.conflicts)
    }

    /// Whether something of mine is lost now: it is not in the outcome, and was not kept before.
    var hasLoss: Bool { !isRetry && conflicts.contains { $0.winner == .theirs } }
}
