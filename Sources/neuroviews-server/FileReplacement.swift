import Glibc

/// Writes a file whole or not at all: under another name first, synced, and then renamed.
enum FileReplacement {
    /// Leaves a file that has the content already alone. A symbolic link in the way is replaced, never followed: root
    /// writes into folders of another account.
    static func write(_ text: String, to path: String) throws(FileError) {
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
