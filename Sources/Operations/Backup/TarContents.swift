import Glibc
import Machine

/// Checks a tar's list before tar unpacks it.
enum TarContents {
    /// The magic bytes of every tar. A compressed tar does not have them at this offset.
    private static let magic = (offset: 257, bytes: Array("ustar".utf8))

    /// Throws unless the tar has only parts of a backup, with a total size at most that of the tar. `damaged` begins
    /// the error message. `list` is the path of a temporary file.
    static func check(_ tar: borrowing FileDescriptor, named damaged: String, list: String) throws {
        defer { unlink(list) }
        let start = try tar.read(maxBytes: 512)
        guard start.dropFirst(magic.offset).starts(with: magic.bytes) else { throw refusal(damaged, "it is no tar") }
        try tar.rewind()
        let options = ["--list", "--verbose", "--numeric-owner", "--quoting-style=escape", "--file=-"]
        let lines = try FileDescriptor(list, O_WRONLY | O_CREAT | O_EXCL)
        let result = try ChildProcess.run(
            ["/usr/bin/tar"] + options,
            log: list + ".log",
            streams: ChildProcess.Streams(input: tar.number, output: lines.number),
            seconds: BackupArchive.maxSeconds
        )
        unlink(list + ".log")
        guard result.status == 0 else {
            throw CommandFailure(
                damaged,
                because: result.output,
                writingTo: FilePath.folder(of: list),
                status: .data
            )
        }
        try judge(list, of: damaged, bytes: Int(try tar.status().st_size))
    }

    /// The list may have millions of lines, so each is read alone.
    private static func judge(_ list: String, of damaged: String, bytes: Int) throws {
        guard let lines = fopen(list, "re") else { throw FileError("open", list) }
        defer { fclose(lines) }
        var (line, capacity): (UnsafeMutablePointer<CChar>?, Int) = (nil, 0)
        defer { free(line) }
        var rest = bytes
        while getline(&line, &capacity, lines) > 0, let text = line {
            let entry = try entry(String(cString: text).filter { $0 != "\n" }, of: damaged)
            // A sparse entry is small in the tar and large on disk.
            guard entry.bytes <= rest else { throw refusal(damaged, "it holds more than its own size") }
            rest -= entry.bytes
        }
    }

    /// "-rw------- 0/0  1234 2026-11-24 04:15 manifest.json"
    private static func entry(_ line: String, of damaged: String) throws(CommandFailure) -> (
        name: Substring, bytes: Int
    ) {
        // A hyphen marks a regular file; links and folders have letters. The name begins after one space and may itself
        // begin with a space.
        let file = /-\S+ \d+\/\d+ +(\d+) \d{4}-\d\d-\d\d \d\d:\d\d (.+)/
        guard let match = line.wholeMatch(of: file), let bytes = Int(match.1), BackupArchive.isPart(match.2) else {
            let name = line.split(separator: " ", maxSplits: 5).last ?? "an entry"
            throw refusal(damaged, "\(name) does not belong into one")
        }
        return (match.2, bytes)
    }

    private static func refusal(_ damaged: String, _ reason: String) -> CommandFailure {
        CommandFailure("\(damaged): \(reason).", status: .data)
    }
}
