/// One item as a device has it. The functions on it are the contract's rules (docs/client.md).
package struct Item: Sendable, Equatable {
    /// The UUID in lower case.
    package let id: String
    /// The last state from the server; nil if there was none.
    package var copy: Copy?
    /// The user's change that is in no request. Beside a `part` it is what the user did since.
    package var edit: Edit?
    /// What the request without an answer took along.
    package var part: Part?
    /// Mark: nothing of the edit was applied, and the next step is a pull.
    package var waits = false
    /// Mark: the server will not take the edit.
    package var refusal: Refusal?
    /// Mark: others deleted the item beside an edit, and the user decides.
    package var isHeld = false
    /// True if the last write ended without an answer of the server's: it may have been done.
    package var isUnsure = false

    /// An item without copy and edit.
    package init(id: String) { self.id = id }

    /// The document that the app shows.
    package var shown: Document? {
        if let edit { return edit.document }
        if let part { return part.edit.document }
        return copy?.document
    }

    /// True if there is an edit to push, now or after the next pull.
    package func isUnsent(at now: Instant) -> Bool {
        edit != nil && !isHeld && refusal?.isOver(at: now) != false
    }

    /// True if there is an edit to push now.
    package func isDirty(at now: Instant) -> Bool { isUnsent(at: now) && !waits && !isNeedless }

    /// True for a deletion of what the server does not have: it needs no request.
    package var isNeedless: Bool { edit == .deletion && copy?.document == nil }

    /// True if nothing is left to store.
    package var isGone: Bool { edit == nil && part == nil && copy?.document == nil }

    /// Ends marks after a complete pull, when its copies have arrived.
    package mutating func endPull(bringsDeletion: Bool) {
        waits = false
        if bringsDeletion { refusal = nil }
        if isNeedless { edit = nil }
    }
}
