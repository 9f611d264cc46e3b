/// A collection that is synced by deltas: its table names. Each account has a head for each collection (`sync_heads`).
struct Collection: Sendable {
    /// The value in the SQL enum `collection`.
    let name: String
    /// The table with the current row of each item.
    let items: String
    /// The table with a row for each version.
    let versions: String
    /// The table of losing documents; nil if the collection keeps none, since its writes replace only versions that
    /// they name.
    let losers: String?
    /// True if items and versions have a column `preset`.
    let hasPresets: Bool
    /// True if the items have files, of which thumbnails are shown.
    let hasThumbnails: Bool

    static let configurations = Collection(
        name: "configurations",
        items: "configurations",
        versions: "configuration_versions",
        losers: "configuration_conflicts",
        hasPresets: true,
        hasThumbnails: false
    )
    static let recordings = Collection(
        name: "recordings",
        items: "recordings",
        versions: "recording_versions",
        losers: nil,
        hasPresets: false,
        hasThumbnails: true
    )
    static let all = [configurations, recordings]

    /// The SQL of the object that the link to an item's thumbnail names: see `RecordingSQL.thumbnail`. `row` is the
    /// name of the item's row in the statement.
    func thumbnail(of row: String) -> String { hasThumbnails ? RecordingSQL.thumbnail(of: row) : "NULL::text" }
}
