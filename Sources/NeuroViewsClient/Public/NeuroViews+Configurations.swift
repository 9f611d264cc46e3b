import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension NeuroViews {
    /// Returns all configurations as the app shows them, unsent edits included.
    public func configurations() throws(ClientError) -> [StoredConfiguration] {
        let now = Instant.now
        return try openedStore().shownItems { StoredConfiguration($0, at: now) }.compactMap(\.self)
    }

    /// Returns a configuration as the app shows it; nil if there is none, or it is deleted.
    public func configuration(_ id: UUID) throws(ClientError) -> StoredConfiguration? {
        try openedStore().item(Self.name(id)).flatMap { StoredConfiguration($0, at: .now) }
    }

    /// Stores a new configuration, or the members of a known one that were set or removed, and puts them onto what is shown
    /// now: another edit meanwhile stays.
    ///
    /// - Throws: `.invalid` for a member that can't be stored, `.nothingShown` if the configuration was deleted meanwhile.
    @discardableResult
    public func save(_ configuration: CameraConfiguration) throws(ClientError) -> StoredConfiguration {
        try write(configuration.id) { item, now throws(ClientError) in try item.apply(configuration, at: now) }
    }

    /// Changes the configuration that is shown now.
    ///
    /// - Throws: As ``save(_:)``.
    @discardableResult
    public func edit(_ id: UUID, _ change: @Sendable (inout CameraConfiguration) -> Void) throws(ClientError)
        -> StoredConfiguration
    {
        try write(id) { item, now throws(ClientError) in
            guard let shown = item.shown else { throw .nothingShown(id) }
            var configuration = CameraConfiguration(shown, id: id)
            change(&configuration)
            return try item.apply(configuration, at: now)
        }
    }

    /// Deletes a configuration.
    ///
    /// - Throws: `.nothingShown` if there is none.
    public func delete(_ id: UUID) throws(ClientError) {
        let store = try openedStore()
        try store.change(Self.name(id)) { item throws(ClientError) in
            guard item.delete() else { throw .nothingShown(id) }
        }
        noteEdit([id])
    }

    /// Puts a whole document in the place of what is shown, such as an older version.
    func replace(_ id: UUID, with document: Document) throws(ClientError) -> StoredConfiguration {
        try write(id) { item, now throws(ClientError) in
            guard item.shown != nil else { throw .nothingShown(id) }
            item.replace(with: document, at: now)
            return true
        }
    }

    /// Stores an act of the user, if it did anything. Returns what is shown then.
    private func write(
        _ id: UUID,
        _ act: (inout Item, Instant) throws(ClientError) -> Bool
    ) throws(ClientError) -> StoredConfiguration {
        let (store, now) = (try openedStore(), Instant.now)
        let (item, isChanged) = try store.step { () throws(ClientError) in
            var item = try store.item(Self.name(id)) ?? Item(id: Self.name(id))
            let isChanged = try act(&item, now)
            if isChanged { try store.save(item) }
            return (item, isChanged)
        }
        if isChanged { noteEdit([id]) }
        guard let stored = StoredConfiguration(item, at: now) else { throw .nothingShown(id) }
        return stored
    }

    /// The spelling of an id in the store.
    static func name(_ id: UUID) -> String { id.uuidString.lowercased() }
}
