import Postgres

/// A document that lost a conflict.
public struct LostDocument: Sendable {
    /// Names it among the losers of its item: the digest of the document, in hexadecimal.
    public let digest: String
    /// The version that it lost against.
    public let baseVersion: Int
    /// When it was edited, RFC 3339.
    public let editedAt: String
    /// When the server refused it, RFC 3339.
    public let receivedAt: String
    /// Who sent it.
    public let device: DeviceReference?
    /// The JSON text.
    public let document: [UInt8]
    /// Where the list goes on after this one.
    public let cursor: ConflictCursor
}

/// A place in the list of an item's conflicts. Opaque to clients.
public struct ConflictCursor: Sendable, Equatable {
    let receivedAt: Timestamp
    let digest: ConflictDigest

    init(receivedAt: Timestamp, digest: ConflictDigest) {
        self.receivedAt = receivedAt
        self.digest = digest
    }

    /// Parses what `text` gave. Nil for anything else.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...16).contains(parts[0].utf8.count),
            parts[0].utf8.allSatisfy({ (48...57).contains($0) }), let microseconds = Int(parts[0]),
            let digest = ConflictDigest(String(parts[1]))
        else { return nil }
        self.init(receivedAt: Timestamp(microseconds: microseconds), digest: digest)
    }

    /// What a client sends to get the next page.
    public var text: String { "\(receivedAt.microseconds).\(digest.text)" }
}

/// The digest of a document that lost, as clients write it: 64 hexadecimal digits.
public struct ConflictDigest: Sendable, Equatable {
    /// In lower case.
    public let text: String
    let bytes: [UInt8]

    /// Nil for anything that is no digest.
    public init?(_ text: String) {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        let digits = text.lowercased().utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == 64 else { return nil }
        self.text = text.lowercased()
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension ConfigurationService {
    /// Documents of one page together, unless the first alone is larger.
    private static let pageMaxBytes = 4 << 20

    /// The documents that lost, newest first; one that became a version after all is none of them. Throws `.notFound`.
    public func conflicts(
        of id: String,
        before: ConflictCursor? = nil,
        limit: Int,
        for caller: Caller
    ) async throws -> Page<LostDocument> {
        let step = HistorySQL.conflicts(
            .text(id),
            .int(before?.receivedAt.microseconds),
            before.map { .bytes($0.digest.bytes) } ?? .null,
            .int(limit + 1),
            .int(Self.pageMaxBytes)
        )
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.enter, step, record: caller.record)
        }[1]
        guard let first = rows.first else { throw CloudSyncError.notFound }
        guard !first.isNull(0) else { return Page(items: [], hasMore: false) }
        let items = (0..<min(rows.count, limit)).compactMap { LostDocument(rows[$0]) }
        return Page(items: items, hasMore: rows.count > items.count)
    }

    /// Takes a document off the list of those that lost. Throws `.notFound`.
    public func deleteConflict(_ digest: ConflictDigest, of id: String, for caller: Caller) async throws {
        let step = HistorySQL.deleteConflict(.text(id), .bytes(digest.bytes))
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.write(
                [caller.enter, ConfigurationSQL.lockHead(), step],
                key: caller.userID,
                record: caller.record
            )
        }
        if rows[2].first == nil { throw CloudSyncError.notFound }
    }
}

extension LostDocument {
    /// Nil for one that the page has no room for.
    fileprivate init?(_ row: Row) {
        guard let document = row.utf8(6), let digest = row.text(0).flatMap(ConflictDigest.init) else { return nil }
        self.digest = digest.text
        baseVersion = row.int(1) ?? 0
        editedAt = row.text(2) ?? ""
        receivedAt = row.text(3) ?? ""
        device = DeviceReference(row, at: 4)
        self.document = document
        cursor = ConflictCursor(receivedAt: Timestamp(microseconds: row.int(7) ?? 0), digest: digest)
    }
}
