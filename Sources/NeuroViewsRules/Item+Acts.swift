import NeuroViewsJSON

/// What the user does.
extension Item {
    private static let keptNames = ["id", "created_at", "modified_at"]

    /// Sets members of the shown document; nil removes one. Returns false if there is no document to edit. The id and
    /// the time of the edit are not the user's to set.
    package mutating func change(_ changes: [(pointer: JSONPointer, value: JSONValue?)], at now: Instant) -> Bool {
        guard var document = shown else { return false }
        var members = Members()
        if case .document(_, let noted) = edit { members = noted }
        for (pointer, value) in changes where !Self.isOwn(pointer) {
            document.put(value, at: pointer)
            members.note(pointer, now)
        }
        document.put(.string(now.documentText), at: Self.top("modified_at"))
        keep(.document(document, members))
        return true
    }

    /// Puts a whole document in the place of what is shown, or of nothing: a new one, or an older version that the
    /// user wants back. It notes each member at the top of all that it replaces.
    package mutating func replace(with new: Document, at now: Instant) {
        var members = Members()
        for document in [new, shown, part?.edit.document, copy?.document] {
            for member in document?.object.members ?? [] where !Self.keptNames.contains(member.name) {
                members.note(Self.top(member.name), now)
            }
        }
        var document = new
        if document.object["id"] == nil { document.put(.string(id), at: Self.top("id")) }
        if document.object["created_at"] == nil {
            document.put(shown?.object["created_at"] ?? .string(now.documentText), at: Self.top("created_at"))
        }
        document.put(.string(now.documentText), at: Self.top("modified_at"))
        keep(.document(document, members))
    }

    /// Deletes the item. Returns false if there is nothing to delete.
    package mutating func delete() -> Bool {
        guard shown != nil else { return false }
        keep(.deletion)
        return true
    }

    /// Each act of the user ends a refusal, and decides about a held item.
    private mutating func keep(_ edit: Edit) {
        (self.edit, refusal, isHeld) = (edit, nil, false)
    }

    private static func isOwn(_ pointer: JSONPointer) -> Bool {
        pointer.isRoot || pointer == top("id") || pointer == top("modified_at")
    }

    private static func top(_ name: String) -> JSONPointer { JSONPointer().appending(member: name) }
}
