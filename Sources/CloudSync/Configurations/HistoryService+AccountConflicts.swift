import Postgres

/// A document that lost a conflict, in the list of the whole account: without the document.
package struct AccountConflict: Sendable {
    /// The configuration, in the spelling of its creation.
    package let configurationID: String
    /// The name that the configuration has now; nil for a deleted one.
    package let configurationName: String?
    /// Identifies it among the losers of its configuration: the digest of the document, in hexadecimal.
    package let digest: String
    /// The version that won.
    package let baseVersion: VersionTag
    /// The time of the edit, RFC 3339.
    package let editedAt: String
    /// The time when the server rejected it, RFC 3339.
    package let receivedAt: String
    /// The device that sent it.
    package let device: DeviceReference?
    /// The position in the list after this document.
    package let cursor: AccountConflictCursor
}

/// A position in the list of an account's conflicts. Opaque to clients.
package struct AccountConflictCursor: Sendable, Equatable {
    let configurationID: String
    let digest: ConflictDigest

    init(configurationID: String, digest: ConflictDigest) {
        self.configurationID = configurationID
        self.digest = digest
    }

    /// Parses `text`. Nil for any other string.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, UUIDText.isValid(parts[0]), let digest = ConflictDigest(String(parts[1])) else {
            return nil
        }
        self.init(configurationID: String(parts[0]), digest: digest)
    }

    /// The text that a client sends to get the next page.
    package var text: String { "\(configurationID).\(digest.text)" }
}

extension HistoryService {
    /// Limit of the configurations that a page reads for their names, in bytes. The first one is always read.
    private static let namedMaxBytes = 4 << 20

    /// The losing documents of all configurations, by configuration and digest, except those that became a version
    /// later.
    package func conflicts(
        before: AccountConflictCursor? = nil,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<AccountConflict> {
        let query = HistorySQL.accountConflicts(
            .text(caller.userID),
            .text(before?.configurationID),
            before.map { .bytes($0.digest.bytes) } ?? .null,
            .int(limit + 1),
            .int(Self.namedMaxBytes)
        )
        let found = try await database.read(for: caller, on: .large, query)
        let items = found.prefix(limit).prefix { $0 != nil }.compactMap { $0 }
        return Page(items: items, hasMore: found.count > items.count)
    }
}

extension AccountConflict {
    /// Nil for a row beyond the page's bytes.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> AccountConflict? {
        guard let spelledID: String = try columns.next(), let id: String = try columns.next(),
            let digest = ConflictDigest(try columns.next())
        else {
            columns.skip()
            return nil
        }
        return AccountConflict(
            configurationID: spelledID,
            configurationName: try columns.next(),
            digest: digest.text,
            baseVersion: VersionTag(try columns.next(), try columns.next()),
            editedAt: try columns.next(),
            receivedAt: try columns.next(),
            device: try DeviceReference.next(&columns),
            cursor: AccountConflictCursor(configurationID: id, digest: digest)
        )
    }
}
