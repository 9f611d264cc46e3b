/// The last state of an item from the server.
package struct Copy: Sendable, Equatable {
    /// The name of the version.
    package var tag: String
    /// Nil if the item is deleted: a tombstone.
    package var document: Document?

    /// Takes both.
    package init(tag: String, document: Document?) { (self.tag, self.document) = (tag, document) }
}

/// The user's change of the copy.
package enum Edit: Sendable, Equatable {
    /// The changed document, with the members that the user changed.
    case document(Document, Members)
    /// The user deleted the item.
    case deletion

    /// The changed document; nil for a deletion.
    package var document: Document? {
        if case .document(let document, _) = self { document } else { nil }
    }
}

/// What the request without an answer took along of an item.
package struct Part: Sendable, Equatable {
    /// The copy whose tag is sent.
    package var copy: Copy?
    /// The edit that is sent.
    package var edit: Edit

    /// Takes both.
    package init(copy: Copy?, edit: Edit) { (self.copy, self.edit) = (copy, edit) }
}
