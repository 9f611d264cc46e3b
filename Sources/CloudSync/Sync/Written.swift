/// What a write did, or did the first time.
public struct WriteReceipt: Sendable {
    /// The id in the spelling that the item was created with.
    public let id: String
    /// The version that the write made.
    public let version: VersionTag
    /// When it was made, RFC 3339.
    public let changedAt: String
}

/// The outcome of a request that writes, and the newest change of the collection in its transaction: what the client may send as `seen`.
public struct Written<Value: Sendable>: Sendable {
    /// What was done, or why it was refused.
    public let result: Result<Value, CloudSyncError>
    /// Nil when the account has gone.
    public let head: SyncToken?

    init(_ result: Result<Value, CloudSyncError>, _ head: SyncToken?) {
        self.result = result
        self.head = head
    }

    /// The same with a conflict as clients read it.
    public func mapConflict(_ transform: (WriteConflict) -> WriteConflict) -> Written {
        guard case .failure(.conflict(let conflict)) = result else { return self }
        return Written(.failure(.conflict(transform(conflict))), head)
    }

    /// The same with another value.
    public func map<Other>(_ transform: (Value) throws(CloudSyncError) -> Other) -> Written<Other> {
        Written<Other>(result.flatMap { value in Result { () throws(CloudSyncError) in try transform(value) } }, head)
    }
}
