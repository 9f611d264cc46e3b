/// Makes old versions of the caller's configurations current again.
package struct RestoreService: Sendable {
    let derived: DerivedWriter
    let work: LargeWork

    /// Makes the document of an old version the current one, as a new version; also for a deleted item. It counts as an
    /// edit of now, regardless of `modified_at` in the document. Does nothing if the document is already current. A
    /// retry returns the first response; with a key, it does so even after later writes. A nil `version` is not found.
    ///
    /// Fails with `.notFound`, `.versionIsDeletion`, `.versionPruned`, `.conflict` if the conditions do not allow the
    /// current version, `.quotaExceeded`. Throws `.idempotencyKeyReused`, and `.overloaded` if other writes were faster
    /// every time.
    package func restore(
        _ version: VersionTag?,
        of id: String,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        guard let version else { return try await derived.answer(.failure(.problem(.notFound)), for: caller) }
        let sent = SentDigest("restore", Array(version.text.utf8))
        return try await derived.retried {
            if let key, let kept = try await derived.kept(key, for: caller) {
                return try await derived.answer(.success(kept.receipt), for: caller)
            }
            let sources = try await derived.sources(of: id, conditions.base, sent, restoring: version, for: caller)
            let plan = try await work.run(over: sources?.byteCount ?? 0, for: caller) {
                RestorePlan(version, of: sources, conditions)
            }
            switch plan {
            case .answer(let result): return try await derived.answer(result, for: caller)
            case .write(let document, let current):
                return try await derived.replace(current, document, sent, key: key, isEditOfNow: true, for: caller)
            }
        }
    }
}

/// The outcome of a restore.
private enum RestorePlan: Sendable {
    /// There is nothing to write.
    case answer(Result<WriteReceipt, CloudSyncError>)
    case write(ConfigurationDocument, replacing: StoredVersion)

    init(_ tag: VersionTag, of sources: ItemSources?, _ conditions: WriteConditions) {
        guard let sources, let version = sources.version(tag) else {
            self = .answer(.failure(.problem(.notFound)))
            return
        }
        let current = sources.current
        if version.isDeleted {
            self = .answer(.failure(.problem(.versionIsDeletion)))
        } else if let made = sources.made {
            self = .answer(.success(sources.receipt(of: made)))
        } else if version.isSameAsCurrent {
            self = .answer(.success(sources.receipt(of: current)))
        } else if !conditions.allowsRestore(over: current.tag, isDeleted: current.isDeleted) {
            self = .answer(.failure(current.conflict(.versionMismatch)))
        } else if let document = version.text.flatMap({ ConfigurationDocument(stored: $0) }) {
            self = .write(document, replacing: current)
        } else {
            self = .answer(.failure(.problem(.versionPruned)))
        }
    }
}

extension ItemSources {
    fileprivate func receipt(of version: StoredVersion) -> WriteReceipt {
        WriteReceipt(id: spelledID, version: version.tag, changedAt: version.changedAt)
    }
}
