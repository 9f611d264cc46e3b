import Crypto
import JSON

/// A JSON Merge Patch (RFC 7396) for an item, with its conditions.
struct PatchRequest: Sendable {
    let id: String
    let patch: JSONValue
    let conditions: WriteConditions
    let key: MergeKey

    init(_ id: String, _ patch: JSONValue, _ conditions: WriteConditions) {
        self.id = id
        self.patch = patch
        self.conditions = conditions
        key = MergeKey(id: id, digest: SHA256.hash(patch.canonical()), baseVersion: 0)
    }

    /// Whether the patch belongs to another item.
    var isForAnother: Bool {
        guard let named = patch["id"]?.string, UUIDText.isValid(named) else { return false }
        return named.lowercased() != id.lowercased()
    }

    /// Whether a second one is known by its record. One that names no time of its edit may be meant again, and one with
    /// versions in If-Match is known by what they became.
    var isRecorded: Bool { conditions.ifMatch?.versions == nil && patch["modified_at"] != nil }
}

/// What a patch makes of a version that stands here.
struct PatchAttempt {
    /// The version it is applied to.
    let stored: StoredVersion
    /// Whether the same was applied before.
    let isRetry: Bool
    /// What is to be written; nil when the stored one is as the patch wants it.
    let document: ConfigurationDocument?

    /// Throws `.conflict`, `.invalid`, `.patchedTooLarge`. `outdatedVersion` is the last one that was tried and was no
    /// longer the current one.
    init(
        _ request: PatchRequest,
        on standing: Standing,
        outdatedVersion: Int,
        _ rules: DocumentRules
    ) throws(CloudSyncError) {
        if let made = request.outcome(in: standing) {
            (stored, isRetry, document) = (made, true, nil)
            return
        }
        if request.isRecorded, let merged = standing.merged, merged.version > outdatedVersion {
            // Retention has emptied it: nobody can tell any more what the first try has made.
            guard merged.isDeleted || merged.text != nil else { throw standing.current.conflict(.editedLater) }
            (stored, isRetry) = (merged, true)
        } else {
            try request.check(standing.current)
            (stored, isRetry) = (standing.current, false)
        }
        let made = request.applied(to: stored.value ?? .null, at: standing.now)
        document = try made.map { value throws(CloudSyncError) in try rules.document(value) }
    }
}

extension PatchRequest {
    /// What the patch makes of the document; nil when that is as the patch wants it. Where the patch names no time, the
    /// edit is one of now.
    fileprivate func applied(to document: JSONValue, at now: Timestamp) -> JSONValue? {
        var made = document.applying(mergePatch: patch)
        made.keepSpelling(of: document["id"])
        if made == document { return nil }
        if patch["modified_at"] == nil { made.set("modified_at", to: .string(now.text)) }
        return made
    }

    /// The version that this patch made before, where If-Match names the one before that.
    fileprivate func outcome(in standing: Standing) -> StoredVersion? {
        guard let named = conditions.onlyVersion, let base = standing.versions[named],
            base.isDeleted || base.text != nil,
            let next = standing.versions[named + 1], let made = next.value,
            var again = applied(to: base.value ?? .null, at: standing.now)
        else { return nil }
        if patch["modified_at"] == nil, let time = made["modified_at"] { again.set("modified_at", to: time) }
        again.keepSpelling(of: made["id"])
        return again == made ? next : nil
    }

    /// Throws `.conflict` when the conditions don't let the patch through, as those of a PUT.
    fileprivate func check(_ current: StoredVersion) throws(CloudSyncError) {
        func names(_ condition: VersionCondition) -> Bool {
            condition == .any ? !current.isDeleted : condition.names(current.version)
        }
        let isNamed = conditions.ifMatch.map(names) ?? false
        if current.isDeleted && !isNamed { throw current.conflict(.deleted) }
        let isMismatch = conditions.ifMatch != nil && !isNamed
        if isMismatch || conditions.ifNoneMatch.map(names) ?? false { throw current.conflict(.versionMismatch) }
    }
}

extension JSONValue {
    /// Sets a member, where this is an object.
    fileprivate mutating func set(_ name: String, to value: JSONValue) {
        guard case .object(var object) = self else { return }
        object.set(name, to: value)
        self = .object(object)
    }

    /// Writes the id as `id` does, when it is the same one.
    fileprivate mutating func keepSpelling(of id: JSONValue?) {
        guard let id, let spelled = id.string, self["id"]?.string?.lowercased() == spelled.lowercased() else { return }
        set("id", to: id)
    }
}
