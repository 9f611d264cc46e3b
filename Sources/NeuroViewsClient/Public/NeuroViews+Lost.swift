import NeuroViewsJSON
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
    /// - Throws: `.nothingShown` if the entry is a member or a deletion and its configuration is gone, `.invalidArgument` if
    ///   there is no such entry.
    @discardableResult
    public func bringBack(_ entry: LostEdit.ID) throws(ClientError) -> UUID {
        let (store, now) = (try openedStore(), Instant.now)
        let id = try store.step { () throws(ClientError) in
            guard let row = try store.lost(entry), let id = UUID(uuidString: row.loss.id) else {
                throw ClientError.invalidArgument("there is no lost edit \(entry)")
            }
            let known = try store.item(row.loss.id) ?? Item(id: row.loss.id)
            guard let item = known.takingBack(row.loss, newID: Self.name(UUID()), at: now) else {
                throw ClientError.nothingShown(id)
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

extension Item {
    /// The item with a lost value, document or deletion as the user's edit; nil if there is nothing to put it on. `newID`:
    /// of a document that comes back after a deletion.
    fileprivate func takingBack(_ loss: Loss, newID: String, at now: Instant) -> Item? {
        var item = self
        switch loss.kind {
        case .deletion: return item.delete() ? item : nil
        case .member:
            guard let pointer = loss.pointer.flatMap({ JSONPointer($0) }) else { return nil }
            return item.change([(pointer, loss.value)], at: now) ? item : nil
        case .document:
            guard var document = Document(loss.value) else { return nil }
            if shown == nil { item = Item(id: newID) }
            document.put(.string(item.id), at: JSONPointer().appending(member: "id"))
            item.replace(with: document, at: now)
            return item
        }
    }
}
