import JSON
import Postgres

/// What came of a write that asked for a merge.
public enum MergeableWrite: Sendable {
    /// The document was stored as it is, or had been.
    case stored(WriteReceipt)
    /// It was merged with what stood there.
    case merged(MadeConfiguration)
}

extension ConfigurationService {
    /// How often somebody else may be faster. Each time one of those who compete has written.
    static let mergeTriesMax = 50

    /// Replaces an item, and merges the document with the current one where If-Match names an older version whose document
    /// is still there. Everything else is answered as by `update` without merging, with the same errors. What the document
    /// loses in the merge can be read among the conflicts.
    ///
    /// Reading and writing are two transactions; what is put together is written down before, so that the same request
    /// again finds it done, or completes it.
    public func update(
        _ id: String,
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions,
        mergingBy rules: DocumentRules,
        for caller: Caller
    ) async throws -> MergeableWrite {
        guard document.hasID(id) else { throw CloudSyncError.idMismatch }
        var caller = caller
        if let base = conditions.onlyVersion,
            let written = try await write(document, base, rules, &caller)
        {
            return written
        }
        return .stored(try await update(id, document, conditions, for: caller))
    }

    /// Nil when there is nothing to merge with, or others were faster all the time.
    private func write(
        _ document: ConfigurationDocument,
        _ base: Int,
        _ rules: DocumentRules,
        _ caller: inout Caller
    ) async throws -> MergeableWrite? {
        let key = MergeKey(id: document.id, digest: document.digest, baseVersion: base)
        var outdatedVersion = 0
        for _ in 0..<Self.mergeTriesMax {
            guard let standing = try await standing(key, base, for: caller) else { return nil }
            if standing.current.version == base {
                guard let receipt = try await store(document, base, &caller) else { continue }
                return .stored(receipt)
            }
            guard let attempt = MergeAttempt(of: document, base, on: standing, outdatedVersion, rules) else {
                return nil
            }
            if let made = try await merge(document, attempt, key, &caller) { return .merged(made) }
            outdatedVersion = attempt.stored.version
        }
        return nil
    }

    /// Writes the document as it is in the place of the version that it was made from; nil when that is no longer the
    /// current one.
    private func store(
        _ document: ConfigurationDocument,
        _ base: Int,
        _ caller: inout Caller
    ) async throws -> WriteReceipt? {
        do {
            let conditions = WriteConditions(ifMatch: .versions([base]))
            return try await update(document.id, document, conditions, for: caller)
        } catch CloudSyncError.conflict(let conflict) where conflict.reason == .versionMismatch {
            caller = caller.withoutNonce
            return nil
        }
    }

    /// Writes what was put together; nil when the version it was put together with is no longer the current one.
    private func merge(
        _ document: ConfigurationDocument,
        _ attempt: MergeAttempt,
        _ key: MergeKey,
        _ caller: inout Caller
    ) async throws -> MadeConfiguration? {
        // A loser that found no room the first time is tried again.
        if !attempt.isRetry || attempt.hasLoss {
            try await record(key, attempt.stored, loser: attempt.hasLoss ? document : nil, &caller)
        }
        guard let merged = attempt.document else {
            try await takeNonce(of: caller)
            return MadeConfiguration(attempt.stored, attempt.conflicts)
        }
        guard let receipt = try await replace(attempt.stored, key.id, by: merged, &caller) else { return nil }
        return MadeConfiguration(receipt, merged, attempt.conflicts)
    }
}

// The steps that a merge and a patch are made of. Each checks the session; the first one that writes takes the nonce.
extension ConfigurationService {
    /// What there is to put something together with, and those of two versions that exist; nil for an unknown item.
    func standing(_ key: MergeKey, _ base: Int?, _ next: Int? = nil, for caller: Caller) async throws -> Standing? {
        let step = ConfigurationSQL.standing(
            .text(key.id),
            .bytes(key.digest),
            .int(key.baseVersion),
            .int(base),
            .int(next)
        )
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.withoutNonce.enter, step, record: caller.record)
        }
        return Standing(rows[1])
    }

    /// Writes down what is put together with what, and keeps the document that loses by it.
    func record(
        _ key: MergeKey,
        _ stored: StoredVersion,
        loser: ConfigurationDocument? = nil,
        _ caller: inout Caller
    ) async throws {
        let (id, version) = (Parameter.text(key.id), Parameter.int(stored.version))
        var steps = [
            ConfigurationSQL.lockHead(),
            ConfigurationSQL.recordMerge(id, .bytes(key.digest), .int(key.baseVersion), version),
        ]
        if let loser {
            steps.append(
                ConfigurationSQL.keepLoser(
                    id,
                    .bytes(loser.digest),
                    .utf8(loser.prefix),
                    .utf8(loser.suffix),
                    version,
                    .int(loser.modifiedAt.microseconds),
                    .int(quotas.historyMaxBytes)
                )
            )
        }
        let results = try await run(steps, caller)
        caller = caller.withoutNonce
        // There may be no room for it.
        if loser != nil, let kept = results.last?.first { _ = try WriteReceipt(kept, quotas) }
    }

    /// Writes the document in the place of that version; nil when that is no longer the current one.
    func replace(
        _ stored: StoredVersion,
        _ id: String,
        by document: ConfigurationDocument,
        _ caller: inout Caller
    ) async throws -> WriteReceipt? {
        let conditions = WriteConditions(ifMatch: .versions([stored.version]))
        do {
            let receipt = try await update(id, document, conditions, for: caller)
            caller = caller.withoutNonce
            // The answer of an older version: the item has had this document, and has another one now.
            return receipt.version > stored.version ? receipt : nil
        } catch CloudSyncError.conflict {
            caller = caller.withoutNonce
            return nil
        }
    }

    /// Takes the nonce of a request that has nothing else to write: it must not be taken again.
    func takeNonce(of caller: Caller) async throws {
        if caller.nonce != nil { try await run([], caller) }
    }

    @discardableResult
    private func run(_ steps: [Step], _ caller: Caller) async throws -> [Rows] {
        try await CloudSync.database { () throws(DatabaseError) in
            try await database.write([caller.enter] + steps, key: caller.userID, record: caller.record)
        }
    }
}
