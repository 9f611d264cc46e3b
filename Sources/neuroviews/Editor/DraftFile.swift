import CommandWords
import FoundationEssentials
import Glibc

/// The file that an editor opens: in the profile's folder, readable by its owner alone.
struct DraftFile {
    private static let maxBytes = 4 << 20
    let path: String

    private static let (prefix, suffix) = ("edit-", ".json")

    init(in folder: String) { path = "\(folder)/\(Self.prefix)\(UUID().text.prefix(8))\(Self.suffix)" }

    /// Removes all that are left in the folder.
    static func removeAll(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        where name.hasPrefix(prefix) && name.hasSuffix(suffix) {
            unlink("\(folder)/\(name)")
        }
    }

    /// Replaces the file. After a failure it has the text of before.
    func write(_ text: String) throws(Failure) {
        let new = path + ".new"
        unlink(new)
        do throws(Failure) {
            try writeNew(new, text)
            guard rename(new, path) == 0 else { throw failure }
        } catch {
            unlink(new)
            throw error
        }
    }

    private func writeNew(_ path: String, _ text: String) throws(Failure) {
        let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw failure }
        defer { close(file) }
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw failure }
            rest.removeFirst(count)
        }
    }

    /// Returns the text; a file that the editor removed is empty.
    func read() throws(Failure) -> String { try FileText.read(path, maxBytes: Self.maxBytes) ?? "" }

    func remove() { unlink(path) }

    /// True if a person has typed something: the document in the file is not this one, and not empty.
    func isChanged(from original: String) -> Bool {
        guard let text = try? read() else { return true }
        let document = Draft.document(in: text)
        return !document.isEmpty && document != original
    }

    private var failure: Failure {
        Failure("\(path) can't be written: \(String(cString: strerror(errno))).", .cannotCreate)
    }
}
