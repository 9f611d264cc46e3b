import NeuroViewsJSON

/// A document that the server derived from a stored document and a request.
package struct DerivedConfiguration: Sendable {
    /// The version that contains it.
    package let version: VersionTag
    /// The time of that version, RFC 3339.
    package let changedAt: String
    /// The JSON text.
    package let text: [UInt8]
    /// The values that both sides of a merge changed differently.
    package let conflicts: [MergeConflict]

    /// A derived document that was just written.
    init(_ receipt: WriteReceipt, _ document: ConfigurationDocument, _ conflicts: [MergeConflict] = []) {
        version = receipt.version
        changedAt = receipt.changedAt
        text = document.content.text(spelledID: receipt.id)
        self.conflicts = conflicts
    }

    /// The document of a stored version.
    init(_ stored: StoredVersion, _ conflicts: [MergeConflict] = []) {
        version = stored.tag
        changedAt = stored.changedAt
        text = stored.text ?? []
        self.conflicts = conflicts
    }
}
