import Glibc

/// Small files, read whole.
enum FileText {
    /// Returns nil if there is no such file. "-" is standard input.
    static func read(_ path: String, maxBytes: Int) throws(Failure) -> String? {
        if path == "-" {
            return String(decoding: try readAll(STDIN_FILENO, "Standard input", maxBytes: maxBytes), as: UTF8.self)
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 && errno == ENOENT { return nil }
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        return String(decoding: try readAll(file, path, maxBytes: maxBytes), as: UTF8.self)
    }

    static func readAll(_ file: Int32, _ name: String, maxBytes: Int) throws(Failure) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = Glibc.read(file, &bytes, bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(name) }
            if count == 0 { return all }
            all += bytes[..<count]
            guard all.count <= maxBytes else { throw Failure("\(name) has more than \(maxBytes) bytes.", .data) }
        }
    }

    private static func failure(_ name: String) -> Failure {
        Failure("\(name) can't be read: \(String(cString: strerror(errno))).", .noInput)
    }
}
