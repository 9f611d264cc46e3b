import Glibc

/// Writes a file atomically: under a temporary name, synced, and then renamed.
package enum FileReplacement {
    /// Does nothing if the file already has this content. A symbolic link at the path is replaced, never followed,
    /// because root writes into folders of other accounts.
    package static func write(_ text: String, to path: String) throws(FileError) {
        if let old = try? FileDescriptor.own(path, O_RDONLY).read(maxBytes: 1 << 20), old == Array(text.utf8) {
            return
        }
        let temporary = path + ".new"
        unlink(temporary)
        let file = try FileDescriptor(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW)
        try file.write(Array(text.utf8))
        try file.synchronize()
        guard rename(temporary, path) == 0 else { throw FileError("create", path) }
    }
}
