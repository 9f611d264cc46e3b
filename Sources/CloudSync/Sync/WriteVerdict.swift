/// The verdict on a write, before quotas.
enum WriteVerdict: Sendable, Equatable {
    /// It is to be written.
    case accepted
    /// It was written before, by the same request or with the same outcome.
    case repeated
    /// No such item.
    case unknown
    /// Another version stands in its way.
    case conflict(WriteConflict.Reason)

    /// The one rule of writes (docs/client.md). `stored` is nil for an item that never existed; `made` is what the same request has
    /// made before.
    init(on write: ItemWrite, _ stored: StoredItem?, made: MadeVersion?, receivedAt: Timestamp) {
        guard let stored else {
            let isNew = write.kind == .create || write.kind == .delete && write.isReserved
            self = isNew ? (write.conditions.ifMatch == nil ? .accepted : .conflict(.versionMismatch)) : .unknown
            return
        }
        let conditions = write.conditions
        if made != nil || stored.isDeleted && write.kind == .delete {
            self = .repeated
        } else if stored.isSame(as: write), !conditions.namesAsTag(stored) {
            self = .repeated
        } else if let reason = conditions.refusal(of: stored.version, isDeleted: stored.isDeleted) {
            self = .conflict(reason)
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
    /// Whether If-Match has the tag of the current version: nothing has replaced that yet, neither this request nor another.
    func replacesNamed(_ stored: StoredItem?) -> Bool { stored.map { conditions.namesAsTag($0) } ?? false }

    /// When it was edited. Nothing was edited after it was received.
    func edited(by receivedAt: Timestamp) -> Timestamp { min(editedAt ?? receivedAt, receivedAt) }
}

extension StoredItem {
    fileprivate func isSame(as write: ItemWrite) -> Bool { digest != nil && digest == write.content?.digest }
}

extension WriteConditions {
    /// Whether If-Match says that just this version is to be replaced; `*` does not.
    fileprivate func namesAsTag(_ stored: StoredItem) -> Bool {
        tags?.contains(stored.version) == true
    }
}
