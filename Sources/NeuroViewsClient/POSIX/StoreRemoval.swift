#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The removal of an account's store in two steps: at once nobody finds it any more, and then its files go.
struct StoreRemoval {
    /// No account has such a name.
    private static let prefix = "gone-"
    private let home: StoreFolder
    private let gone: StoreFolder

    init(_ folder: String) {
        let server = folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)]
        home = StoreFolder(path: folder)
        gone = StoreFolder(path: "\(server)/\(Self.prefix)\(UUID().uuidString.lowercased())")
    }

    /// Hides the store. Others that have it open get `.removed`.
    func begin() throws(ClientError) { try home.move(to: gone) }

    /// Brings the store back after `begin`, also after one that failed.
    func undo() { try? gone.move(to: home) }

    /// Removes the files.
    func end() throws(ClientError) { try gone.remove() }

    /// Removes what crashes and failures have left. What can't be removed is tried again the next time.
    static func finish(_ names: [String], in server: String) {
        for name in names where name.hasPrefix(prefix) { try? StoreFolder(path: "\(server)/\(name)").remove() }
    }
}
