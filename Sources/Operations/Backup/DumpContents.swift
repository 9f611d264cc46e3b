import Glibc
import Machine

/// The table of contents of a dump, as `pg_restore --list` prints it.
struct DumpContents: Equatable {
    /// The tables with rows, without the schema's name.
    let tables: Set<String>

    /// Dumps of this server have a few hundred entries.
    private static let maxBytes = 1 << 20
    private static let rows = "TABLE DATA neuroviews "

    /// Reads the list of the dump at `path`.
    static func read(_ path: String, _ programs: ClientPrograms, log: String) throws -> DumpContents {
        let list = log + ".list"
        defer { unlink(list) }
        let result = try ChildProcess.run(
            programs.command("pg_restore", ["--list", "--file=\(list)", path]),
            log: log,
            seconds: 600
        )
        guard result.status == 0 else {
            throw CommandFailure(
                "The backup's dump of the database can't be read",
                because: result.output,
                writingTo: FilePath.folder(of: log),
                status: .data
            )
        }
        let text = try FileDescriptor.readText(list, maxBytes: maxBytes + 1)
        guard text.utf8.count <= maxBytes else { throw refusal("has too many entries") }
        return try DumpContents(text)
    }

    /// Parses a list. Throws for an entry that no dump of this server has.
    init(_ list: String) throws(CommandFailure) {
        var tables: Set<String> = []
        for line in list.split(separator: "\n") where !line.hasPrefix(";") {
            // "4072; 0 16390 TABLE DATA neuroviews users neuroviews_owner"
            let entry =
                line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false).dropFirst(3).first ?? ""
            let words = entry.split(separator: " ", omittingEmptySubsequences: false)
            if entry.hasPrefix(Self.rows), words.count == 5 {
                guard tables.insert(String(words[3])).inserted else { throw Self.refusal("has \(words[3]) twice") }
            } else {
                throw Self.refusal("has an entry that does not belong into one (\(entry.prefix(100)))")
            }
        }
        self.tables = tables
    }

    /// The error for a dump that is not from this server.
    static func refusal(_ reason: String) -> CommandFailure {
        CommandFailure("The backup's dump of the database \(reason).", status: .data)
    }
}
