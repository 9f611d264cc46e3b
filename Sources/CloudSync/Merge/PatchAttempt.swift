import JSON

/// A JSON Merge Patch (RFC 7396) as it was sent.
public struct MergePatch: Sendable {
    let value: JSONValue
    /// Of its text.
    let byteCount: Int
    let sent: SentDigest

    /// Takes a patch and the size of its text.
    public init(_ value: JSONValue, byteCount: Int) {
        self.value = value
        self.byteCount = byteCount
        sent = SentDigest("patch", value.canonical())
    }
}

/// A patch for an item, with its conditions.
struct PatchRequest: Sendable {
    let id: String
    let patch: MergePatch
    let conditions: WriteConditions
    var sent: SentDigest { patch.sent }

    init(_ id: String, _ patch: MergePatch, _ conditions: WriteConditions) {
        self.id = id
        self.patch = patch
        self.conditions = conditions
    }

    /// Whether the patch belongs to another item.
    var isForAnother: Bool {
        guard let named = patch.value["id"]?.string, UUIDText.isValid(named) else { return false }
        return named.lowercased() != id.lowercased()
    }
}

/// What a patch makes of a version that stands here.
struct PatchAttempt {
    /// The version that has the outcome, or that the patch is applied to.
    let stored: StoredVersion
    /// What is to be written; nil when the stored version has the outcome.
    let document: ConfigurationDocument?

    /// Throws `.conflict`, `.invalid`, `.patchedTooLarge`.
    init(_ request: PatchRequest, on standing: Standing, _ rules: DocumentRules) throws(CloudSyncError) {
        if let known = request.outcome(in: standing) {
            // Retention may have emptied it.
            guard known.isDeleted || known.text != nil else { throw standing.current.conflict(.versionMismatch) }
            (stored, document) = (known, nil)
            return
        }
        let current = standing.current
        if let reason = request.conditions.refusal(of: current.tag, isDeleted: current.isDeleted) {
            throw current.conflict(reason)
        }
        stored = current
        let made = request.applied(to: current.value ?? .null, at: standing.now)
        document = try made.map { value throws(CloudSyncError) in try rules.document(value) }
    }
}

extension PatchRequest {
    /// What the patch makes of the document; nil when that is as the patch wants it. Where the patch names no time, the
    /// edit is one of now.
    fileprivate func applied(to document: JSONValue, at now: Timestamp) -> JSONValue? {
        var made = document.applying(mergePatch: patch.value)
        made.keepSpelling(of: document["id"])
        if made == document { return nil }
        if patch.value["modified_at"] == nil { made.set("modified_at", to: .string(now.text)) }
        return made
    }

    /// The version that the same request has made; or, for one that changed nothing and made none, the version that If-Match names.
    fileprivate func outcome(in standing: Standing) -> StoredVersion? {
        if let made = standing.made { return made }
        guard let base = conditions.base.flatMap(standing.version), let document = base.value,
            applied(to: document, at: standing.now) == nil
        else { return nil }
        return base
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
