import JSON

/// What a document makes together with a version that stands here. Pure: the same of the same, so that a retry finds what
/// the first try has done.
struct MergeAttempt {
    /// More conflicts are not left to a rule.
    private static let conflictsMax = 1000

    /// The version it is put together with.
    let stored: StoredVersion
    /// Whether the same was put together before.
    let isRetry: Bool
    /// What is to be written; nil when the stored one has everything.
    let document: ConfigurationDocument?
    /// What both sides changed differently.
    let conflicts: [MergeConflict]

    /// Nil when there is nothing to merge, or no way to: the write is answered as one that asked for no merge.
    /// `outdatedVersion` is the last one that was tried and was no longer the current one.
    init?(
        of mine: ConfigurationDocument,
        _ base: Int,
        on standing: Standing,
        _ outdatedVersion: Int,
        _ rules: DocumentRules
    ) {
        if let merged = standing.merged, merged.version > outdatedVersion {
            stored = merged
            isRetry = true
        } else {
            let current = standing.current
            guard !standing.hasHadDocument, !current.isDeleted, current.version > base else { return nil }
            stored = current
            isRetry = false
        }
        guard let base = standing.versions[base]?.value?.object, let theirs = stored.value?.object else { return nil }
        // Mine came later than theirs, so that its time of arrival can't change which one is the earlier.
        let merge = try? ConfigurationMerge(
            base: base,
            mine: .init(mine.members, editedAt: mine.modifiedAt),
            theirs: .init(theirs, editedAt: stored.editedAt),
            conflictsMax: Self.conflictsMax
        )
        guard let merge, merge.conflicts.allSatisfy({ $0.pointer == $0.pointer.bounded() }) else { return nil }
        conflicts = merge.conflicts
        var merged = merge.document
        if let id = theirs["id"] { merged.set("id", to: id) }
        if merged == theirs {
            document = nil
        } else {
            guard let made = try? rules.document(.object(merged)) else { return nil }
            document = made
        }
    }

    /// Whether something of mine is not in the outcome.
    var hasLoss: Bool { conflicts.contains { $0.winner == .theirs } }
}
