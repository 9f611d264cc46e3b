/// Why a write was refused, and the version that stands in its way.
public struct WriteConflict: Sendable {
    /// The rule that refused it.
    public enum Reason: Sendable {
        /// The conditions don't name the current version.
        case versionMismatch
        /// An item with that id exists, with other content.
        case exists
        /// The stored document was edited later.
        case editedLater
        /// The item was deleted.
        case deleted
    }

    /// What it is about.
    public enum Subject: Sendable { case configuration, recording }

    /// The rule that refused it.
    public let reason: Reason
    /// What it is about.
    public var subject = Subject.configuration
    /// The current document; nil when it was deleted or there is none.
    public var current: [UInt8]?
    /// The current version; nil when there is no such item.
    public let version: VersionTag?
}
