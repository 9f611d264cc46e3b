#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The folders of the accounts at one server.
struct AccountFolders {
    /// The store from before the first log in. The account that logs in first gets it.
    private static let first = "first"
    private let folder: ServerFolder

    init(_ folder: ServerFolder) { self.folder = folder }

    /// The folder of an account's store; of nobody's, nil if accounts have stores here: its edits would go to another
    /// account than the user thinks.
    func path(of user: UUID?) throws(ClientError) -> String? {
        let first = folder.path + "/" + Self.first
        do {
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            StoreRemoval.finish(names, in: folder.path)
            let hasAccounts = names.contains { UUID(uuidString: $0) != nil }
            guard let user else { return hasAccounts ? nil : first }
            let path = folder.store(of: user)
            // After a crash before this, the next start does it.
            if !hasAccounts, names.contains(Self.first) {
                try FileManager.default.moveItem(atPath: first, toPath: path)
            }
            return path
        } catch {
            throw .store(.other("\(folder.path) can't be used: \(error)"))
        }
    }
}
