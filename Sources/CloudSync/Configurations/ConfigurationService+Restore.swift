extension ConfigurationService {
    /// Makes the document of an old version the current one, as a new version; also of a deleted item. It counts as an edit of now,
    /// whatever the document's `modified_at` says. When the document is current already, nothing changes. The same request again gives
    /// the first answer again; with a key, whatever was written since. Nil names no version. Refused with `.notFound`,
    /// `.versionIsDeletion`, `.versionPruned`, `.conflict` when the conditions don't allow what is current, `.quotaExceeded`. Throws
    /// `.idempotencyKeyReused`, and `.overloaded` when others were faster all the time.
    public func restore(
        _ version: VersionTag?,
        of id: String,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> Written<WriteReceipt> {
        guard let version else { return try await written(.failure(.notFound), for: caller) }
        let sent = SentDigest("restore", Array(version.text.utf8))
        for _ in 0..<Self.triesMax {
            if let key, let kept = try await database.read(for: caller, writer.kept(key, for: caller)).first {
                return try await written(.success(kept.receipt), for: caller)
            }
            let standing = try await standing(of: id, conditions.base, sent, restoring: version, for: caller)
            let plan = try await work.run(over: standing?.byteCount ?? 0, for: caller) {
                RestorePlan(version, of: standing, conditions)
            }
            switch plan {
            case .answer(let result): return try await written(result, for: caller)
            case .write(let document, let current):
                let named = WriteConditions(ifMatch: .versions([current]))
                var write = ItemWrite(.replace, id: id, document, named, sent)
                write.editedAt = nil
                if let written = try await self.write(write, key, for: caller).unlessOvertaken { return written }
            }
        }
        throw CloudSyncError.overloaded
    }
}

/// What a restore comes to.
private enum RestorePlan: Sendable {
    /// There is nothing to write.
    case answer(Result<WriteReceipt, CloudSyncError>)
    case write(ConfigurationDocument, replacing: VersionTag)

    init(_ tag: VersionTag, of standing: Standing?, _ conditions: WriteConditions) {
        guard let standing, let version = standing.version(tag) else {
            self = .answer(.failure(.notFound))
            return
        }
        let current = standing.current
        if version.isDeleted {
            self = .answer(.failure(.versionIsDeletion))
        } else if let made = standing.made {
            self = .answer(.success(standing.receipt(of: made)))
        } else if version.isSameAsCurrent {
            self = .answer(.success(standing.receipt(of: current)))
        } else if conditions.refusal(of: current.tag, isDeleted: current.isDeleted) == .versionMismatch
            || current.isDeleted && conditions.ifMatch?.names(current.tag, isDeleted: true) == false
        {
            self = .answer(.failure(current.conflict(.versionMismatch)))
        } else if let document = version.text.flatMap({ ConfigurationDocument(stored: $0) }) {
            self = .write(document, replacing: current.tag)
        } else {
            self = .answer(.failure(.versionPruned))
        }
    }
}

extension Standing {
    fileprivate func receipt(of version: StoredVersion) -> WriteReceipt {
        WriteReceipt(id: spelledID, version: version.tag, changedAt: version.changedAt)
    }
}
