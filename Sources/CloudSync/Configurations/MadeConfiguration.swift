import JSON

/// A document that was made here, of one that stood here and what a request brought.
public struct MadeConfiguration: Sendable {
    /// The version that has it.
    public let version: VersionTag
    /// When that was made, RFC 3339.
    public let changedAt: String
    /// The JSON text.
    public let text: [UInt8]
    /// What both sides of a merge changed differently.
    public let conflicts: [MergeConflict]

    /// What was written; `document` is what was sent to the database.
    init(_ receipt: WriteReceipt, _ document: ConfigurationDocument, _ conflicts: [MergeConflict] = []) {
        version = receipt.version
        changedAt = receipt.changedAt
        text = document.content.text(spelledID: receipt.id)
        self.conflicts = conflicts
    }

    /// What stands there already.
    init(_ stored: StoredVersion, _ conflicts: [MergeConflict] = []) {
        version = stored.tag
        changedAt = stored.changedAt
        text = stored.text ?? []
        self.conflicts = conflicts
    }
}
