import JSON
import Postgres

extension ConfigurationService {
    /// Each try loses to another write of the same item only.
    private static let triesMax = 20

    /// Makes the document of an old version the current one, as a new version; also of a deleted item. It counts as an edit of
    /// now, whatever the document's `modified_at` says. When the document is current already, nothing changes; a retry is
    /// answered as the first time. Throws `.notFound`, `.versionIsDeletion`, `.versionPruned`, and `.conflict` when the
    /// conditions don't allow what is current.
    public func restore(
        _ version: Int,
        of id: String,
        _ conditions: WriteConditions = WriteConditions(),
        for caller: Caller
    ) async throws -> WriteReceipt {
        var writer = caller
        for _ in 0..<Self.triesMax {
            let plan = try await restorePlan(version, of: id, conditions, for: caller)
            guard case .write(let document, let current) = plan else { return try await settle(plan, for: writer) }
            if let receipt = try await replace(id, current, by: document, for: writer) { return receipt }
            // Somebody was faster. The write that changed nothing has taken the nonce.
            writer = caller.withoutNonce
        }
        throw CloudSyncError.overloaded
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

    /// Takes the nonce of a request that writes nothing: a signed one is taken once, however it is answered.
    private func settle(_ plan: RestorePlan, for caller: Caller) async throws -> WriteReceipt {
        if caller.nonce != nil {
            _ = try await CloudSync.database { () throws(DatabaseError) in
                try await database.write([caller.enter], key: caller.userID, record: caller.record)
            }
        }
        switch plan {
        case .answer(let receipt): return receipt
        case .refuse(let error): throw error
        case .write: throw CloudSyncError.overloaded
        }
    }

    private func restorePlan(
        _ version: Int,
        of id: String,
        _ conditions: WriteConditions,
        for caller: Caller
    ) async throws -> RestorePlan {
        let named = conditions.ifMatch?.versions
        let step = HistorySQL.restore(.text(id), .int(version), .bool(named != nil), .ints(named))
        let rows = try await CloudSync.database { () throws(DatabaseError) in
            try await database.read(caller.withoutNonce.enter, step, record: caller.record)
        }
        guard let row = rows[1].first, let current = row.int(1), !row.isNull(6) else { return .refuse(.notFound) }
        return RestorePlan(row, current: current, conditions)
    }
}

/// What a restore comes to.
private enum RestorePlan {
    case answer(WriteReceipt)
    case refuse(CloudSyncError)
    case write(ConfigurationDocument, replacing: Int)

    init(_ row: Row, current: Int, _ conditions: WriteConditions) {
        func receipt(_ version: Int, _ time: Int) -> WriteReceipt {
            WriteReceipt(id: row.text(0) ?? "", version: version, changedAt: row.text(time) ?? "")
        }
        let isDeleted = row.bool(2) ?? false
        if row.bool(7) == true {
            self = .refuse(.versionIsDeletion)
        } else if let made = row.int(9) {
            self = .answer(receipt(made, 10))
        } else if row.bool(4) == true {
            self = .answer(receipt(current, 5))
        } else if !conditions.allow(current, isDeleted: isDeleted) {
            let conflict = ConfigurationConflict(reason: .versionMismatch, current: row.utf8(3), version: current)
            self = .refuse(.conflict(conflict))
        } else if let text = row.utf8(8) {
            self = ConfigurationDocument(stored: text).map { .write($0, replacing: current) } ?? .refuse(.versionPruned)
        } else {
            self = .refuse(.versionPruned)
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
