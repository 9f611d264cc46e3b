import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A configuration as this device has it, and how far it has come.
public struct StoredConfiguration: Identifiable, Hashable, Sendable {
    /// The document with the user's edits.
    public let configuration: CameraConfiguration
    /// The state of the edits.
    public let state: ItemState
    /// The last version that came from the server; nil if there was none.
    public let tag: VersionTag?

    /// The item's id.
    public var id: UUID { configuration.id }
    /// The time at which the item was made.
    public var createdAt: Date? { configuration.createdAt }
    /// The time of the last edit, by the clock of the device that made it.
    public var modifiedAt: Date? { configuration.modifiedAt }

    /// Nil if the item is deleted.
    init?(_ item: Item, at now: Instant) {
        guard let document = item.shown, let id = UUID(uuidString: item.id) else { return nil }
        configuration = CameraConfiguration(document, id: id)
        state = ItemState(item, at: now)
        tag = item.copy.map { VersionTag(checked: $0.tag) }
    }
}
