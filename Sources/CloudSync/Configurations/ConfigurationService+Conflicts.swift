import Crypto
import Postgres

/// A document that lost a conflict.
public struct LostDocument: Sendable {
    /// Names it among the losers of its item: the digest of the document, in hexadecimal.
    public let digest: String
    /// The version that it lost against.
    public let baseVersion: VersionTag
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
        guard text.utf8.count == 64, let bytes = Hex.decode(Array(text.utf8)[...]) else { return nil }
        self.text = text.lowercased()
        self.bytes = bytes
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
        let query = HistorySQL.conflicts(
            .text(id),
            .int(before?.receivedAt.microseconds),
            before.map { .bytes($0.digest.bytes) } ?? .null,
            .int(limit + 1),
            .int(Self.pageMaxBytes)
        )
        let found = try await database.read(for: caller, query)
        switch found.first {
        case nil: throw CloudSyncError.notFound
        case .some(.none): return Page(items: [], hasMore: false)
        default:
            let items = found.prefix(limit).compactMap { $0 }
            return Page(items: items, hasMore: found.count > items.count)
        }
    }

    /// Takes a document off the list of those that lost. Throws `.notFound`.
    public func deleteConflict(_ digest: ConflictDigest, of id: String, for caller: Caller) async throws {
        let delete = HistorySQL.deleteConflict(.text(id), .bytes(digest.bytes))
        let (_, deleted) = try await database.write(for: caller, HistorySQL.lockHead(), delete)
        if deleted.isEmpty { throw CloudSyncError.notFound }
    }
}

extension LostDocument {
    /// Nil where the item has none, and for one that the page has no room for.
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
