/// What is synced by deltas: the names of its tables. Each account has a head for each collection (`sync_heads`).
struct Collection: Sendable {
    /// As the enum `collection` names it.
    let name: String
    /// The table with the current row of each item.
    let items: String
    /// The table with a row for each version.
    let versions: String
    /// The table with the documents that lost a conflict; nil where none is kept, since only named versions are replaced.
    let losers: String?
    /// Whether items and versions have a column `preset`.
    let hasPresets: Bool

    static let configurations = Collection(
        name: "configurations",
        items: "configurations",
        versions: "configuration_versions",
        losers: "configuration_conflicts",
        hasPresets: true
    )
    static let recordings = Collection(
        name: "recordings",
        items: "recordings",
        versions: "recording_versions",
        losers: nil,
        hasPresets: false
    )
    static let all = [configurations, recordings]
}
