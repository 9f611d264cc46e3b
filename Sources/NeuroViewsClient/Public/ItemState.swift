import NeuroViewsRules

/// The state of an item's edits.
public enum ItemState: Hashable, Sendable {
    /// There are none: the document is that version of the server's.
    case synced(VersionTag)
    /// They are on this device, and are sent by the next sync.
    case unsent
    /// The server has a newer version. The next sync fetches it, and then sends the edits.
    case waiting
    /// The server does not take them; the problem's detail names the remedy. They are sent again after a further edit, when
    /// the item has changed elsewhere, or after an hour.
    case refused(Problem)
    /// The item was deleted on another device while an edit was being sent, and it has a later edit. (Edits that were not
    /// sent are lost by a deletion, and named in ``NeuroViews/lost()``.) Ask the user: a further edit keeps it,
    /// ``NeuroViews/delete(_:)`` deletes it here, too.
    case held

    /// The state of a stored item.
    init(_ item: Item, at now: Instant) {
        if item.isHeld {
            self = .held
        } else if item.edit == nil, item.part == nil, let copy = item.copy {
            self = .synced(VersionTag(checked: copy.tag))
        } else if let refusal = item.refusal, !refusal.isOver(at: now) {
            self = .refused(Problem(refusal.problem))
        } else {
            self = item.waits ? .waiting : .unsent
        }
    }
}
