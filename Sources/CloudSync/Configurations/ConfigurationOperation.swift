/// One operation of a batch.
package struct ConfigurationOperation: Sendable {
    let write: ItemWrite

    /// Stores a new item.
    package static func create(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions()
    ) -> ConfigurationOperation {
        ConfigurationOperation(write: ItemWrite(.create, id: document.id, document, conditions))
    }

    /// Replaces the item with the document's id.
    package static func replace(
        _ document: ConfigurationDocument,
        _ conditions: WriteConditions = WriteConditions()
    ) -> ConfigurationOperation {
        ConfigurationOperation(write: ItemWrite(.replace, id: document.id, document, conditions))
    }

    /// Deletes an item.
    package static func delete(
        _ id: String,
        _ conditions: WriteConditions = WriteConditions()
    ) -> ConfigurationOperation {
        ConfigurationOperation(write: ItemWrite(.delete, id: id, nil, conditions))
    }

    /// The id in lower case.
    package var id: String { write.id }
    /// The client's spelling of the id.
    package var spelledID: String { write.spelledID }
    /// True if the operation creates an item.
    package var isCreation: Bool { write.kind == .create }
    /// True if the operation replaces an item.
    package var isReplacement: Bool { write.kind == .replace }
}

/// The outcome of a batch.
package struct BatchReceipt: Sendable {
    /// The outcome of the whole batch.
    package enum Outcome: String, Sendable {
        /// Every operation was done, now or by the first try.
        case done
        /// Some were rejected; the others are done.
        case partial
        /// The batch is atomic and an operation was rejected, so none was done.
        case refused
    }

    /// The outcome of the whole batch.
    package let outcome: Outcome
    /// The result of each operation, in order: a receipt or an error. `.batchRefused` marks an operation that failed
    /// only because another one was rejected.
    package let results: [Result<WriteReceipt, CloudSyncError>]
    /// The newest change in the batch's transaction.
    package let head: SyncToken?

    init(_ results: [Result<WriteReceipt, CloudSyncError>], isAtomic: Bool, _ head: SyncToken?) {
        self.head = head
        let isRefused = results.contains { if case .failure = $0 { true } else { false } }
        outcome = !isRefused ? .done : isAtomic ? .refused : .partial
        self.results =
            outcome == .refused
            ? results.map { $0.flatMap { _ in .failure(CloudSyncError.problem(.batchRefused)) } } : results
    }
}
