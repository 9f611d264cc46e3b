/// The changes of a request. Its writes are judged in order; each sees the state that the earlier ones leave.
struct WritePlan {
    /// A version to store.
    struct Change {
        let write: ItemWrite
        let spelledID: String
        let text: [UInt8]?
        let made: SyncToken
        let changedAt: Timestamp
        let editedAt: Timestamp

        var isNew: Bool { made.item?.version == 1 }
    }

    /// A losing document to store.
    struct Loser {
        let id: String
        let digest: [UInt8]
        let text: [UInt8]
        /// The version that it lost against.
        let base: Int
        let editedAt: Timestamp
    }

    let receivedAt: Timestamp
    let quotas: AccountQuotas
    private(set) var head: AccountHead
    private(set) var changes: [Change] = []
    private(set) var losers: [Loser] = []

    init(_ head: AccountHead, receivedAt: Timestamp, _ quotas: AccountQuotas) {
        self.head = head
        self.receivedAt = receivedAt
        self.quotas = quotas
    }

    /// Judges a write and plans its effects. `contest` is set if `Contest.isNeeded` is true.
    mutating func add(
        _ write: ItemWrite,
        _ stored: StoredItem?,
        _ contest: Contest?
    ) throws -> Result<WriteReceipt, CloudSyncError> {
        let found = write.replacesNamed(stored) ? nil : contest?.made ?? stored?.made
        let made = found?.isRepeated(by: write, receivedAt: receivedAt) == true ? found : nil
        switch WriteVerdict(on: write, stored, made: made, receivedAt: receivedAt) {
        case .unknown: return .failure(.problem(.notFound))
        case .repeated: return stored.map { .success($0.receipt(made)) } ?? .failure(CloudSyncError.problem(.notFound))
        case .conflict(let reason): return .failure(refuse(write, stored, contest, reason))
        case .accepted: return try accept(write, stored, contest)
        }
    }

    /// Plans to store a document that lost in a merge, unless it is already stored. Fails with `.quotaExceeded`,
    /// `.notFound`.
    mutating func keepLoser(
        of write: ItemWrite,
        _ stored: StoredItem?,
        _ contest: Contest?,
        against version: VersionTag
    ) -> Result<Void, CloudSyncError> {
        guard let stored else { return .failure(.problem(.notFound)) }
        let (content, editedAt) = (write.loser?.content, write.loser?.editedAt)
        guard let loser = lost(content, editedAt: editedAt, of: write, stored, contest, against: version) else {
            return .success(())
        }
        if let excess = quotas.exceededHistory(addedBytes: loser.text.count, head.use) {
            return .failure(.quotaExceeded(excess))
        }
        keep(loser)
        return .success(())
    }

    private mutating func accept(
        _ write: ItemWrite,
        _ stored: StoredItem?,
        _ contest: Contest?
    ) throws -> Result<WriteReceipt, CloudSyncError> {
        let spelledID = stored?.spelledID ?? write.spelledID
        let text = write.content?.text(spelledID: spelledID)
        let loser = stored.flatMap { stored in
            lost(write.loser?.content, editedAt: write.loser?.editedAt, of: write, stored, contest)
        }
        let documentBytes = text?.count ?? 0
        if let excess = quotas.exceeded(
            by: write,
            stored,
            documentBytes: documentBytes,
            addedBytes: documentBytes + (loser?.text.count ?? 0),
            head.use
        ) {
            return .failure(.quotaExceeded(excess))
        }
        let made = try head.change(write, stored, receivedAt: receivedAt, bytes: documentBytes)
        if let loser { keep(loser) }
        changes.append(
            Change(
                write: write,
                spelledID: spelledID,
                text: text,
                made: made,
                changedAt: head.changedAt,
                editedAt: write.edited(by: receivedAt)
            )
        )
        let version = VersionTag(made.item?.version ?? 1, made.chain)
        return .success(WriteReceipt(id: spelledID, version: version, changedAt: head.changedAt.text))
    }

    /// A conflict promises that the losing document is stored, unless a condition of the request rejected it.
    private mutating func refuse(
        _ write: ItemWrite,
        _ stored: StoredItem?,
        _ contest: Contest?,
        _ reason: WriteConflict.Reason
    ) -> CloudSyncError {
        if reason != .versionMismatch, let stored,
            let loser = lost(write.content, editedAt: write.editedAt, of: write, stored, contest)
        {
            if let excess = quotas.exceededHistory(addedBytes: loser.text.count, head.use) {
                return .quotaExceeded(excess)
            }
            keep(loser)
        }
        return .conflict(WriteConflict(reason: reason, current: contest?.document, version: stored?.version))
    }

    /// Nil for a document that is already stored.
    private func lost(
        _ content: ItemContent?,
        editedAt: Timestamp?,
        of write: ItemWrite,
        _ stored: StoredItem,
        _ contest: Contest?,
        against version: VersionTag? = nil
    ) -> Loser? {
        guard let content, contest?.isLoserKept != true else { return nil }
        return Loser(
            id: write.id,
            digest: content.digest,
            text: content.text(spelledID: stored.spelledID),
            base: (version ?? stored.version).number,
            editedAt: (editedAt ?? receivedAt).limited(by: receivedAt)
        )
    }

    private mutating func keep(_ loser: Loser) {
        head.keepLoser(bytes: loser.text.count)
        losers.append(loser)
    }
}

extension StoredItem {
    /// The receipt of an earlier write by the same request, or with the same outcome.
    fileprivate func receipt(_ made: MadeVersion?) -> WriteReceipt {
        WriteReceipt(
            id: spelledID,
            version: made?.version ?? version,
            changedAt: (made?.changedAt ?? changedAt).text
        )
    }
}
