import NeuroViewsJSON

/// The merge of a document with a stored version. Pure: the same input gives the same result, so a retry gets the
/// response of the first try.
struct MergeAttempt {
    /// With more conflicts than this, nothing is merged.
    private static let conflictsMax = 1000

    /// The version that is the outcome already, or the version to merge with.
    let stored: StoredVersion
    /// The document to write; nil when the stored version is the outcome.
    let document: ConfigurationDocument?
    /// The values that both sides changed differently.
    let conflicts: [MergeConflict]
    /// True if the same request has made the stored version.
    private let isRetry: Bool

    /// Nil when there is nothing to merge, or no way to merge. The write is then answered like one without a merge.
    init?(
        of mine: ConfigurationDocument,
        _ base: VersionTag,
        on sources: ItemSources,
        _ rules: DocumentRules
    ) {
        guard let ancestor = sources.version(base)?.value?.object, sources.current.tag != base,
            let own = mine.members
        else { return nil }
        // Mine arrived after theirs, whose time was limited when it was stored. So to limit the time of mine would not
        // change which edit is the later one.
        let mine = ConfigurationMerge.Edit(own, editedAt: mine.modifiedAt)
        if let made = sources.made {
            // A version that directly replaced the base was stored as sent, without a merge.
            guard made.tag.number > base.number + 1, made.text != nil, let theirs = sources.predecessor(of: made),
                let merge = Self.merge(mine, ancestor, theirs)
            else { return nil }
            (stored, document, conflicts, isRetry) = (made, nil, merge.conflicts, true)
            return
        }
        isRetry = false
        // A request that changed nothing made no version. It is recognised by a version that equals its merge outcome.
        for theirs in sources.versions(since: base) {
            guard let merge = Self.merge(mine, ancestor, theirs), merge.document == theirs.value?.object else {
                continue
            }
            (stored, document, conflicts) = (theirs, nil, merge.conflicts)
            return
        }
        guard !sources.current.isDeleted, let merge = Self.merge(mine, ancestor, sources.current),
            let made = try? rules.document(.object(merge.document))
        else { return nil }
        (stored, document, conflicts) = (sources.current, made, merge.conflicts)
    }

    /// Nil if their document is gone, or if a conflict's pointer is too long for a response. The outcome keeps their
    /// spelling of the id.
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

    /// True if a value of mine is lost now: it is not in the outcome, and no earlier try stored it.
    var hasLoss: Bool { !isRetry && conflicts.contains { $0.winner == .theirs } }
}
