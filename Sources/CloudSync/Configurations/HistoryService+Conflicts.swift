import NeuroViewsCrypto
import Postgres

/// A document that lost a conflict.
package struct LostDocument: Sendable {
    /// Identifies it among the losers of its item: the digest of the document, in hexadecimal.
    package let digest: String
    /// The version that won.
    package let baseVersion: VersionTag
    /// The time of the edit, RFC 3339.
    package let editedAt: String
    /// The time when the server rejected it, RFC 3339.
    package let receivedAt: String
    /// The device that sent it.
    package let device: DeviceReference?
    /// The JSON text.
    package let document: [UInt8]
    /// The position in the list after this document.
    package let cursor: ConflictCursor
}

/// A position in the list of an item's conflicts. Opaque to clients.
package struct ConflictCursor: Sendable, Equatable {
    let receivedAt: Timestamp
    let digest: ConflictDigest

    init(receivedAt: Timestamp, digest: ConflictDigest) {
        self.receivedAt = receivedAt
        self.digest = digest
    }

    /// Parses `text`. Nil for any other string.
    package init?(_ text: String) {
        guard let position = TimedPosition(text), let digest = ConflictDigest(position.key) else { return nil }
        self.init(receivedAt: position.time, digest: digest)
    }

    /// The text that a client sends to get the next page.
    package var text: String { TimedPosition(receivedAt, digest.text).text }
}

/// The digest of a losing document as clients write it: 64 hexadecimal digits.
package struct ConflictDigest: Sendable, Equatable {
    /// In lower case.
    package let text: String
    let bytes: [UInt8]

    /// Nil if `text` is no digest.
    package init?(_ text: String) {
        guard text.utf8.count == 64, let bytes = Hex.decode(Array(text.utf8)[...]) else { return nil }
        self.text = text.lowercased()
        self.bytes = bytes
    }
}

extension HistoryService {
    /// Limit of all documents of one page in bytes, which is a few milliseconds for PostgreSQL and the event loop. The first one is always included.
    private static let pageMaxBytes = 1 << 20

    /// The losing documents, newest first, except those that became a version later. Throws `.notFound`.
    package func conflicts(
        of id: String,
        before: ConflictCursor? = nil,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<LostDocument> {
        let query = HistorySQL.conflicts(
            .text(caller.userID),
            .text(id),
            .int(before?.receivedAt.microseconds),
            before.map { .bytes($0.digest.bytes) } ?? .null,
            .int(limit + 1),
            .int(Self.pageMaxBytes)
        )
        let found = try await database.read(for: caller, on: .large, query)
        switch found.first {
        case nil: throw CloudSyncError.problem(.notFound)
        case .some(.none): return Page(items: [], hasMore: false)
        default:
            let items = found.prefix(limit).compactMap { $0 }
            return Page(items: items, hasMore: found.count > items.count)
        }
    }

    /// Deletes a losing document. Throws `.notFound`.
    package func deleteConflict(_ digest: ConflictDigest, of id: String, for caller: Caller) async throws {
        let user = Parameter.text(caller.userID)
        let delete = HistorySQL.deleteConflict(user, .text(id), .bytes(digest.bytes))
        let (_, deleted) = try await database.write(for: caller, SyncSQL.lockConfigurationsHead(user), delete)
        if deleted.isEmpty { throw CloudSyncError.problem(.notFound) }
    }
}

extension LostDocument {
    /// Nil for an item without conflicts, and for a document that does not fit in the page.
    static func next(_ columns: inout Columns) throws(UnexpectedResult) -> LostDocument? {
        guard let text: String = try columns.next(), let digest = ConflictDigest(text) else {
            columns.skip()
            return nil
        }
        let base = VersionTag(try columns.next(), try columns.next())
        let (editedAt, receivedAt): (String, String) = (try columns.next(), try columns.next())
        let device = try DeviceReference.next(&columns)
        let (document, receivedUs): ([UInt8]?, Int) = (try columns.next(), try columns.next())
        return document.map { document in
            LostDocument(
                digest: digest.text,
                baseVersion: base,
                editedAt: editedAt,
                receivedAt: receivedAt,
                device: device,
                document: document,
                cursor: ConflictCursor(receivedAt: Timestamp(microseconds: receivedUs), digest: digest)
            )
        }
    }
}
