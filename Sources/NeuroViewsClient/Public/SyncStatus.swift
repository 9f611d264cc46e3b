#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The state of the whole store. "Everything is synced" is true only if nothing is unsent, refused or held.
public struct SyncStatus: Sendable {
    /// The sync's present step.
    public var activity: Activity
    /// Items with edits that the server does not have yet.
    public var unsent: Int
    /// Items whose edits the server refused.
    public var refused: Int
    /// Items about which the user must decide.
    public var held: Int
    /// The time of the last complete pull; nil before the first one.
    public var lastComplete: Date?

    /// The present step of the sync.
    public enum Activity: Sendable {
        /// ``NeuroViews/start()`` was not called. Edits are stored; only ``NeuroViews/sync()`` sends them.
        case stopped
        /// Everything was done; the next sync follows an edit or the poll interval.
        case idle
        /// A sync is running.
        case syncing
        /// The next sync begins at that time, or with ``NeuroViews/sync()``; the reason, if an error is one.
        case paused(until: Date, ClientError?)
    }
}

/// The result of one sync.
public struct SyncReport: Hashable, Sendable {
    /// Edits that the server took.
    public var sent = 0
    /// Documents and deletions that arrived from the server.
    public var pulled = 0
    /// Entries that were added to ``NeuroViews/lost()``.
    public var lost = 0
    /// Items whose edits the server has refused in this sync. ``SyncStatus/refused`` counts those of earlier ones, too.
    public var refused = 0
    /// Items about which the user must decide since this sync.
    public var held = 0
    /// True if the copies here differ from the server's documents, also after all were fetched again: a fault to report.
    public var differsFromServer = false
    /// The time of the next sync, if this one ended by a pause.
    public var again: Date?
}
