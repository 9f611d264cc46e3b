import NeuroViewsJSON

/// An entry of `lost` that the user takes back.
extension Item {
    /// The reason why an entry stays in the list.
    package enum TakingBackFailure: Error, Equatable {
        /// A member or a deletion, and the item is gone.
        case nothingShown
        /// The value at `above` has no members: an array is one value. The entry's member would take its place unseen.
        case noMembers(above: JSONPointer)
        /// The value could not be read.
        case noValue
    }

    /// Returns the item with a lost value, document or deletion as the user's edit. `newID`: of the item that a document
    /// becomes after a deletion.
    package func takingBack(_ loss: Loss, newID: String, at now: Instant) throws(TakingBackFailure) -> Item {
        var item = self
        switch loss.kind {
        case .deletion: guard item.delete() else { throw .nothingShown }
        case .member:
            guard let shown else { throw .nothingShown }
            guard let pointer = loss.pointer.flatMap({ JSONPointer($0) }) else { throw .noValue }
            if let above = shown.obstacle(above: pointer) { throw .noMembers(above: above) }
            guard item.change([(pointer, loss.value)], at: now) else { throw .nothingShown }
        case .document:
            guard var document = Document(loss.value) else { throw .noValue }
            if shown == nil { item = Item(id: newID) }
            document.put(.string(item.id), at: JSONPointer().appending(member: "id"))
            item.replace(with: document, at: now)
        }
        return item
    }
}
