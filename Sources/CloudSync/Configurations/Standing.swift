import JSON
import Postgres

/// A version of an item as the history has it.
struct StoredVersion: Sendable {
    let tag: VersionTag
    /// The JSON text; nil for a deletion, and where retention has emptied it.
    let text: [UInt8]?
    /// Whether its document is the current one, too.
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

    /// The document, parsed: it was accepted under a stricter policy.
    var value: JSONValue? { text.flatMap { try? JSONParser.parse($0, policy: .rfc8259) } }

    /// The refusal of a write that this version stands in the way of.
    func conflict(_ reason: WriteConflict.Reason) -> CloudSyncError {
        .conflict(WriteConflict(reason: reason, current: text, version: tag))
    }
}

/// An item as a derived write finds it: what it is made of, and what the same request has made before.
struct Standing: Sendable {
    /// A row of `ConfigurationSQL.standing`.
    struct Part: Sendable {
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

    /// The item as it is.
    let current: StoredVersion
    /// What the same request has made.
    let made: StoredVersion?
    /// The id in the spelling that the item was created with.
    let spelledID: String
    /// The database's clock.
    let now: Timestamp
    private let versions: [Int: StoredVersion]

    /// Nil when there is no such item.
    init?(_ parts: [Part], _ base: VersionTag?) {
        guard let current = parts.first(where: \.isCurrent) else { return nil }
        self.current = current.version
        spelledID = current.spelledID
        now = current.now
        let versions = Dictionary(parts.map { ($0.version.tag.number, $0.version) }) { first, _ in first }
        self.versions = versions
        // The number of another history's version says nothing.
        let isBaseHere = base.map { versions[$0.number]?.tag == $0 } ?? true
        made = isBaseHere ? parts.first(where: \.isMade)?.version : nil
    }

    /// Of all documents that were read.
    var byteCount: Int { versions.values.reduce(0) { $0 + ($1.text?.count ?? 0) } }

    /// The version with that tag, as far as it was read; nil where this history has another one with that number.
    func version(_ tag: VersionTag) -> StoredVersion? { versions[tag.number].flatMap { $0.tag == tag ? $0 : nil } }

    /// The version that another one replaced, as far as it was read.
    func predecessor(of version: StoredVersion) -> StoredVersion? { versions[version.tag.number - 1] }

    /// The versions after `base` that were read, the oldest first.
    func versions(since base: VersionTag) -> [StoredVersion] {
        versions.values.filter { $0.tag.number > base.number }.sorted { $0.tag.number < $1.tag.number }
    }
}

extension ConfigurationService {
    /// How often somebody else may be faster. Each time one of those who compete has written.
    static let triesMax = 50
    /// Versions since the base in which an outcome that changed nothing is looked for, and the bytes of their documents.
    private static let recentMax = (versions: 50, bytes: 4 << 20)

    /// What a derived write stands on; nil for an unknown item.
    func standing(
        of id: String,
        _ base: VersionTag?,
        _ sent: SentDigest,
        restoring version: VersionTag? = nil,
        for caller: Caller
    ) async throws -> Standing? {
        Standing(try await database.read(for: caller, standingQuery(id, base, sent, version, caller)), base)
    }

    func standingQuery(
        _ id: String,
        _ base: VersionTag?,
        _ sent: SentDigest,
        _ version: VersionTag? = nil,
        _ caller: Caller
    ) -> BoundQuery<Standing.Part> {
        ConfigurationSQL.standing(
            .text(id),
            .int(base?.number),
            .bytes(sent.bytes),
            .text(caller.sessionID),
            .int(version?.number),
            .int(Self.recentMax.versions),
            .int(Self.recentMax.bytes)
        )
    }

    /// Writes what was made of the current version in its place; nil when another one is current by then.
    func replace(
        _ current: StoredVersion,
        _ document: ConfigurationDocument,
        _ sent: SentDigest,
        loser: ConfigurationDocument? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt>? {
        let conditions = WriteConditions(ifMatch: .versions([current.tag]))
        var write = ItemWrite(.replace, id: document.id, document, conditions, sent)
        write.loser = loser?.content
        return try await self.write(write, for: caller).unlessOvertaken
    }
}

extension Written {
    /// Nil for a write whose condition names a version that is not the current one any more.
    var unlessOvertaken: Written? {
        if case .failure(.conflict(let conflict)) = result, conflict.reason != .exists { return nil }
        return self
    }
}
