/// Writes documents that are made from a stored version: merges, patches and restores. Reading and writing are two
/// transactions. The write names the version that was read, and starts again if another version is current.
struct DerivedWriter: Sendable {
    let database: CallerDatabase
    let writer: ItemWriter

    /// Limit of tries that lose to another write. With each lost try, a competing write has succeeded.
    private static let triesMax = 50
    /// Limits of the versions since the base that may equal an outcome that made no version, and of the bytes of their
    /// documents.
    private static let recentMax = (versions: 50, bytes: 4 << 20)

    /// The first write of the same request with that key.
    func kept(_ key: IdempotencyKey, for caller: Caller) async throws -> KeptWrite? {
        try await database.read(for: caller, writer.kept(key, for: caller)).first
    }

    /// Reads the versions that a write derives from; nil for an unknown item.
    func sources(
        of id: String,
        _ base: VersionTag?,
        _ sent: SentDigest,
        restoring version: VersionTag? = nil,
        for caller: Caller
    ) async throws -> ItemSources? {
        let query = ConfigurationSQL.sources(
            .text(caller.userID),
            .text(id),
            .int(base?.number),
            .bytes(sent.bytes),
            .text(caller.sessionID),
            .int(version?.number),
            .int(Self.recentMax.versions),
            .int(Self.recentMax.bytes)
        )
        return ItemSources(try await database.read(for: caller, on: .large, query), base)
    }

    /// Reads and writes until no other write comes in between; `attempt` returns nil if one did. Throws `.overloaded` if
    /// other writes were faster every time.
    func retried<Outcome>(_ attempt: () async throws -> Outcome?) async throws -> Outcome {
        for _ in 0..<Self.triesMax {
            if let outcome = try await attempt() { return outcome }
        }
        throw CloudSyncError.problem(.overloaded)
    }

    /// Replaces the current version by a derived document; nil if another version is current by then. An edit of now
    /// ignores the `modified_at` of the document.
    func replace(
        _ current: StoredVersion,
        _ document: ConfigurationDocument,
        _ sent: SentDigest,
        loser: ConfigurationDocument? = nil,
        key: IdempotencyKey? = nil,
        isEditOfNow: Bool = false,
        for caller: Caller
    ) async throws -> Written<WriteReceipt>? {
        let conditions = WriteConditions(ifMatch: .versions([current.tag]))
        var write = ItemWrite(.replace, id: document.id, document, conditions, sent)
        write.loser = loser.map { (content: $0.content, editedAt: $0.modifiedAt) }
        if isEditOfNow { write.editedAt = nil }
        return try await writer.write(write, key, for: caller).unlessOvertaken
    }

    /// Answers a request that has nothing to write. Spends its nonce: a signed request is accepted once, also without
    /// a write. Adds the head.
    func answer<Value>(
        _ result: Result<Value, CloudSyncError>,
        for caller: Caller
    ) async throws -> Written<Value> {
        let head = SyncSQL.configurations.head(.text(caller.userID))
        return Written(result, try await database.write(for: caller, head).first)
    }
}

extension Written {
    /// Nil for a write with a condition that names an outdated version.
    var unlessOvertaken: Written? {
        if case .failure(.conflict(let conflict)) = result, conflict.reason != .exists { return nil }
        return self
    }
}
