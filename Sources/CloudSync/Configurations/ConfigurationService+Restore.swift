import JSON
import Postgres

extension ConfigurationService {
    /// Each try loses to another write of the same item only.
    private static let triesMax = 20

    /// Makes the document of an old version the current one, as a new version; also of a deleted item. It counts as an edit of
    /// now, whatever the document's `modified_at` says. When the document is current already, nothing changes; a retry is
    /// answered as the first time, and with a key the same request again, whatever was written since. Throws `.notFound`,
    /// `.versionIsDeletion`, `.versionPruned`, `.conflict` when the conditions don't allow what is current, `.quotaExceeded`, and
    /// `.idempotencyKeyReused`.
    public func restore(
        _ version: Int,
        of id: String,
        _ conditions: WriteConditions = WriteConditions(),
        _ key: IdempotencyKey? = nil,
        for caller: Caller
    ) async throws -> WriteReceipt {
        var writer = caller
        for _ in 0..<Self.triesMax {
            switch try await restorePlan(version, of: id, conditions, key, for: caller) {
            case .answer(let result):
                if try await settle(result, key, for: writer) { return try result.get() }
                writer = caller.withoutNonce
            case .again(let result):
                _ = try await settle(result, nil, for: writer)
                return try result.get()
            case .write(let document, let current):
                if let receipt = try await replace(id, current, by: document, key, for: &writer) { return receipt }
            }
        }
        throw CloudSyncError.overloaded
    }

    /// Nil when another version is current.
    private func replace(
        _ id: String,
        _ current: Int,
        by document: ConfigurationDocument,
        _ key: IdempotencyKey?,
        for caller: inout Caller
    ) async throws -> WriteReceipt? {
        if let key { return try await replaceOnce(id, current, by: document, key, for: caller) }
        let receipt = try await replace(id, current, by: document, for: caller)
        // Where somebody was faster, the write that changed nothing has taken the nonce.
        caller = caller.withoutNonce
        return receipt
    }

    /// Nil when another version is current. The write rules then take an old document for a retry, and answer with the version
    /// that had it.
    private func replace(
        _ id: String,
        _ current: Int,
        by document: ConfigurationDocument,
        for caller: Caller
    ) async throws -> WriteReceipt? {
        do {
            let named = WriteConditions(ifMatch: .versions([current]))
            let receipt = try await update(id, document.editedNow, named, for: caller)
            return receipt.version == current + 1 ? receipt : nil
        } catch CloudSyncError.conflict {
            return nil
        }
    }

    /// The same for a key. Nothing happens when another version is current: neither is the key taken for what was too late, nor
    /// the nonce.
    private func replaceOnce(
        _ id: String,
        _ current: Int,
        by document: ConfigurationDocument,
        _ key: IdempotencyKey,
        for caller: Caller
    ) async throws -> WriteReceipt? {
        let named = WriteConditions(ifMatch: .versions([current]))
        let write = ConfigurationWrite(.replace, id: id, document.editedNow, named)
        let expect = ConfigurationSQL.expectVersion(.text(id), .int(current))
        let rows = try await CloudSync.database { () throws(DatabaseError) -> Rows? in
            let steps = [caller.enter, expect, batchStep([write], isAtomic: false, key)]
            do throws(DatabaseError) {
                return try await database.write(steps, key: caller.userID, record: caller.record)[2]
            } catch .refused(let refusal) where refusal.state == "NV010" {
                return nil
            }
        }
        guard let rows else { return nil }
        guard let row = rows.first else { throw CloudSyncError.notFound }
        return try WriteReceipt(row, quotas)
    }

