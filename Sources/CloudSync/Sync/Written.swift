/// The result of a write, or of its first try.
package struct WriteReceipt: Sendable {
    /// The id in the spelling of its creation.
    package let id: String
    /// The version that the write made.
    package let version: VersionTag
    /// The time of the write, RFC 3339.
    package let changedAt: String
}

/// The outcome of a request that writes, and the collection's newest change in its transaction. The client may send
/// that change as `seen`.
package struct Written<Value: Sendable>: Sendable {
    /// The value, or the error.
    package let result: Result<Value, CloudSyncError>
    /// Nil if the account is gone.
    package let head: SyncToken?

    init(_ result: Result<Value, CloudSyncError>, _ head: SyncToken?) {
        self.result = result
        self.head = head
    }

    /// Converts the conflict to its form for clients.
    package func mapConflict(_ transform: (WriteConflict) -> WriteConflict) -> Written {
        guard case .failure(.conflict(let conflict)) = result else { return self }
        return Written(.failure(.conflict(transform(conflict))), head)
    }

    /// Converts the value.
    package func map<Other>(_ transform: (Value) throws(CloudSyncError) -> Other) -> Written<Other> {
        Written<Other>(result.flatMap { value in Result { () throws(CloudSyncError) in try transform(value) } }, head)
    }
}
