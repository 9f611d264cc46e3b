#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The removal of an account's store in two steps: its name goes at once, and then its files.
struct StoreRemoval {
    /// No account has such a name.
    private static let prefix = "gone-"
    private let home: StoreFolder
    private let gone: StoreFolder

    init(_ folder: String) {
        home = StoreFolder(path: folder)
        gone = StoreFolder(path: "\(home.parent)/\(Self.prefix)\(UUID().uuidString.lowercased())")
    }

    /// Hides the store. Other processes with an open one get `.removed`.
    func begin() throws(ClientError) { try home.move(to: gone) }

    /// Brings the store back after `begin`, also after one that failed.
    func undo() { try? gone.move(to: home) }

    /// Removes the files.
    func end() throws(ClientError) { try gone.remove() }

    /// Removes leftovers of crashes and failures. Another failure leaves them to the next call.
    static func finish(_ names: [String], in server: String) {
        for name in names where name.hasPrefix(prefix) { try? StoreFolder(path: "\(server)/\(name)").remove() }
    }
}
