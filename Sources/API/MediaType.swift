/// Media types that more than one place names.
enum MediaType {
    /// JSON Merge Patch (RFC 7396), the one kind of patch that this server takes.
    static let mergePatch = "application/merge-patch+json"
}