    /// Takes the nonce of a request that writes nothing, since a signed one is taken once, however it is answered, and keeps the
    /// answer for a key. False when the key was taken meanwhile.
    private func settle(_ result: RestoreResult, _ key: IdempotencyKey?, for caller: Caller) async throws -> Bool {
        let keep = key.flatMap { key in result.kept.map { keepStep($0, key) } }
        if caller.nonce == nil && keep == nil { return true }
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            let steps = [caller.enter] + (keep.map { [$0] } ?? [])
            return try await database.write(steps, key: caller.userID, record: caller.record)
        }
        return keep == nil || rows[1].first?.bool(0) ?? true
    }

    private func keepStep(_ answer: KeptAnswer, _ key: IdempotencyKey) -> Step {
        ConfigurationSQL.keepAnswer(
            .text(key.text),
            .bytes(key.requestDigest),
            .int(idempotencyKeyLifetimeSeconds),
            .text(answer.verdict),
            .text(answer.id),
            .int(answer.version),
            .text(answer.changedAt),
            answer.current.map { .utf8($0[...]) } ?? .null,
            .int(quotas.historyMaxBytes)
        )
    }

    private func restorePlan(
        _ version: Int,
        of id: String,
        _ conditions: WriteConditions,
        _ key: IdempotencyKey?,
        for caller: Caller
    ) async throws -> RestorePlan {
        let named = conditions.ifMatch?.versions
        let step = HistorySQL.restore(.text(id), .int(version), .bool(named != nil), .ints(named))
        let kept = ConfigurationSQL.keptAnswer(
            .text(key?.text),
            key.map { .bytes($0.requestDigest) } ?? .null,
            .int(idempotencyKeyLifetimeSeconds)
        )
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.withoutNonce.enter, kept, step, record: caller.record)
        }
        if let row = rows[1].first {
            return .again(Result { () throws(CloudSyncError) in try WriteReceipt(row, quotas) })
        }
        guard let row = rows[2].first, let current = row.int(1), !row.isNull(6) else {
            return .answer(.failure(.notFound))
        }
        return RestorePlan(row, current: current, conditions)
    }
}

private typealias RestoreResult = Result<WriteReceipt, CloudSyncError>

/// What a restore comes to.
private enum RestorePlan {
    /// Nothing is to be written.
    case answer(RestoreResult)
    /// The same was asked with the same key before, or another request was.
    case again(RestoreResult)
    case write(ConfigurationDocument, replacing: Int)

    init(_ row: Row, current: Int, _ conditions: WriteConditions) {
        func receipt(_ version: Int, _ time: Int) -> RestoreResult {
            .success(WriteReceipt(id: row.text(0) ?? "", version: version, changedAt: row.text(time) ?? ""))
        }
        let isDeleted = row.bool(2) ?? false
        if row.bool(7) == true {
            self = .answer(.failure(.versionIsDeletion))
        } else if let made = row.int(9) {
            self = .answer(receipt(made, 10))
        } else if row.bool(4) == true {
            self = .answer(receipt(current, 5))
        } else if !conditions.allow(current, isDeleted: isDeleted) {
            let conflict = ConfigurationConflict(reason: .versionMismatch, current: row.utf8(3), version: current)
            self = .answer(.failure(.conflict(conflict)))
        } else if let document = row.utf8(8).flatMap({ ConfigurationDocument(stored: $0) }) {
            self = .write(document, replacing: current)
        } else {
            self = .answer(.failure(.versionPruned))
        }
    }
}

/// What is kept of an answer for an Idempotency-Key: a `write_result`.
private struct KeptAnswer {
    var verdict: String
    var id: String?
    var version: Int?
    var changedAt: String?
    var current: [UInt8]?
}

extension RestoreResult {
    /// Nil for a refusal that no write gives, and that stays what it is.
    fileprivate var kept: KeptAnswer? {
        switch self {
        case .success(let receipt):
            KeptAnswer(verdict: "repeated", id: receipt.id, version: receipt.version, changedAt: receipt.changedAt)
        case .failure(.conflict(let conflict)):
            KeptAnswer(verdict: "mismatch", version: conflict.version, current: conflict.current)
        case .failure(.notFound): KeptAnswer(verdict: "unknown")
        case .failure: nil
        }
    }
}

extension WriteConditions {
    /// Whether a write may replace that version. `*` means any that is not deleted.
    fileprivate func allow(_ version: Int, isDeleted: Bool) -> Bool {
        func names(_ condition: VersionCondition) -> Bool {
            condition == .any ? !isDeleted : condition.names(version)
        }
        return ifMatch.map(names) ?? true && !(ifNoneMatch.map(names) ?? false)
    }
}
