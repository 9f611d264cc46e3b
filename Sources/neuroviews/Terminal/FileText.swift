import Glibc

/// Small files, read whole.
enum FileText {
    /// Returns nil if there is no such file. "-" is standard input.
    static func read(_ path: String, maxBytes: Int) throws(Failure) -> String? {
        if path == "-" { return try standardInput(maxBytes: maxBytes) }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        if file < 0 && errno == ENOENT { return nil }
        guard file >= 0 else { throw failure(path) }
        defer { close(file) }
        return try text(file, path, maxBytes: maxBytes)
    }

    static func standardInput(maxBytes: Int) throws(Failure) -> String {
        try text(STDIN_FILENO, "Standard input", maxBytes: maxBytes)
    }

    /// Refuses other encodings: a character in the place of their bytes would be stored and synced.
    private static func text(_ file: Int32, _ name: String, maxBytes: Int) throws(Failure) -> String {
        let bytes = try readAll(file, name, maxBytes: maxBytes)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Failure("\(name) is not valid UTF-8.", .data)
        }
        return text
    }

    private static func readAll(_ file: Int32, _ name: String, maxBytes: Int) throws(Failure) -> [UInt8] {
        var all: [UInt8] = []
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            // Its writer may take any time, and a signal ends the wait.
            if file == STDIN_FILENO { try Prompt.awaitInput() }
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

extension String {
    /// The lines of a file. Other systems end them with "\r\n", which is one Character.
    var lines: [Substring] { split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" } }
}
