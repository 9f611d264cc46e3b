import NeuroViewsJSON

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One version of a configuration.
public struct Version: Hashable, Sendable {
    /// Its tag.
    public let tag: VersionTag
    /// The time at which the server took it.
    public let changedAt: Date
    /// The time of the edit, deletion or restore.
    public let editedAt: Date
    /// The device that made it; nil if its session named none.
    public let device: DeviceReference?
    /// True for a deletion.
    public let isDeletion: Bool
    /// True if its document can still be read.
    public let hasDocument: Bool
    /// The entry as the server sent it.
    public let json: JSONValue

    /// Reads an entry; nil if it is not as the OpenAPI document has it.
    init?(_ json: JSON) {
        guard let tag = json["version"]?.string.flatMap({ VersionTag($0) }),
            let changedAt = json["changed_at"]?.date, let editedAt = json["edited_at"]?.date,
            let isDeletion = json["deleted"]?.bool, let hasDocument = json["has_document"]?.bool
        else { return nil }
        (self.tag, self.changedAt, self.editedAt) = (tag, changedAt, editedAt)
        (self.isDeletion, self.hasDocument) = (isDeletion, hasDocument)
        device = json["device"].flatMap { DeviceReference($0) }
        self.json = JSONValue(json)
    }
}
