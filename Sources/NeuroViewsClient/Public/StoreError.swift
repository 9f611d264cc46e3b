/// A failure of the device's store. A step that failed changed nothing: what was on disk before is there.
public enum StoreError: Error, Hashable, Sendable {
    /// The disk, or the user's share of it, is full. Free some room and try again.
    case full
    /// The files, whose path is given, can't be written: their rights, or a read-only disk.
    case readOnly(String)
    /// A newer version of the library made the store. It was not touched.
    case newer(version: Int64)
    /// Another process has been writing for 10 seconds. Try again.
    case busy
    /// The store is damaged, or its key is another one. It is set aside, and the next call finds an empty one.
    case damaged(String)
    /// A value in the store could not be read, and only that was taken out: ``NeuroViews/lost()`` names an edit, an upload has
    /// failed with ``UploadFailure/unreadable``, and copies are fetched again. Try again.
    case unreadable(String)
    /// Another process set the store aside during this call. Try again.
    case replaced
    /// The store was closed or removed, by a log-out or by the deletion of the account. A log in makes it again, empty.
    case removed
    /// Others may read or replace the folder at the path given.
    case notPrivate(String)
    /// The value can't be read again as it was given, such as JSON that is nested too deeply.
    case unstorable(String)
    /// Another failure, in the words of SQLite or the system.
    case other(String)
}

extension StoreError: CustomStringConvertible {
    /// The failure with its remedy.
    public var description: String {
        switch self {
        case .full: "The disk is full: free some room."
        case .readOnly(let path): "\(path) can't be written: check its rights, and that the disk is not read-only."
        case .newer(let version): "The store has version \(version), which only a newer library reads: update the app."
        case .busy: "Another process uses the store: try again."
        case .damaged(let reason):
            "The store is damaged, or its key is another one (\(reason)). A new one takes its place."
        case .unreadable(let reason): "A value in the store could not be read and was taken out (\(reason)): try again."
        case .replaced: "Another process replaced the store: try again."
        case .removed: "The store was closed or removed: log in."
        case .notPrivate(let path):
            "\(path) is not private: it must be no link, belong to you, and be closed to others (chmod go= \(path))."
        case .unstorable(let reason): "The value can't be stored: \(reason)."
        case .other(let reason): "The store failed: \(reason)."
        }
    }
}
