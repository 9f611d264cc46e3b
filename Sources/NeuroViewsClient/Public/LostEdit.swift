import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A value, a document or a deletion that did not survive. ``NeuroViews/bringBack(_:)`` makes it an edit again.
///
/// The list keeps entries for 30 days, then the newest 1,000.
public struct LostEdit: Identifiable, Hashable, Sendable {
    /// The number of the entry on this device.
    public let id: Int64
    /// The configuration.
    public let item: UUID
    /// The kind of the lost thing.
    public let kind: Kind
    /// The reason.
    public let reason: Reason
    /// The place of a member as a JSON Pointer; nil for a document and a deletion.
    public let pointer: String?
    /// The member's value, or the document; nil for a deletion, for a member that was removed, and for what is unreadable.
    public let value: JSONValue?
    /// The time of the loss.
    public let at: Date

    /// The kind of a lost thing.
    public enum Kind: Hashable, Sendable {
        /// The value of a member, or its removal.
        case member
        /// A whole document.
        case document
        /// The user's deletion of the item.
        case deletion
    }

    /// The reason of a loss.
    public enum Reason: Hashable, Sendable {
        /// Two devices set one member, and the later value stayed.
        case conflict
        /// Others deleted the item.
        case deletedElsewhere
        /// Others changed the item that the user deleted.
        case changedElsewhere
        /// The user deleted a document before seeing what a merge had made of it.
        case deletedUnseen
        /// The server lost its history, as after a restored backup, and has another document or none.
        case replacedByFullSet
        /// This device can't read any more what it had stored: a fault of its disk. There is no value to bring back.
        case unreadable
    }

    /// Nil if the item's id is no UUID.
    init?(_ loss: Loss, id: Int64, at: Instant) {
        guard let item = UUID(uuidString: loss.id) else { return nil }
        (self.id, self.item, self.at) = (id, item, Date(at))
        (kind, reason) = (Kind(loss.kind), Reason(loss.reason))
        (pointer, value) = (loss.pointer, loss.value.map { JSONValue($0) })
    }
}

extension LostEdit.Kind {
    fileprivate init(_ kind: Loss.Kind) {
        switch kind {
        case .member: self = .member
        case .document: self = .document
        case .deletion: self = .deletion
        }
    }
}

extension LostEdit.Reason {
    fileprivate init(_ reason: Loss.Reason) {
        switch reason {
        case .conflict: self = .conflict
        case .deletedElsewhere: self = .deletedElsewhere
        case .changedElsewhere: self = .changedElsewhere
        case .deletedUnseen: self = .deletedUnseen
        case .replacedByFullSet: self = .replacedByFullSet
        case .unreadable: self = .unreadable
        }
    }
}
