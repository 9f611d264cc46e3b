#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The changes since the last element of ``NeuroViews/changes()``: edits of this app and copies that arrived. However
/// slowly the app reads, there is at most one element to read, and no change is left out.
public struct ChangeSet: Hashable, Sendable {
    /// The configurations that changed, were added or are gone. Without any, ``NeuroViews/status``,
    /// ``NeuroViews/account`` or the uploads changed.
    public internal(set) var ids: Set<UUID>

    init(ids: Set<UUID>) { self.ids = ids }
}
