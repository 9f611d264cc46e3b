import JSON

/// A JSON Merge Patch (RFC 7396) as it was sent. Only its text goes from thread to thread: a parsed patch takes far more memory, and as long to free
/// as to parse.
public struct MergePatch: Sendable {
    private let text: [UInt8]
    let sent: SentDigest
    /// Anything else would take the place of what it is applied to.
    let isObject: Bool
    /// Its member `id`.
    let id: String?

    /// Takes a patch, and its text.
    public init(_ value: JSONValue, _ text: [UInt8]) {
        self.text = text
        sent = SentDigest("patch", value.canonical())
        isObject = value.object != nil
        id = value["id"]?.string
    }

    var byteCount: Int { text.count }

    /// Parsed anew each time.
    var value: JSONValue { (try? JSONParser.parse(text, policy: .rfc8259)) ?? .null }
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
        guard let named = patch.id, UUIDText.isValid(named) else { return false }
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
        let patch = request.patch.value
        if let known = request.outcome(of: patch, in: standing) {
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
        let made = patch.applied(to: current.value ?? .null, at: standing.now)
        document = try made.map { value throws(CloudSyncError) in try rules.document(value) }
    }
}

extension PatchRequest {
    /// The version that the same request has made; or, for one that changed nothing and made none, the version that If-Match names.
    fileprivate func outcome(of patch: JSONValue, in standing: Standing) -> StoredVersion? {
        if let made = standing.made { return made }
        guard let base = conditions.base.flatMap(standing.version), let document = base.value,
            patch.applied(to: document, at: standing.now) == nil
        else { return nil }
        return base
    }
}

extension JSONValue {
    /// What this patch makes of the document; nil when that is as the patch wants it. Where the patch names no time, the edit is one of now.
    fileprivate func applied(to document: JSONValue, at now: Timestamp) -> JSONValue? {
        var made = document.applying(mergePatch: self)
        made.keepSpelling(of: document["id"])
        if made == document { return nil }
        if self["modified_at"] == nil { made.set("modified_at", to: .string(now.text)) }
        return made
    }

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
