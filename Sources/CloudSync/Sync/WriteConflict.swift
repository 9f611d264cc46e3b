import Problems

/// The reason that a write was rejected, and the current version.
package struct WriteConflict: Sendable {
    /// The rule that rejected the write.
    package enum Reason: Sendable {
        /// The conditions don't name the current version.
        case versionMismatch
        /// An item with that id exists, with other content.
        case exists
        /// The stored document was edited later than the sent one.
        case editedLater
        /// The item was deleted.
        case deleted

        func type(of subject: Subject) -> ProblemType {
            let isRecording = subject == .recording
            return switch self {
            case .versionMismatch: .versionMismatch
            case .exists: isRecording ? .recordingExists : .configurationExists
            case .editedLater: .editedLater
            case .deleted: isRecording ? .recordingDeleted : .configurationDeleted
            }
        }
    }

    /// The kinds of items.
    package enum Subject: Sendable { case configuration, recording }

    /// The rule that rejected the write.
    package let reason: Reason
    /// The kind of the item.
    package var subject = Subject.configuration
    /// The current document; nil for a deleted item, or if it was not read.
    package var current: [UInt8]?
    /// The current version; nil if there is no such item.
    package let version: VersionTag?
}
