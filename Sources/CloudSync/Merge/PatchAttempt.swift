import NeuroViewsJSON

/// A JSON Merge Patch (RFC 7396) as it was sent. Threads exchange only its text: a parsed patch takes far more memory,
/// and freeing it takes as long as parsing.
package struct MergePatch: Sendable {
    private let text: [UInt8]
    let sent: SentDigest
    /// A patch that is no object would replace the whole document.
    let isObject: Bool
    let id: String?

    /// Takes a patch and its text.
    package init(_ value: JSONValue, _ text: [UInt8]) {
        self.text = text
        sent = SentDigest("patch", value.canonical())
        isObject = value.object != nil
        id = value["id"]?.string
    }

    var byteCount: Int { text.count }

    /// Parsed anew each time.
    var value: JSONValue { (try? JSONParser.parse(text, policy: .rfc8259)) ?? .null }
}

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

    /// True if the patch names another item's id.
    var isForAnother: Bool {
        guard let named = patch.id, UUIDText.isValid(named) else { return false }
        return named.lowercased() != id.lowercased()
    }
}

/// The result of a patch on a stored version.
struct PatchAttempt {
    /// The version that is the outcome already, or the version to patch.
    let stored: StoredVersion
    /// The document to write; nil when the stored version is the outcome.
    let document: ConfigurationDocument?

    /// Throws `.conflict`, `.invalid`, `.patchedTooLarge`.
    init(_ request: PatchRequest, on sources: ItemSources, _ rules: DocumentRules) throws(CloudSyncError) {
        let patch = request.patch.value
        if let known = request.outcome(of: patch, in: sources) {
            // Retention may have removed its document.
            guard known.isDeleted || known.text != nil else { throw sources.current.conflict(.versionMismatch) }
            (stored, document) = (known, nil)
            return
        }
        let current = sources.current
        if let reason = request.conditions.refusal(of: current.tag, isDeleted: current.isDeleted) {
            throw current.conflict(reason)
        }
        stored = current
        let made = patch.applied(to: current.value ?? .null, at: sources.now)
        document = try made.map { value throws(CloudSyncError) in try rules.document(value) }
    }
}

extension PatchRequest {
    /// Returns the version that the same request has made. A request that changed nothing made none; for it, the
    /// version that If-Match names is returned.
    fileprivate func outcome(of patch: JSONValue, in sources: ItemSources) -> StoredVersion? {
        if let made = sources.made { return made }
        guard let base = conditions.base.flatMap(sources.version), let document = base.value,
            patch.applied(to: document, at: sources.now) == nil
        else { return nil }
        return base
    }
}

extension JSONValue {
    /// Returns the patched document; nil when the patch changes nothing. A patch without `modified_at` sets it to now.
    fileprivate func applied(to document: JSONValue, at now: Timestamp) -> JSONValue? {
        var made = document.applying(mergePatch: self)
        made.keepSpelling(of: document["id"])
        if made == document { return nil }
        if self["modified_at"] == nil { made.set("modified_at", to: .string(now.text)) }
        return made
    }

    /// Sets a member if this is an object.
    fileprivate mutating func set(_ name: String, to value: JSONValue) {
        guard case .object(var object) = self else { return }
        object.set(name, to: value)
        self = .object(object)
    }

    /// Keeps the spelling of `id` when the ids differ only in case.
    fileprivate mutating func keepSpelling(of id: JSONValue?) {
        guard let id, let spelled = id.string, self["id"]?.string?.lowercased() == spelled.lowercased() else { return }
        set("id", to: id)
    }
}
