import CommandWords
import FoundationEssentials
import Glibc

/// The file that an editor opens: in the profile's folder, readable by its owner alone.
struct DraftFile {
    private static let maxBytes = 4 << 20
    let path: String

    init(in folder: String) { path = "\(folder)/edit-\(UUID().text.prefix(8)).json" }

    func write(_ text: String) throws(Failure) {
        unlink(path)
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

    private var failure: Failure {
        Failure("\(path) can't be written: \(String(cString: strerror(errno))).", .cannotCreate)
    }
}
