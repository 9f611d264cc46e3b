import NeuroViewsRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What was taken out of a store, since it could not be read.
struct Mended {
    /// The items that have lost a copy, an edit or a refusal.
    let items: [String]
    /// The edits among it.
    let lost: [LostRow]
    /// The uploads that have failed by it.
    let uploads: [UploadRow]
}

extension Feeds {
    /// Names what was taken out.
    func tell(_ mended: Mended) {
        for row in mended.lost {
            if let edit = LostEdit(row.loss, id: row.number, at: row.at) { emit(.lost(edit)) }
        }
        for upload in mended.uploads { emit(.uploadFailed(upload.id, .unreadable)) }
        changed(Set(mended.items.compactMap { UUID(uuidString: $0) }))
    }
}
