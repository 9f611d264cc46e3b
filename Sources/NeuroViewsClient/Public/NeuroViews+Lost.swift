import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NeuroViews {
    /// Returns what did not survive a conflict, a deletion or a restored server, oldest first: for 30 days at least, or
    /// the newest 1,000.
    public func lost() throws(ClientError) -> [LostEdit] {
        try openedStore().lost().compactMap { LostEdit($0.loss, id: $0.number, at: $0.at) }
    }

    /// Makes an entry the user's edit again, and forgets it. A document of a configuration that is gone gets a new id.
    ///
    /// - Returns: The id of the configuration.
    /// - Throws: `.nothingShown` if the entry is a member or a deletion and its configuration is gone, `.invalid` for a member
    ///   below a value that has no members now, `.invalidArgument` if there is no such entry or it has no value. The entry
    ///   stays in the list then.
    @discardableResult
    public func bringBack(_ entry: LostEdit.ID) throws(ClientError) -> UUID {
        let (store, now) = (try openedStore(), Instant.now)
        let id = try store.step { () throws(ClientError) in
            guard let row = try store.lost(entry), let id = UUID(uuidString: row.loss.id) else {
                throw ClientError.invalidArgument("there is no lost edit \(entry)")
            }
            let known = try store.item(row.loss.id) ?? Item(id: row.loss.id)
            let item: Item
            do throws(Item.TakingBackFailure) {
                item = try known.takingBack(row.loss, newID: Self.name(UUID()), at: now)
            } catch {
                throw ClientError(error, of: row, id)
            }
            try store.save(item)
            _ = try store.forgetLost(entry)
            return UUID(uuidString: item.id) ?? id
        }
        noteEdit([id])
        return id
    }

    /// Forgets an entry. Nothing happens if there is none.
    public func forget(_ entry: LostEdit.ID) throws(ClientError) {
        _ = try openedStore().forgetLost(entry)
        feeds.changed([])
    }
}

extension ClientError {
    /// The reason why an entry can't be taken back.
    fileprivate init(_ failure: Item.TakingBackFailure, of row: LostRow, _ id: UUID) {
        switch failure {
        case .nothingShown: self = .nothingShown(id)
        case .noMembers(let above):
            let reason = InvalidEdit.Reason.noMembers(above: above.description)
            self = .invalid(InvalidEdit(pointer: row.loss.pointer ?? "", reason: reason))
        case .noValue: self = .invalidArgument("the lost edit \(row.number) has no value: forget it")
        }
    }
}
