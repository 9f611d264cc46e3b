import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The history of configurations on the server.
extension NeuroViews {
    /// The most items that the server puts into a page.
    private static let pageMax: Int64 = 1000

    /// The versions of a configuration, newest first, deletions included. `before` is the ``Page/next`` of the page before.
    public func versions(of id: UUID, before: String? = nil) async throws(ClientError) -> Page<Version> {
        try await read(Self.path(id, "versions", before)) { Page($0, "versions") { Version($0) } }
    }

    /// The document of a version. The server keeps the newest ones only: see ``Version/hasDocument``.
    public func version(of id: UUID, _ tag: VersionTag) async throws(ClientError) -> CameraConfiguration {
        CameraConfiguration(try await document(of: id, tag), id: id)
    }

    /// The documents that lost a conflict on the server, newest first. `before` is the ``Page/next`` of the page before.
    public func conflicts(of id: UUID, before: String? = nil) async throws(ClientError) -> Page<Conflict> {
        try await read(Self.path(id, "conflicts", before)) { Page($0, "conflicts") { Conflict($0, of: id) } }
    }

    /// The ids of the configurations that are deleted on the server, the oldest deletion first. ``versions(of:before:)`` has what
    /// can be restored. The server sends all documents along: ask seldom.
    public func deletedConfigurations() async throws(ClientError) -> [UUID] {
        var (pull, deleted, hasMore) = (Pull(token: nil, seen: []), [String](), true)
        while hasMore {
            let page = try await read(pull.path(limit: Self.pageMax)) { NeuroViewsRules.Page($0) }
            if page.isReset { deleted = [] }
            // An item that changes between two pages comes twice.
            let arrived = Set(page.copies.map(\.id))
            deleted.removeAll { arrived.contains($0) }
            deleted += page.copies.filter { $0.copy.document == nil }.map(\.id)
            pull.take(page)
            hasMore = page.hasMore
        }
        return deleted.compactMap { UUID(uuidString: $0) }
    }

    /// Takes a document off the conflicts: the user has seen it.
    public func resolve(_ conflict: Conflict) async throws(ClientError) {
        try await remove(Self.path(conflict.configurationID, "conflicts/\(conflict.digest)"))
    }

    /// Makes an older version the current document again, also of a deleted configuration.
    ///
    /// It reads the version from the server. The rest is an edit of all members like any other: it is on disk when this
    /// returns, and is sent with the next sync.
    public func restore(_ id: UUID, to tag: VersionTag) async throws(ClientError) -> StoredConfiguration {
        let store = try openedStore()
        let document = try await document(of: id, tag)
        let deletion = try await deletion(of: id, in: store)
        let now = Instant.now
        let item = try store.change(id.uuidString.lowercased()) { item throws(ClientError) in
            if item.isUnknown { item.copy = deletion }
            item.replace(with: document, at: now)
            return item
        }
        noteEdit([id])
        guard let stored = StoredConfiguration(item, at: now) else { throw .nothingShown(id) }
        return stored
    }

    /// The tombstone of a configuration that is not shown here: without it the server would take the edit for a new item.
    private func deletion(of id: UUID, in store: Store) async throws(ClientError) -> Copy? {
        guard try store.item(id.uuidString.lowercased())?.isUnknown != false else { return nil }
        let newest = try await read(Self.path(id, "versions") + "?limit=1") { Page($0, "versions") { Version($0) } }
        guard let current = newest.items.first, current.isDeletion else { return nil }
        return Copy(tag: current.tag.text, document: nil)
    }

    private func document(of id: UUID, _ tag: VersionTag) async throws(ClientError) -> Document {
        guard let number = tag.number else { throw .invalidArgument("\(tag) is no tag of a configuration's version.") }
        let answer = try await ask("GET", Self.path(id, "versions/\(number)"))
        // After a restore of the server the same number may be another version.
        guard answer.tag == tag.text else { throw .invalidArgument("The history of \(id) has no version \(tag).") }
        guard let document = Document(answer.json),
            document.object["id"]?.string.flatMap({ UUID(uuidString: $0) }) == id
        else { throw .unexpectedAnswer("The answer is not version \(tag) of \(id).") }
        return document
    }

    private static func path(_ id: UUID, _ place: String, _ before: String? = nil) -> String {
        let query = before.map { "?before=" + $0.percentEncoded } ?? ""
        return "/configurations/\(id.uuidString.lowercased())/\(place)\(query)"
    }
}

extension Item {
    /// True if this device has no state of it.
    fileprivate var isUnknown: Bool { copy == nil && part == nil && edit == nil }
}
