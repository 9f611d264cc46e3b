/// The verdict on a write, before quotas.
enum WriteVerdict: Sendable, Equatable {
    /// The write is stored.
    case accepted
    /// It was stored earlier, by the same request or with the same outcome; or it changes nothing.
    case repeated
    /// No such item.
    case unknown
    /// Another version blocks the write.
    case conflict(WriteConflict.Reason)

    /// The only rule for writes (docs/client.md). `stored` is nil for an item that never existed. `made` is the version
    /// that the same request made earlier.
    init(on write: ItemWrite, _ stored: StoredItem?, made: MadeVersion?, receivedAt: Timestamp) {
        guard let stored else {
            let isNew = write.kind == .create || write.kind == .delete && write.isReserved
            self = isNew ? (write.conditions.ifMatch == nil ? .accepted : .conflict(.versionMismatch)) : .unknown
            return
        }
        let conditions = write.conditions
        if made != nil || stored.isDeleted && write.kind == .delete {
            self = .repeated
        } else if stored.isSame(as: write), !conditions.namesAsTag(stored), !write.changesNothing {
            self = .repeated
        } else if let reason = conditions.refusal(of: stored.version, isDeleted: stored.isDeleted) {
            self = .conflict(reason)
        } else if write.changesNothing {
            self = .repeated
        } else if write.kind == .create, !stored.isDeleted {
            self = .conflict(.exists)
        } else if write.kind == .replace, conditions.ifMatch == nil, write.edited(by: receivedAt) < stored.editedAt {
            self = .conflict(.editedLater)
        } else {
            self = .accepted
        }
    }
}

extension ItemWrite {
    /// True if If-Match has the tag of the current version: neither this request nor another has replaced it yet.
    func replacesNamed(_ stored: StoredItem?) -> Bool { stored.map { conditions.namesAsTag($0) } ?? false }

    /// The time of the edit, as it counts.
    func edited(by receivedAt: Timestamp) -> Timestamp { (editedAt ?? receivedAt).limited(by: receivedAt) }
}

extension Timestamp {
    /// The time of an edit, at most the time of arrival: a clock that is ahead wins nothing. This is the only place
    /// that limits it. The verdict, the stored row and merges rely on it.
    func limited(by receivedAt: Timestamp) -> Timestamp { min(self, receivedAt) }
}

extension MadeVersion {
    /// True if the write, which is the same request, is a retry. Deletions without a tag are all the same request: one
    /// is a retry as long as a key would make it one, and later it deletes what others have brought back.
    func isRepeated(by write: ItemWrite, receivedAt: Timestamp) -> Bool {
        guard write.kind == .delete, write.conditions.tags == nil else { return true }
        return receivedAt.microseconds - changedAt.microseconds < IdempotencyKey.lifetimeSeconds * 1_000_000
    }
}

extension StoredItem {
    fileprivate func isSame(as write: ItemWrite) -> Bool { digest != nil && digest == write.content?.digest }
}

extension WriteConditions {
    /// Returns true if If-Match names the tag of this version; `*` does not count.
    fileprivate func namesAsTag(_ stored: StoredItem) -> Bool {
        tags?.contains(stored.version) == true
    }
}
