import NeuroViewsJSON
import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension Item {
    /// Puts the assignments of an app onto what is shown now, or the whole document in its place. Returns false if nothing
    /// was assigned. Throws ``ClientError/invalid(_:)``, and ``ClientError/nothingShown(_:)`` for an item that is gone.
    mutating func apply(_ configuration: CameraConfiguration, at now: Instant) throws(ClientError) -> Bool {
        if let invalid = configuration.invalid { throw .invalid(invalid) }
        guard configuration.id == UUID(uuidString: id) else {
            throw .invalid(InvalidEdit(pointer: "/id", reason: .otherItem))
        }
        if configuration.isWhole {
            replace(with: configuration.content, at: now)
            return true
        }
        guard let shown else { throw .nothingShown(configuration.id) }
        let changes = configuration.changes(of: shown)
        return !changes.isEmpty && change(changes, at: now)
    }
}

extension CameraConfiguration {
    /// The noted members with their values. If a document that arrived meanwhile has a value without members above one,
    /// that value's place is set whole, as in a rebase.
    func changes(of shown: Document) -> [(pointer: JSONPointer, value: JSON?)] {
        noted.all.map { pointer in
            let place = shown.obstacle(above: pointer) ?? pointer
            return (place, content.value(at: place))
        }
    }
}
