import NeuroViewsJSON
import Postgres

/// A version of an item with its document, for writes that derive from it. Lists have `ConfigurationVersion`.
struct StoredVersion: Sendable {
    let tag: VersionTag
    /// The JSON text; nil for a deletion, and after retention emptied it.
    let text: [UInt8]?
    /// True if its document equals the current one.
    let isSameAsCurrent: Bool
    let editedAt: Timestamp
    /// RFC 3339.
    let changedAt: String
    let isDeleted: Bool

    init(_ columns: inout Columns) throws(UnexpectedResult) {
        tag = VersionTag(try columns.next(), try columns.next())
        text = try columns.next()
        isSameAsCurrent = try columns.next() ?? false
        editedAt = Timestamp(microseconds: try columns.next())
        changedAt = try columns.next()
        isDeleted = try columns.next()
    }

    /// The parsed document. It was accepted under a stricter policy.
    var value: JSONValue? { text.flatMap { try? JSONParser.parse($0, policy: .rfc8259) } }

    /// The error of a write that this version blocks.
    func conflict(_ reason: WriteConflict.Reason) -> CloudSyncError {
        .conflict(WriteConflict(reason: reason, current: text, version: tag))
    }
}

/// The versions of an item that a merge, a patch or a restore derives from, and the version that the same request made
/// earlier.
struct ItemSources: Sendable {
    /// A row of `ConfigurationSQL.sources`.
    struct Row: Sendable {
        let version: StoredVersion
        let isCurrent: Bool
        let isMade: Bool
        let spelledID: String
        let now: Timestamp

        init(_ columns: inout Columns) throws(UnexpectedResult) {
            version = try StoredVersion(&columns)
            isCurrent = try columns.next()
            isMade = try columns.next()
            spelledID = try columns.next()
            now = Timestamp(microseconds: try columns.next())
        }
    }

    /// The current version.
    let current: StoredVersion
    /// The version that the same request made earlier.
    let made: StoredVersion?
    /// The id in the spelling of its creation.
    let spelledID: String
    /// The database's clock.
    let now: Timestamp
    private let versions: [Int: StoredVersion]

    /// Nil if there is no such item.
    init?(_ rows: [Row], _ base: VersionTag?) {
        guard let current = rows.first(where: \.isCurrent) else { return nil }
        self.current = current.version
        spelledID = current.spelledID
        now = current.now
        let versions = Dictionary(rows.map { ($0.version.tag.number, $0.version) }) { first, _ in first }
        self.versions = versions
        // The version number of another history has no meaning here.
        let isBaseHere = base.map { versions[$0.number]?.tag == $0 } ?? true
        made = isBaseHere ? rows.first(where: \.isMade)?.version : nil
    }

    /// Size of all documents that were read.
    var byteCount: Int { versions.values.reduce(0) { $0 + ($1.text?.count ?? 0) } }

    /// The version with that tag, if it was read; nil if this history has another version with that number.
    func version(_ tag: VersionTag) -> StoredVersion? { versions[tag.number].flatMap { $0.tag == tag ? $0 : nil } }

    /// The version before `version`, if it was read.
    func predecessor(of version: StoredVersion) -> StoredVersion? { versions[version.tag.number - 1] }

    /// The versions after `base` that were read, oldest first.
    func versions(since base: VersionTag) -> [StoredVersion] {
        versions.values.filter { $0.tag.number > base.number }.sorted { $0.tag.number < $1.tag.number }
    }
}
