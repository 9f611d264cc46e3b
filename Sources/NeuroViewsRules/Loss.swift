import NeuroViewsJSON

/// A value, a document or a deletion that did not survive.
package struct Loss: Sendable, Equatable {
    /// The kind of the lost thing.
    package enum Kind: String, Sendable {
        /// The value of a member; without a value the member was missing.
        case member
        /// A whole document.
        case document
        /// The user's deletion of the item.
        case deletion
    }

    /// The reason.
    package enum Reason: String, Sendable {
        /// Two values of one member met, and the other one stayed.
        case conflict
        /// Others deleted the item.
        case deletedElsewhere = "deleted elsewhere"
        /// Others changed the item that the user deleted.
        case changedElsewhere = "changed elsewhere"
        /// The user deleted a document before seeing what a merge had made of it.
        case deletedUnseen = "deleted unseen"
        /// The server's whole set has another document, or none.
        case replacedByFullSet = "replaced by a full set"
        /// The device can't read any more what it had stored. There is no value.
        case unreadable
    }

    /// The item.
    package var id: String
    /// The reason.
    package var reason: Reason
    /// The kind.
    package var kind: Kind
    /// The place of a member.
    package var pointer: String?
    /// The member's value, or the document.
    package var value: JSONValue?

    /// Takes the columns of a stored one.
    package init(id: String, reason: Reason, kind: Kind, pointer: String? = nil, value: JSONValue? = nil) {
        (self.id, self.reason, self.kind, self.pointer, self.value) = (id, reason, kind, pointer, value)
    }

    /// A whole document.
    package init(_ document: Document, of id: String, _ reason: Reason) {
        self.init(id: id, reason: reason, kind: .document, value: .object(document.object))
    }
}
